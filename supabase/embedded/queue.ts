import { AsyncLocalStorage } from 'node:async_hooks'

/** Runs work after all work that was added before it. Work that is added from inside other work runs at once. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Runs one piece of work at a time. PGlite has a single session, and lite sends BEGIN, the role and the query as
 * separate statements: without the queue, another request's query could run between them, in that transaction and
 * with that member's role.
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
