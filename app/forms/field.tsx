import type { InputHTMLAttributes } from 'react'

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  name: string
  hint?: string
  /** The one message of the form, where it is this field's. */
  error?: string | undefined
}

/** A labelled input that says what is wrong with it. The field at fault takes the focus, without script too. */
export function Field({ label, name, hint, error, ...input }: FieldProps) {
  const described = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ')
  return (
    <div className="grid gap-1.5">
      <label htmlFor={name} className="font-semibold">
        {label}
      </label>
      <input
        {...input}
        id={name}
        name={name}
        className="field"
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        // biome-ignore lint/a11y/noAutofocus: only after a refusal, where the reader has to go next
        autoFocus={error ? true : undefined}
      />
      {hint && (
        <p id={`${name}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${name}-error`} className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </div>
  )
}
