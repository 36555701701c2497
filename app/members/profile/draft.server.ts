import * as z from 'zod/mini'
import type { CookieJar } from '../../platform/server/cookies.server'

/** The submitted values of the profile form, kept while the member signs in again. */
const draft = z.object({ member: z.string(), username: z.string(), walletAddress: z.string() })
export type Draft = z.infer<typeof draft>

const draftCookie = 'draft'
const tenMinutes = 600

/** Stores a draft for the member that the form names. */
export function keepDraft(cookies: CookieJar, form: FormData): void {
  const typed = draft.safeParse(Object.fromEntries(form))
  if (typed.success) cookies.setJson(draftCookie, typed.data, { maxAge: tenMinutes })
}

/** The draft of `memberId`, or null. Deletes a draft that belongs to another member. */
export function readDraft(cookies: CookieJar, memberId: string): Draft | null {
  const stored = draft.safeParse(cookies.getJson(draftCookie)).data
  if (stored?.member === memberId) return stored
  dropDraft(cookies)
  return null
}

export function dropDraft(cookies: CookieJar): void {
  cookies.expire(draftCookie)
}
