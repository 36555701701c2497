import { useLingui } from '@lingui/react/macro'
import { Control } from '../../platform/forms/control'
import { Field } from '../../platform/forms/field'
import { fieldsOf, type RefusedForm } from '../../platform/forms/refusal'
import type { Factor } from './factor'

/** The fields of a second factor's code. `challengeId`: the challenge that a wrong code left open. */
export function FactorFields({
  factors,
  refused,
  challengeId,
}: {
  factors: Factor[]
  refused: RefusedForm | undefined
  challengeId: string | undefined
}) {
  const { t } = useLingui()
  return (
    <>
      {factors.length > 1 ? (
        <Control {...fieldsOf(refused)('factorId')} label={t`App`}>
          {(attributes) => (
            <select {...attributes} className="field">
              {factors.map(({ id, name }) => (
                <option key={id} value={id} dir="auto" lang="">
                  {name}
                </option>
              ))}
            </select>
          )}
        </Control>
      ) : (
        <input type="hidden" name="factorId" value={factors[0]?.id} />
      )}
      {challengeId && <input type="hidden" name="challengeId" value={challengeId} />}
      <CodeField refused={refused} />
    </>
  )
}

/**
 * The field for the code of a second factor, or for the code that `hint` describes. It has no initial value,
 * because a code is valid once.
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
