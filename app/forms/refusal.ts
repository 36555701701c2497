import type { SubmissionResult } from '@conform-to/react'

export type FieldErrors = Partial<Record<string, string[]>>

/** The messages of a refused form by field; none for a form that was not refused. */
export function fieldErrors(refused: { lastResult?: SubmissionResult<string[]> } | undefined): FieldErrors {
  return (refused?.lastResult?.error as FieldErrors | null | undefined) ?? {}
}
