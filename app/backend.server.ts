import type { Log } from './edge/log.server'
import type { Config } from './env.server'

/** Reads give up after this many milliseconds, writes after the next: a hanging backend must not hang a page. */
const readDeadline = 2_000
const writeDeadline = 10_000

/**
 * `fetch` for every call to the backend: a deadline of its own for each call, and a log line for each
 * failure. It logs the path only: queries carry ids and e-mails.
 */
export function createBackendFetch(config: Config, log: Log, visitorAddress: string | null): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const read = request.method === 'GET' || request.method === 'HEAD'
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(read ? readDeadline : writeDeadline)])
    const { pathname } = new URL(request.url)
    if (visitorAddress) nameVisitor(request, config, visitorAddress)
    try {
      const response = await fetch(request, { signal })
      if (response.status >= 500) log.warn('backend.failed', { path: pathname, status: response.status })
      // The body is read here, within the deadline: a half-open answer would hang its reader otherwise.
      const body = await response.arrayBuffer()
      return new Response(bodyless(response.status) ? null : body, response)
    } catch (error) {
      log.warn('backend.unreachable', { path: pathname, reason: (error as Error).name })
      throw error
    }
  }
}

/**
 * The auth service limits by address, and a worker makes all its visitors one. It takes the visitor's own from
 * `Sb-Forwarded-For`, but only with a secret key: one of its own, optional, sent to its public paths alone.
 */
function nameVisitor({ url, headers }: Request, config: Config, address: string): void {
  const key = config.SUPABASE_FORWARDING_KEY
  const path = url.startsWith(config.SUPABASE_URL) ? url.slice(config.SUPABASE_URL.length) : ''
  if (!key || !path.startsWith('/auth/v1/') || path.startsWith('/auth/v1/admin')) return
  headers.set('apikey', key)
  headers.set('Sb-Forwarded-For', address)
}

function bodyless(status: number): boolean {
  return status === 101 || status === 204 || status === 205 || status === 304
}
