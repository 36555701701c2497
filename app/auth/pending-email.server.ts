import * as z from 'zod'
import type { CookieJar } from '../server/cookies.server'
import { emailPurposes } from './email.server'

const waiting = z.object({
  email: z.string(),
  purpose: z.enum(emailPurposes),
  redirectTo: z.string().nullable(),
})

/** Who waits for which mail in this browser, and where they were going. */
export type PendingEmail = z.infer<typeof waiting>

const pendingEmailCookie = 'waiting'
/** As long as the mailed code is good for. */
const oneHour = 3_600

/** A cookie, and not the page: whoever goes to read mail on a phone comes back to a page that is loaded anew. */
export function savePendingEmail(cookies: CookieJar, who: PendingEmail): void {
  const kept = cookies.setJson(pendingEmailCookie, who, { maxAge: oneHour })
  if (!kept) cookies.setJson(pendingEmailCookie, { ...who, redirectTo: null }, { maxAge: oneHour })
}

export function readPendingEmail(cookies: CookieJar): PendingEmail | null {
  return waiting.safeParse(cookies.getJson(pendingEmailCookie)).data ?? null
}

export function clearPendingEmail(cookies: CookieJar): void {
  cookies.expire(pendingEmailCookie)
}
