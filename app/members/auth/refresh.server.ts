import type { Config } from '../../platform/server/env.server'
import type { Runtime } from '../../platform/server/runtime.server'
import { parseSession, type Session } from './session.server'

/** Timeout of a refresh in milliseconds, below `reuseInterval`, so that the token can be sent again. */
const refreshDeadline = 5_000
/** How long later requests with the token get the result, in ms: the auth service's reuse interval. */
const reuseInterval = 10_000

/** The version of the auth API that the client library requests (spec §9). */
const apiVersion = '2024-01-01'

/**
 * The statuses after which a request is sent again: timeout, conflict, too early, too many requests. They do
 * not reject the token.
 */
const retryStatuses = [408, 409, 425, 429]

export type RefreshResult =
  | { kind: 'refreshed'; session: Session }
  | { kind: 'refused' }
  | { kind: 'unreachable' }

/** The refreshes, keyed by refresh token. Requests with the same token share one refresh. */
const refreshes = new Map<string, Refresh>()

interface Refresh {
  settled: boolean
  /**
   * True if a caller timed out while waiting for this refresh. The next caller sends the same token again,
   * and the auth service accepts the token within its reuse interval.
   */
  abandoned: boolean
  result: Promise<RefreshResult>
  forgetAt: number
}

/** `now` is in milliseconds. */
export function isExpired(session: Session, now: number): boolean {
  return session.expires_at <= now / 1000
}

/**
 * Exchanges the session's refresh token, or shares the exchange of another request. Returns `unreachable` if
 * the auth service is late, fails or sends an invalid response: only a refusal ends a session. The caller
 * waits no longer than the read timeout. The refresh continues even if the visitor disconnects, and a later
 * request can get its result.
 */
export async function refreshSession(
  { config, execution, fetch, waitFor }: Omit<Runtime, 'env' | 'log'>,
  session: Session,
): Promise<RefreshResult> {
  const token = session.refresh_token
  const url = `${config.SUPABASE_URL}/auth/v1/token?grant_type=refresh_token`
  const now = Date.now()
  for (const [key, { forgetAt }] of refreshes) if (now > forgetAt) refreshes.delete(key)

  let refresh = refreshes.get(token)
  if (!refresh || (refresh.abandoned && !refresh.settled)) {
    const former = refresh
    const result = requestSession(config, url, token, fetch).then((answer): RefreshResult => {
      // The earlier refresh may have used the token already, and its response may still arrive.
      const usedByFormer = answer.kind === 'refused' && former && !former.settled
      return usedByFormer ? { kind: 'unreachable' } : answer
    })
    const request = { settled: false, abandoned: false, result, forgetAt: now + 2 * refreshDeadline }
    refreshes.set(token, request)
    execution.waitUntil(result.then(({ kind }) => settle(token, request, kind)))
    refresh = request
  }
  const answer = await waitFor(url, refresh.result)
  if (answer) return answer
  refresh.abandoned = true
  return { kind: 'unreachable' }
}

/** Stores a result for the reuse interval. After `unreachable` the next request tries again. */
function settle(token: string, refresh: Refresh, kind: RefreshResult['kind']): void {
  refresh.settled = true
  if (kind === 'unreachable') {
    if (refreshes.get(token) === refresh) refreshes.delete(token)
    return
  }
  refresh.forgetAt = Date.now() + reuseInterval
  refreshes.set(token, refresh)
}

async function requestSession(
  config: Config,
  url: string,
  token: string,
  backendFetch: typeof fetch,
): Promise<RefreshResult> {
  try {
    const response = await backendFetch(url, {
      method: 'POST',
      headers: {
        apikey: config.SUPABASE_PUBLISHABLE_KEY,
        Authorization: `Bearer ${config.SUPABASE_PUBLISHABLE_KEY}`,
        'Content-Type': 'application/json',
        'X-Supabase-Api-Version': apiVersion,
      },
      body: JSON.stringify({ refresh_token: token }),
      signal: AbortSignal.timeout(refreshDeadline),
    })
    const answer: unknown = await response.json()
    if (response.ok) {
      const session = parseSession(answer)
      return session ? { kind: 'refreshed', session } : { kind: 'unreachable' }
    }
    const { status } = response
    return {
      kind: status >= 400 && status < 500 && !retryStatuses.includes(status) ? 'refused' : 'unreachable',
    }
  } catch {
    return { kind: 'unreachable' }
  }
}
