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
/** Cookies end at 4 kB. */
const longest = 3_000

/** A cookie, and not the page: whoever goes to read mail on a phone comes back to a page that is loaded anew. */
export function keepWaiting(cookies: CookieJar, who: Waiting): void {
  const value = encodeURIComponent(JSON.stringify(who))
  if (value.length <= longest) cookies.set(waitingCookie, value, { maxAge: oneHour })
  else if (who.redirectTo) keepWaiting(cookies, { ...who, redirectTo: null })
}

export function readWaiting(cookies: CookieJar): Waiting | null {
  try {
    return waiting.parse(JSON.parse(decodeURIComponent(cookies.get(waitingCookie) ?? '')))
  } catch {
    return null
  }
}

export function dropWaiting(cookies: CookieJar): void {
  if (cookies.get(waitingCookie) !== undefined) cookies.expire(waitingCookie)
}
