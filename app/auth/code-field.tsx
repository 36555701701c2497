import { Field } from '../forms/field'
import { fieldsOf, type RefusedForm } from '../forms/refusal'

/**
 * The field for a code: of the second factor, unless `hint` names another one. It has no initial value, because a code
 * is valid once.
 */
export function CodeField({
  refused,
  hint = 'The 6-digit code in your app',
}: {
  refused: RefusedForm | undefined
  hint?: string
}) {
  return (
    <Field
      {...fieldsOf(refused)('code')}
      label="Code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      required
      hint={hint}
    />
  )
}
