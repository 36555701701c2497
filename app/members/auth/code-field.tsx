import { useLingui } from '@lingui/react/macro'
import { Field } from '../../platform/forms/field'
import { fieldsOf, type RefusedForm } from '../../platform/forms/refusal'

/**
 * The field for a second-factor code, or for the code that `hint` describes. The field has no initial value,
 * because each code is valid only once.
 */
export function CodeField({ refused, hint }: { refused: RefusedForm | undefined; hint?: string }) {
  const { t } = useLingui()
  return (
    <Field
      {...fieldsOf(refused)('code')}
      label={t`Code`}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      required
      hint={hint ?? t`The 6-digit code in your app`}
    />
  )
}
