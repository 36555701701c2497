import { msg } from '@lingui/core/macro'
import * as z from 'zod'
import type { I18n, Text } from '../locales/i18n'
import { isPrintable } from '../printable'
import type { Data } from '../server/data.server'
import { isComplaintReason } from './complaint-reasons'

const shortest = 10
const longest = 1_000

/** The values that a visitor entered for a complaint about a goal. */
export interface Complaint {
  reason: string
  text: string
}

/** Reads the entered complaint from the form, and converts the browser's line endings for the database. */
export function typedComplaint(form: FormData): Complaint {
  const typed = (name: string) => String(form.get(name) ?? '')
  return { reason: typed('reason'), text: typed('text').replace(/\r\n?/g, '\n').trim() }
}

/** The first invalid field of a complaint and the error message; null if all fields are valid. */
export function faultOfComplaint(
  { reason, text }: Complaint,
  i18n: I18n,
): { field: 'reason' | 'text'; sentence: string } | null {
  const fault = (field: 'reason' | 'text', sentence: Text) => ({ field, sentence: i18n._(sentence) })
  if (!isComplaintReason(reason)) return fault('reason', msg`Choose a reason.`)
  const length = [...text].length
  if (length < shortest) return fault('text', msg`Write at least ${shortest} characters.`)
  if (length > longest) return fault('text', msg`Write at most 1,000 characters. These are ${length}.`)
  if (!isPrintable(text, true)) return fault('text', msg`Leave out control and direction characters.`)
  return null
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
  { reason, text }: Complaint,
): Promise<{ status: number; sentence: Text } | 'none' | null> {
  const done = await data.command('complain', made, { goal, reason, words: text })
  if ('value' in done) return null
  if (done.code === 'not_found') return 'none'
  const known = Object.hasOwn(refusals, done.code) ? refusals[done.code] : undefined
  return known ?? notStored
}
