import { parseWithZod } from '@conform-to/zod/v4'
import { msg } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { text } from '../platform/forms/text'
import type { Text } from '../platform/locales/i18n'
import type { Language } from '../platform/locales/language'
import type { Data } from '../platform/server/data.server'
import { isComplaintReason } from './complaint-reasons'

const shortest = 10
const tooShort = msg`Write at least ${shortest} characters.`

/** Reads a complaint about a goal from the form. */
export function parseComplaint(form: FormData, language: Language) {
  const noReason = language.i18n._(msg`Choose a reason.`)
  const words = {
    missing: tooShort,
    short: tooShort,
    long: (length: string) => msg`Write at most 1,000 characters. These are ${length}.`,
    characters: msg`Leave out control and direction characters.`,
  }
  return parseWithZod(form, {
    schema: z.object({
      reason: z.string(noReason).check(z.refine(isComplaintReason, noReason)),
      text: text({ label: '', shortest, longest: 1_000, hasLines: true, words }, language),
    }),
  })
}

const refusals: Record<string, { status: number; sentence: Text }> = {
  own_goal: { status: 400, sentence: msg`This is your own goal. You can end it on your dashboard.` },
  exists: {
    status: 409,
    sentence: msg`You reported this goal already, and operators haven't decided yet. Thank you.`,
  },
  too_many: { status: 429, sentence: msg`You reported five goals today. Please try again tomorrow.` },
}

const notStored = {
  status: 503,
  sentence: msg`We can't store this right now. Nothing that you typed is lost: please try again in a moment.`,
}

const made = z.object({ state: z.literal('made') })

/**
 * Stores a complaint of the signed-in member. Returns null if the complaint was stored, 'none' if the goal is
 * not public, or the reason why the complaint was not stored.
 */
export async function complain(
  data: Data,
  goal: string,
  complaint: { reason: string; text: string },
): Promise<{ status: number; sentence: Text } | 'none' | null> {
  const { reason, text: words } = complaint
  const done = await data.command('complain', made, { goal, reason, words })
  if ('value' in done) return null
  if (done.code === 'not_found') return 'none'
  const known = Object.hasOwn(refusals, done.code) ? refusals[done.code] : undefined
  return known ?? notStored
}
