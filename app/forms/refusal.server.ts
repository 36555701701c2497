import type { Submission, SubmissionResult } from '@conform-to/react'
import type { Notice } from './notice'

type Refusal = ReturnType<typeof formError>

/** What every refused form's answer has: an id, so that a second refusal is a new one to the page. */
export function formError(lastResult: SubmissionResult<string[]>, notice: Notice) {
  return { id: crypto.randomUUID(), lastResult, notice }
}

/**
 * The first issue of a refused form, as its one message (spec §5), with the values kept but for `hidden`
 * ones. Fields are asked in the order given: the order of the form.
 */
export function validationError<T>(
  submission: Submission<T>,
  fields: readonly string[],
  hidden: readonly string[] = [],
): Refusal {
  const errors: Record<string, string[] | null> = (submission.status === 'error' && submission.error) || {}
  const field = fields.find((name) => errors[name]?.length) ?? Object.keys(errors)[0] ?? ''
  const text = errors[field]?.[0] ?? 'This form could not be read.'
  const result = submission.reply({ hideFields: hidden as never })
  return formError(
    { ...result, error: { [field]: [text] } },
    { title: 'Validation Error', text, destructive: true },
  )
}
