import type { CookieJar } from '../server/cookies.server'

const recoveryCookie = 'recovery'
const oneHour = 3_600

/**
 * Lets a member choose a password without the current one, since they came by a recovery link
 * ('PASSWORD_RECOVERY'). The token does not say so itself: its `amr` is the same for every mailed link.
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
