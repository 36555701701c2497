import { AsyncLocalStorage } from 'node:async_hooks'

/** Runs work now or after earlier work, and returns its result. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Runs one piece of work at a time, in the order of the calls. Work that is added from inside other work runs
 * immediately. PGlite has a single session, and lite sends BEGIN, the role and the query as separate
 * commands: without the queue, the query of another request could run between them, in the transaction and
 * with the role of the first request.
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
