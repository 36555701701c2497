import { readClock } from '../../platform/server/clock.server'
import type { CookieJar } from '../../platform/server/cookies.server'
import type { Runtime } from '../../platform/server/runtime.server'
import { announce } from './auth-notices.server'
import { isExpired, refreshSession } from './refresh.server'
import { clearSession, inspectSession, type Session, storageKey, writeSession } from './session.server'

/**
 * The session of a request, refreshed if it was about to expire.
 * `stale`: the refresh failed, but the access token has not expired. `unreachable`: the refresh failed, and the access
 * token has expired.
 */
export type SessionState =
  | { kind: 'none'; stored: null }
  | { kind: 'good' | 'stale' | 'unreachable'; stored: Session }

/** The session of the cookies, unverified. Refreshes a due one, clears a refused or unreadable one. */
export async function readSessionState(cookies: CookieJar, runtime: Runtime): Promise<SessionState> {
  const { config, log } = runtime
  const key = storageKey(config.SUPABASE_URL)
  const now = readClock(config)
  const { kind, session: stored } = inspectSession(cookies, key, now)
  if (kind === 'ambiguous') {
    log.warn('session.two-cookies')
    announce(cookies, 'two-cookies')
  }
  if (kind === 'unreadable') clearSession(cookies, key)
  if (!stored) return { kind: 'none', stored }
  if (kind === 'fresh') return { kind: 'good', stored }
  const result = await refreshSession(runtime, stored)
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
