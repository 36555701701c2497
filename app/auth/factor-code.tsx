import { Field } from '../forms/field'

/** The field for a code of six digits. What was typed never comes back: a code is for once. */
export function CodeField({ error }: { error: string | undefined }) {
  return (
    <Field
      label="Code"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      required
      hint="The six digits that your app shows right now"
      error={error}
    />
  )
}
