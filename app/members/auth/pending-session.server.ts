import * as z from 'zod/mini'
import type { CookieJar } from '../../platform/server/cookies.server'
import { parseSession, type Session } from './session.server'

const pendingSessionCookie = 'pending-session'
const fiveMinutes = 300

/** The fields in the fragment of an implicit-flow URL, which form a session. Numbers are text. */
const fragment = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z._default(z.string(), 'bearer'),
  expires_in: z._default(z.coerce.number(), 3600),
  expires_at: z.optional(z.coerce.number()),
})

/** The tokens in an implicit-flow URL, as a session; null if the tokens are invalid. */
export function parseFragment(form: FormData): Session | null {
  const parsed = fragment.safeParse(Object.fromEntries(form))
  return parsed.success ? parseSession(parsed.data) : null
}

/**
 * Stores a session from a URL until the visitor confirms it. Without this confirmation the session does not
 * replace the current session, because a link must not sign a visitor in to someone else's account.
 */
export function savePendingSession(cookies: CookieJar, session: Session): void {
  cookies.setJson(pendingSessionCookie, session, { maxAge: fiveMinutes })
}

export function readPendingSession(cookies: CookieJar): Session | null {
  return parseSession(cookies.getJson(pendingSessionCookie))
}

export function clearPendingSession(cookies: CookieJar): void {
  cookies.expire(pendingSessionCookie)
}
