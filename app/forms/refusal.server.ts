import type { Submission, SubmissionResult } from '@conform-to/react'
import { msg } from '@lingui/core/macro'
import { data } from '@remix-run/cloudflare'
import type { I18n } from '../locales/i18n'
import type { Notice } from './notice'

/** The response to a form that is not accepted: the values and messages for the form, and a toast. */
export function formError<Extra extends object = object>(
  lastResult: SubmissionResult<string[]>,
  notice: Notice,
  status: number,
  extra?: Extra,
) {
  return data({ id: crypto.randomUUID(), lastResult, notice, status, ...(extra as Extra) }, status)
}

/** The message for a form that lacks fields that the page has. */
export const unreadableForm = msg`Something's wrong with this form. Please reload the page.`

/**
 * The response to a form with invalid values: a 400 with the first issue as its only message (spec §8) and
 * the submitted values, without the values of `hidden` fields. `fields` are in the order of the form.
 */
export function validationError<T, Extra extends object = object>(
  submission: Submission<T>,
  i18n: I18n,
  fields: readonly string[],
  hidden: readonly string[] = [],
  extra?: Extra,
) {
  const errors: Record<string, string[] | null> = (submission.status === 'error' && submission.error) || {}
  const field = fields.find((name) => errors[name]?.length) ?? Object.keys(errors)[0] ?? ''
  const text = errors[field]?.[0] ?? i18n._(unreadableForm)
  // conform requires a tuple of `T`'s keys as the names of the hidden fields.
  const result = submission.reply({ hideFields: hidden as never })
  const notice = { title: i18n._(msg`Validation Error`), text, destructive: true }
  return formError({ ...result, error: { [field]: [text] } }, notice, 400, extra)
}
