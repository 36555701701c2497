import type { CookieJar } from '../server/cookies.server'

const recoveryCookie = 'recovery'
const oneHour = 3_600

/**
 * Remembers that a recovery link or an invitation has signed the member in ('PASSWORD_RECOVERY'), so that the
 * page for a new password opens.
 */
export function beginRecovery(cookies: CookieJar, memberId: string): void {
  cookies.set(recoveryCookie, memberId, { maxAge: oneHour })
}

export function isRecovering(cookies: CookieJar, memberId: string): boolean {
  return cookies.get(recoveryCookie) === memberId
}

export function endRecovery(cookies: CookieJar): void {
  cookies.expire(recoveryCookie)
}
