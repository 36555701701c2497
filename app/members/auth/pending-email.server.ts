import * as z from 'zod/mini'
import type { CookieJar } from '../../platform/server/cookies.server'
import { emailPurposes } from './email.server'

const pendingEmail = z.object({
  email: z.string(),
  purpose: z.enum(emailPurposes),
  redirectTo: z.nullable(z.string()),
})

/** An email that this browser has requested, and the page that the visitor had requested before. */
export type PendingEmail = z.infer<typeof pendingEmail>

const pendingEmailCookie = 'pending-email'
/** In seconds: the lifetime of a mailed code. */
const oneHour = 3_600

/** Stores the request in a cookie: a phone may load the page again after the email was read. */
export function savePendingEmail(cookies: CookieJar, pending: PendingEmail): void {
  const saved = cookies.setJson(pendingEmailCookie, pending, { maxAge: oneHour })
  if (!saved) cookies.setJson(pendingEmailCookie, { ...pending, redirectTo: null }, { maxAge: oneHour })
}

export function readPendingEmail(cookies: CookieJar): PendingEmail | null {
  return pendingEmail.safeParse(cookies.getJson(pendingEmailCookie)).data ?? null
}

export function clearPendingEmail(cookies: CookieJar): void {
  cookies.expire(pendingEmailCookie)
}
