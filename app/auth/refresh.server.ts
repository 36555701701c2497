import type { Config } from '../env.server'
import { parseSession, type Session } from './session.server'

/** Three ticks of 30 seconds (spec §9): a session with less left is refreshed before it is used. */
const refreshMargin = 90
/** A page waits this long for a refresh, in milliseconds. The refresh goes on: the next request has its answer. */
const patience = 2_000
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
 * `unreachable`: only its plain refusal ends a session. `waitUntil` keeps the refresh alive when the visitor
 * who began it goes away while others wait for it.
 */
export async function refreshSession(
  config: Config,
  session: Session,
  backendFetch: typeof fetch,
  waitUntil: (promise: Promise<unknown>) => void,
): Promise<RefreshResult> {
  const token = session.refresh_token
  const now = Date.now()
  for (const [key, { forgetAt }] of refreshes) if (now > forgetAt) refreshes.delete(key)

  let refresh = refreshes.get(token)
  if (!refresh) {
    const begun = { result: askForSession(config, token, backendFetch), forgetAt: now + 2 * refreshDeadline }
    refreshes.set(token, begun)
    waitUntil(begun.result.then(({ kind }) => settle(token, begun, kind)))
    refresh = begun
  }
  return Promise.race([refresh.result, givenUp()])
}

/** Where nothing was learned, the next request asks again. */
function settle(token: string, refresh: Refresh, kind: RefreshResult['kind']): void {
  if (kind !== 'unreachable') refresh.forgetAt = Date.now() + reuseInterval
  else if (refreshes.get(token) === refresh) refreshes.delete(token)
}

function givenUp(): Promise<RefreshResult> {
  return new Promise((resolve) => setTimeout(() => resolve({ kind: 'unreachable' }), patience))
}

async function askForSession(
  config: Config,
  token: string,
  backendFetch: typeof fetch,
): Promise<RefreshResult> {
  try {
    const response = await backendFetch(`${config.SUPABASE_URL}/auth/v1/token?grant_type=refresh_token`, {
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
