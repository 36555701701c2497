import type { InputHTMLAttributes, ReactNode } from 'react'
import { Sentence } from '../locales/react'

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  name: string
  hint?: string
  /** The message of the refused form, if it belongs to this field. */
  error?: string | undefined
  /** The language of the message, if it differs from the language of the page. */
  errorLang?: 'en' | undefined
  /** A button at the end of the input. */
  control?: ReactNode
}

/** A labelled input with its hint and its error message. */
export function Field({ label, hint, error, errorLang, control, ...input }: FieldProps) {
  const { name } = input
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={name} className="font-semibold">
        {label}
      </label>
      <div className="relative">
        <input
          type="text"
          {...input}
          {...fieldAttributes(name, { hint, error })}
          className={control ? 'field pe-24' : 'field'}
        />
        {control}
      </div>
      {hint && (
        <p id={`${name}-hint`} className="text-sm text-muted">
          <Sentence>{hint}</Sentence>
        </p>
      )}
      {error && (
        <p id={`${name}-error`} lang={errorLang} className="text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

/**
 * The attributes that connect a control with its label, hint and error. The first invalid field gets the
 * focus, even without JavaScript (`autofocus`).
 */
export function fieldAttributes(name: string, { hint, error }: Pick<FieldProps, 'hint' | 'error'>) {
  const described = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ')
  return {
    id: name,
    name,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': described || undefined,
    autoFocus: error ? true : undefined,
  }
}
