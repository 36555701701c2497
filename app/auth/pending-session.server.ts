import * as z from 'zod'
import type { CookieJar } from '../server/cookies.server'
import { parseSession, type Session } from './session.server'

const pendingSessionCookie = 'offer'
const fiveMinutes = 300

/** What an address of the implicit flow carries, as far as it makes a session. Numbers arrive as text. */
const fragment = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.string().default('bearer'),
  expires_in: z.coerce.number().default(3600),
  expires_at: z.coerce.number().optional(),
})

/** The tokens of an address as a session that may be offered, or null where they are none. */
export function parseFragment(form: FormData): Session | null {
  const parsed = fragment.safeParse(Object.fromEntries(form))
  return parsed.success ? parseSession(parsed.data) : null
}

/**
 * Keeps a session that an address brought until its visitor says yes to it. It never becomes one by itself:
 * a link must not be able to sign somebody in as somebody else.
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
