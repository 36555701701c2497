import { AsyncLocalStorage } from 'node:async_hooks'

/** Runs work, immediately or after earlier work. Returns the result of the work. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Runs one piece of work at a time, in the order of the calls; work that is added from inside other work runs
 * immediately. PGlite has a single session, and lite sends BEGIN, the role and the query as separate commands: without
 * the queue, another request's query could run between them, in that transaction and with that member's role.
 */
export function createQueue(): Queue {
  const running = new AsyncLocalStorage<true>()
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    if (running.getStore()) return work()
    const result = last.then(() => running.run(true, work))
    last = result.catch(() => {})
    return result
  }
}
