import { AsyncLocalStorage } from 'node:async_hooks'

export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>

/**
 * One piece of work at a time. PGlite is a single session, and lite opens a transaction and sets its role in
 * separate queries: another request's query in between would run in that transaction, as that member.
 * Work inside a turn runs at once.
 */
export function takeTurns(): TakeTurn {
  const inTurn = new AsyncLocalStorage<true>()
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    if (inTurn.getStore()) return work()
    const turn = last.then(() => inTurn.run(true, work))
    last = turn.catch(() => {})
    return turn
  }
}
