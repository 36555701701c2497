import { createLog } from '../server/log.server'

/**
 * Minimum time between two log lines about cache hits, in milliseconds. One line reports many hits, because
 * writing a line for each hit would take a tenth of the time of that hit.
 */
const interval = 1_000

let hits = 0
let statuses: Record<number, number> = {}
let slowestMs = 0
let since = 0

/** Counts a page that was served from memory. `startedAt` is in milliseconds since the epoch. */
export function countHit(status: number, startedAt: number): void {
  const now = Date.now()
  if (hits === 0) since = now
  hits += 1
  statuses[status] = (statuses[status] ?? 0) + 1
  slowestMs = Math.max(slowestMs, now - startedAt)
}

/**
 * Logs the counted hits, if the first hit is at least a second old. Called for each request. When the
 * platform evicts an isolate, the isolate's counts are lost; the platform's own invocation log contains those
 * requests.
 */
export function logHits(now: number): void {
  if (hits === 0 || now - since < interval) return
  createLog(crypto.randomUUID()).info('request.hits', { hits, statuses, slowestMs, forMs: now - since })
  hits = 0
  statuses = {}
  slowestMs = 0
}
