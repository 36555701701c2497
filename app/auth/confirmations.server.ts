const rememberedFor = 60_000
const mostRemembered = 2_000

/**
 * What the auth service confirmed last, and when: a session at its level (viewer.server.ts), or an access token that only
 * the service can verify (identity.server.ts).
 */
const confirmed = new Map<string, { memberId: string; at: number }>()

/** True if the service confirmed it within the last minute, to this isolate. */
export function isConfirmed(key: string): boolean {
  return Date.now() - (confirmed.get(key)?.at ?? 0) < rememberedFor
}

export function rememberConfirmation(key: string, memberId: string): void {
  confirmed.delete(key)
  confirmed.set(key, { memberId, at: Date.now() })
  const [oldest] = confirmed.keys()
  if (confirmed.size > mostRemembered && oldest !== undefined) confirmed.delete(oldest)
}

/**
 * Discards the confirmations of a member's sessions in this isolate. Called when sessions may have ended, and
 * when a factor was added, because the member's older sessions have not verified the factor.
 */
export function forgetSessions(memberId: string): void {
  for (const [key, { memberId: owner }] of confirmed) if (owner === memberId) confirmed.delete(key)
}
