import type { Notice } from './notice'

/** The action's result for a form that it did not accept. `notice`: null after a step that it accepted. */
export interface RefusedForm {
  /** Unique, so that a second refusal shows a new toast and resets the form. */
  id: string
  /** The submitted values, without secrets; null for a form whose values are not repeated. */
  values: Record<string, string> | null
  /** The message of each faulty field, in the order of the form. */
  errors: Record<string, string>
  notice: Notice | null
  /** The status of the response. */
  status?: number | undefined
}

/** A field's name, its value (after a refusal, the submitted value) and its message. */
export interface FieldState {
  name: string
  defaultValue: string | undefined
  error: string | undefined
  /** The language of the message, if it differs from the language of the page. */
  errorLang: 'en' | undefined
  /** True for the first faulty field, which takes the focus. */
  isFirst: boolean
}

/** Makes a function that reads a field's state from a refused form. Without its values: `initial`. */
export function fieldsOf(
  refused: RefusedForm | undefined,
): (name: string, initial?: string | undefined) => FieldState {
  const { values, errors = {}, notice } = refused ?? {}
  const [first] = Object.keys(errors)
  return (name, initial) => ({
    name,
    defaultValue: values ? values[name] : initial,
    error: errors[name],
    errorLang: errors[name] === notice?.text ? notice?.lang : undefined,
    isFirst: name === first,
  })
}
