import type { AppLoadContext } from '@remix-run/cloudflare'
import { readClock } from '../../platform/server/clock.server'
import type { CookieJar } from '../../platform/server/cookies.server'
import type { Viewer } from './identity.server'

const recoveryCookie = 'recovery'
/** In seconds. */
const oneHour = 3_600

/**
 * Records that a recovery link or an invitation has signed the member in ('PASSWORD_RECOVERY'). The cookie
 * distinguishes a recovery from a sign-in by email; the token does not. The cookie proves nothing, because a
 * member can write it.
 */
export function beginRecovery(cookies: CookieJar, memberId: string): void {
  cookies.set(recoveryCookie, memberId, { maxAge: oneHour })
}

/**
 * True if the member may choose a password without the current password: the cookie says that this member is
 * recovering the account, and the verified token shows that a mailed link or code signed the member in within
 * the last hour.
 */
export function isRecovering({ cookies, config }: AppLoadContext, { id, mailedAt }: Viewer): boolean {
  const mailed = mailedAt > 0 && readClock(config) - mailedAt < oneHour * 1000
  return mailed && cookies.get(recoveryCookie) === id
}

export function endRecovery(cookies: CookieJar): void {
  cookies.expire(recoveryCookie)
}
