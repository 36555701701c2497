import * as z from 'zod'
import type { CookieJar } from '../cookies.server'

/** What was typed into the profile's form when the session was lost. It outlives one sign-in, no more. */
const draft = z.object({ member: z.string(), username: z.string(), walletAddress: z.string() })
export type Draft = z.infer<typeof draft>

const draftCookie = 'draft'
const tenMinutes = 600
/** Cookies end at 4 kB: more than this is not kept. */
const longest = 3_000

/** Keeps a draft for the member whose form it was typed into. */
export function keepDraft(cookies: CookieJar, form: FormData): void {
  const typed = draft.safeParse(Object.fromEntries(form))
  if (!typed.success) return
  const value = encodeURIComponent(JSON.stringify(typed.data))
  if (value.length <= longest) cookies.set(draftCookie, value, { maxAge: tenMinutes })
}

/** The draft of `memberId`. Another member's is not shown, and thrown away. */
export function readDraft(cookies: CookieJar, memberId: string): Draft | null {
  const value = cookies.get(draftCookie)
  if (value === undefined) return null
  try {
    const kept = draft.parse(JSON.parse(decodeURIComponent(value)))
    if (kept.member === memberId) return kept
  } catch {
    // not ours: dropped below
  }
  dropDraft(cookies)
  return null
}

export function dropDraft(cookies: CookieJar): void {
  if (cookies.get(draftCookie) !== undefined) cookies.expire(draftCookie)
}
