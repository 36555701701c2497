import type { BackendAccess } from '../server/backend.server'
import { readClock } from '../server/clock.server'
import type { CookieJar } from '../server/cookies.server'
import type { Config, Execution } from '../server/env.server'
import type { Log } from '../server/log.server'
import { announce } from './notices.server'
import { isExpired, needsRefresh, refreshSession } from './refresh.server'
import {
  clearSession,
  isAmbiguous,
  readSession,
  type Session,
  storageKey,
  writeSession,
} from './session.server'

/**
 * The session of a request, refreshed if it was about to expire.
 * `stale`: the refresh failed, but the access token has not expired. `unreachable`: the refresh failed, and the access
 * token has expired.
 */
export type SessionState =
  | { kind: 'none'; stored: null }
  | { kind: 'good' | 'stale' | 'unreachable'; stored: Session }

/** Reads the session from the cookies, unverified. Refreshes it if needed, and clears a refused or unreadable one. */
export async function readSessionState(
  cookies: CookieJar,
  { config, log, execution }: { config: Config; log: Log; execution: Execution },
  access: BackendAccess,
): Promise<SessionState> {
  const key = storageKey(config.SUPABASE_URL)
  if (isAmbiguous(cookies, key)) {
    log.warn('session.two-cookies')
    announce(cookies, 'two-cookies')
    return { kind: 'none', stored: null }
  }
  const stored = readSession(cookies, key)
  if (!stored) {
    clearSession(cookies, key) // If there is a cookie, it is unreadable (malformed, or a chunk is missing).
    return { kind: 'none', stored }
  }
  const now = readClock(config)
  if (!needsRefresh(stored, now)) return { kind: 'good', stored }
  const result = await refreshSession(config, stored, access, execution)
  log.info('session.refresh', { result: result.kind })
  if (result.kind === 'refreshed') {
    writeSession(cookies, key, result.session)
    return { kind: 'good', stored: result.session }
  }
  if (result.kind === 'refused') {
    clearSession(cookies, key)
    return { kind: 'none', stored: null }
  }
  return { kind: isExpired(stored, now) ? 'unreachable' : 'stale', stored }
}
