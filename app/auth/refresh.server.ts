import type { BackendAccess } from '../server/backend.server'
import type { Config, Execution } from '../server/env.server'
import { parseSession, type Session } from './session.server'

/** Three ticks of 30 seconds (spec §9): a session with less left is refreshed before it is used. */
const refreshMargin = 90
/** A refresh is given up after this: while the provider still forgives a token that has to be presented again. */
const refreshDeadline = 5_000
/** How long an answer stays good for those who come with the same, now spent, token: the provider's reuse interval. */
const reuseInterval = 10_000

/** Request timeout, conflict, too early, too many requests: not now, which is not a refusal. */
const notNow = [408, 409, 425, 429]

export type RefreshResult =
  | { kind: 'refreshed'; session: Session }
  | { kind: 'refused' }
  | { kind: 'unreachable' }

/** One refresh for each refresh token in this isolate, however many requests come with it. */
const refreshes = new Map<string, Refresh>()

interface Refresh {
  settled: boolean
  /**
   * Somebody has waited for it in vain: it may hang in a fault that is over. Who comes now presents the token
   * again, which the provider forgives.
   */
  abandoned: boolean
  result: Promise<RefreshResult>
  forgetAt: number
}

/** `now` is in milliseconds, here and below. */
export function needsRefresh(session: Session, now: number): boolean {
  return session.expires_at - now / 1000 < refreshMargin
}

export function isExpired(session: Session, now: number): boolean {
  return session.expires_at <= now / 1000
}

/**
 * Spends the session's refresh token, once. A provider that can't be reached, fails or answers garbage is
 * `unreachable`: only its plain refusal ends a session. A page waits for it as long as for any read; the refresh
 * goes on, when the visitor who began it goes away too, and the next request has its answer.
 */
export async function refreshSession(
  config: Config,
  session: Session,
  backend: BackendAccess,
  execution: Execution,
): Promise<RefreshResult> {
  const token = session.refresh_token
  const url = `${config.SUPABASE_URL}/auth/v1/token?grant_type=refresh_token`
  const now = Date.now()
  for (const [key, { forgetAt }] of refreshes) if (now > forgetAt) refreshes.delete(key)

  let refresh = refreshes.get(token)
  if (!refresh || (refresh.abandoned && !refresh.settled)) {
    const former = refresh
    const result = askForSession(config, url, token, backend.fetch).then((answer): RefreshResult => {
      // Spent already, perhaps by the one whose answer is still on its way.
      const early = answer.kind === 'refused' && former && !former.settled
      return early ? { kind: 'unreachable' } : answer
    })
    const begun = { settled: false, abandoned: false, result, forgetAt: now + 2 * refreshDeadline }
    refreshes.set(token, begun)
    execution.waitUntil(result.then(({ kind }) => settle(token, begun, kind)))
    refresh = begun
  }
  const answer = await backend.waitFor(url, refresh.result)
  if (answer) return answer
  refresh.abandoned = true
  return { kind: 'unreachable' }
}

/** Where nothing was learned, the next request asks again. */
function settle(token: string, refresh: Refresh, kind: RefreshResult['kind']): void {
  refresh.settled = true
  if (kind === 'unreachable') {
    if (refreshes.get(token) === refresh) refreshes.delete(token)
    return
  }
  refresh.forgetAt = Date.now() + reuseInterval
  refreshes.set(token, refresh)
}

async function askForSession(
  config: Config,
  url: string,
  token: string,
  backendFetch: typeof fetch,
): Promise<RefreshResult> {
  try {
    const response = await backendFetch(url, {
      method: 'POST',
      headers: { apikey: config.SUPABASE_PUBLISHABLE_KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: token }),
      signal: AbortSignal.timeout(refreshDeadline),
    })
    const answer: unknown = await response.json()
    if (response.ok) {
      const session = parseSession(answer)
      return session ? { kind: 'refreshed', session } : { kind: 'unreachable' }
    }
    const { status } = response
    return { kind: status >= 400 && status < 500 && !notNow.includes(status) ? 'refused' : 'unreachable' }
  } catch {
    return { kind: 'unreachable' }
  }
}
