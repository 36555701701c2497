import { Field } from '../forms/field'
import { fieldsOf, type RefusedForm } from '../forms/refusal'

/** The field for a TOTP code. It has no initial value: a code is valid once. */
export function CodeField({ refused }: { refused: RefusedForm | undefined }) {
  return (
    <Field
      {...fieldsOf(refused)('code')}
      label="Code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      required
      hint="The 6-digit code in your app"
    />
  )
}
