import type { SubmissionResult } from '@conform-to/react'
import type { Notice } from './notice'

/**
 * The result of an action for a form that it did not accept. `notice` is null after an accepted step of a
 * form with several steps.
 */
export interface RefusedForm {
  /** Unique, so that a second refusal shows a new toast and resets the form. */
  id: string
  lastResult?: SubmissionResult<string[]> | undefined
  notice: Notice | null
  /** The status of the response. */
  status?: number | undefined
}

/**
 * The attributes of one field: its name, its value (after a refusal, the submitted value) and its message.
 */
export interface FieldState {
  name: string
  defaultValue: string | undefined
  error: string | undefined
  /** The language of the message, if it differs from the language of the page. */
  errorLang: 'en' | undefined
}

/**
 * Returns a function that reads the state of a field from a refused form. Without submitted values, the value
 * of a field is `initial`.
 */
export function fieldsOf(
  refused: RefusedForm | undefined,
): (name: string, initial?: string | undefined) => FieldState {
  const { initialValue, error } = refused?.lastResult ?? {}
  const errors = error as Partial<Record<string, string[]>> | null | undefined
  return (name, initial) => ({
    name,
    defaultValue: initialValue ? asText(initialValue[name]) : initial,
    error: errors?.[name]?.[0],
    errorLang: errors?.[name]?.[0] === refused?.notice?.text ? refused?.notice?.lang : undefined,
  })
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
