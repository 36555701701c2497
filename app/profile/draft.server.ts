import * as z from 'zod'
import type { CookieJar } from '../server/cookies.server'

/** What was typed into the profile's form when the session was lost. It outlives one sign-in, no more. */
const draft = z.object({ member: z.string(), username: z.string(), walletAddress: z.string() })
export type Draft = z.infer<typeof draft>

const draftCookie = 'draft'
const tenMinutes = 600

/** Keeps a draft for the member whose form it was typed into. */
export function keepDraft(cookies: CookieJar, form: FormData): void {
  const typed = draft.safeParse(Object.fromEntries(form))
  if (typed.success) cookies.setJson(draftCookie, typed.data, { maxAge: tenMinutes })
}

/** The draft of `memberId`. Another member's is not shown, and thrown away. */
export function readDraft(cookies: CookieJar, memberId: string): Draft | null {
  const kept = draft.safeParse(cookies.getJson(draftCookie)).data
  if (kept?.member === memberId) return kept
  dropDraft(cookies)
  return null
}

export function dropDraft(cookies: CookieJar): void {
  cookies.expire(draftCookie)
}
