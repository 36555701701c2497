import * as z from 'zod'
import type { CookieJar } from '../cookies.server'
import { mailPurposes } from './mail.server'

const waiting = z.object({
  email: z.string(),
  purpose: z.enum(mailPurposes),
  redirectTo: z.string().nullable(),
})

/** Who waits for which mail in this browser, and where they were going. */
export type Waiting = z.infer<typeof waiting>

const waitingCookie = 'waiting'
/** As long as the mailed code is good for. */
const oneHour = 3_600

/** A cookie, and not the page: whoever goes to read mail on a phone comes back to a page that is loaded anew. */
export function keepWaiting(cookies: CookieJar, who: Waiting): void {
  const kept = cookies.setJson(waitingCookie, who, { maxAge: oneHour })
  if (!kept) cookies.setJson(waitingCookie, { ...who, redirectTo: null }, { maxAge: oneHour })
}

export function readWaiting(cookies: CookieJar): Waiting | null {
  return waiting.safeParse(cookies.getJson(waitingCookie)).data ?? null
}

export function dropWaiting(cookies: CookieJar): void {
  cookies.expire(waitingCookie)
}
