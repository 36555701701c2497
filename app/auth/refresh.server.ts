import type { Config } from '../env.server'
import { parseSession, type Session } from './session.server'

/** Three ticks of 30 seconds (spec §9): a session with less left is refreshed before it is used. */
const refreshMargin = 90
/** A page waits this long for a refresh, in milliseconds. */
const refreshDeadline = 2_000
/** How long an answer stays good for those who come with the same, now spent, token: the provider's reuse interval. */
const reuseInterval = 10_000

export type RefreshResult =
  | { kind: 'refreshed'; session: Session }
  | { kind: 'refused' }
  | { kind: 'unreachable' }

/** One refresh for each refresh token in this isolate, however many requests come with it. */
const refreshes = new Map<string, { result: Promise<RefreshResult>; startedAt: number }>()

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
  for (const [key, { startedAt }] of refreshes) if (now - startedAt > reuseInterval) refreshes.delete(key)

  const known = refreshes.get(token)
  if (known) return Promise.race([known.result, givenUp()])
  const result = askForSession(config, token, backendFetch)
  refreshes.set(token, { result, startedAt: now })
  waitUntil(result)
  const outcome = await result
  if (outcome.kind === 'unreachable') refreshes.delete(token)
  return outcome
}

/** Those who wait for another request's refresh wait no longer than that request may. */
function givenUp(): Promise<RefreshResult> {
  return new Promise((resolve) => setTimeout(() => resolve({ kind: 'unreachable' }), refreshDeadline))
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
    const refused = response.status >= 400 && response.status < 500 && response.status !== 429
    return { kind: refused ? 'refused' : 'unreachable' }
  } catch {
    return { kind: 'unreachable' }
  }
}
