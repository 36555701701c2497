import { isUnavailable, RejectedResponse, readResponse, retryDelay } from './backend-response'
import { isDown, recordFailure, recordSuccess, type Service, serviceOf } from './breaker'
import type { Config, Execution } from './env.server'
import type { Log } from './log.server'
import { sleep, within } from './timeout'

/** How long a write waits for a response, in milliseconds. */
const writeTimeout = 10_000
/**
 * Shorter timeouts. After a read has timed out, they apply to the later reads of the same request. After a
 * write has timed out, they apply to the later reads and writes of the same request. While the breaker is
 * open, they apply to every read. A call that timed out continues in the background, and its response closes
 * the breaker.
 */
const degradedTimeouts = { read: 750, write: 2_500 }
/** How long after its full timeout a request is aborted, in milliseconds. */
const abortGrace = 250

/** The database functions that only read. The site calls them with POST, because their argument is JSON. */
const readingFunctions = new Set(['/rest/v1/rpc/sum_transactions', '/rest/v1/rpc/read_ask'])

type Kind = keyof typeof degradedTimeouts

/** The backend access that the calls of one request share. */
export interface BackendAccess {
  fetch: typeof fetch
  /** Waits for `work`, which calls `url`, up to the timeout of a read; then null, and the work continues. */
  waitFor<T>(url: string, work: Promise<T>): Promise<T | null>
}

/**
 * Handles failures between the worker and its auth and data services. Each call has a timeout, which includes
 * its body. A response that is too large, a redirect or not JSON is rejected. A read without a body is
 * retried at most once, within its timeout; a write is never retried. The breaker shortens the timeouts of
 * reads but refuses no call: while a service is down, each read is a short probe, so pages are fast, and the
 * first page after the recovery of the service is complete.
 *
 * After a failed call, only the path of its URL is logged, because queries contain ids and email addresses.
 */
export function createBackendAccess(
  config: Config,
  log: Log,
  visitorAddress: string | null,
  execution: Execution,
): BackendAccess {
  /** How long a page waits for a response, in milliseconds, so that it does not hang with the backend. */
  const timeouts = { read: config.READ_TIMEOUT_MS, write: writeTimeout }
  /** Whether a read, or a write, of the request has timed out (see `degradedTimeouts`). */
  const timedOut = { read: false, write: false }

  const timeoutOf = (kind: Kind, service: Service) => {
    const degraded = timedOut.write || timedOut[kind] || (kind === 'read' && isDown(service))
    return (degraded ? degradedTimeouts : timeouts)[kind]
  }

  async function wait<T>(kind: Kind, service: Service, work: Promise<T>): Promise<T | null> {
    const result = await within(work, timeoutOf(kind, service))
    if (result === null) {
      timedOut[kind] = true
      recordFailure(service, log)
    }
    return result
  }

  async function send(request: Request, kind: Kind, service: Service): Promise<Response> {
    const until = Date.now() + timeouts[kind]
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeouts[kind] + abortGrace)])
    const attempt = async () => readResponse(await fetch(request, { signal, redirect: 'manual' }))
    // A body can be sent only once.
    const mayRetry = kind === 'read' && !request.body && !isDown(service)
    let outcome = await attempt().catch((error: Error) => error)
    const delay = mayRetry ? retryDelay(outcome) : null
    if (delay !== null && Date.now() + delay < until && !signal.aborted) {
      await sleep(delay)
      outcome = await attempt().catch((error: Error) => error)
    }
    if (outcome instanceof Error) throw outcome
    if (!isUnavailable(outcome.status)) recordSuccess(service, log)
    return outcome
  }

  return {
    async fetch(input, init) {
      const request = new Request(input, init)
      const { pathname } = new URL(request.url)
      const reads = ['GET', 'HEAD'].includes(request.method) || readingFunctions.has(pathname)
      const kind = reads ? 'read' : 'write'
      const service = serviceOf(request.url)
      if (visitorAddress) forwardVisitorAddress(request, config, visitorAddress)
      const work = send(request, kind, service)
      let response: Response | null
      try {
        response = await wait(kind, service, work)
      } catch (error) {
        recordFailure(service, log)
        log.warn('backend.unreachable', { path: pathname, reason: (error as Error).name })
        throw error
      }
      if (!response) {
        execution.waitUntil(work.catch(() => {}))
        log.warn('backend.unreachable', { path: pathname, reason: 'timeout' })
        throw new RejectedResponse('Timeout')
      }
      if (response.status >= 500) log.warn('backend.failed', { path: pathname, status: response.status })
      if (isUnavailable(response.status)) recordFailure(service, log)
      return response
    },
    waitFor: (url, work) => wait('read', serviceOf(url), work),
  }
}

/**
 * Sends the visitor's IP address in `Sb-Forwarded-For`. The auth service limits requests by IP address, and
 * without this header all visitors appear to have the worker's address. The service reads the header only if
 * the request has a secret key. The key for this purpose is optional, and the worker sends it only to the
 * auth service, but not to its admin paths.
 */
function forwardVisitorAddress({ url, headers }: Request, config: Config, address: string): void {
  const key = config.SUPABASE_FORWARDING_KEY
  const path = url.startsWith(config.SUPABASE_URL) ? url.slice(config.SUPABASE_URL.length) : ''
  if (!key || !path.startsWith('/auth/v1/') || path.startsWith('/auth/v1/admin')) return
  headers.set('apikey', key)
  headers.set('Sb-Forwarded-For', address)
}
