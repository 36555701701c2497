import type { Submission, SubmissionResult } from '@conform-to/react'
import type { Notice } from './notice'

/**
 * The first issue of a refused form, as its one message (spec §5), with the values kept but for `hidden`
 * ones. Fields are asked in the order given: the order of the form.
 */
export function refuse<T>(
  submission: Submission<T>,
  fields: readonly string[],
  hidden: readonly string[] = [],
): { lastResult: SubmissionResult<string[]>; notice: Notice } {
  const errors = submission.error ?? {}
  const field = fields.find((name) => errors[name]?.length) ?? Object.keys(errors)[0] ?? ''
  const text = errors[field]?.[0] ?? 'This form could not be read.'
  const result = submission.reply({ hideFields: hidden as never })
  return {
    lastResult: { ...result, error: { [field]: [text] } } as SubmissionResult<string[]>,
    notice: { title: 'Validation Error', text, destructive: true },
  }
}
