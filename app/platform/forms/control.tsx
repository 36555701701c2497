import { Trans } from '@lingui/react/macro'
import type { InputHTMLAttributes, ReactNode } from 'react'
import { Sentence } from '../locales/react'
import type { FieldState } from './refusal'

/** A labelled field: its state (refusal.ts) and its words. */
export interface ControlProps extends Partial<FieldState> {
  name: string
  /** The id of the control, if the page has several controls with this name. */
  id?: string
  label: string
  hint?: string | undefined
  /** What is wrong with the stored value; shown unless the form was refused because of this field. */
  note?: string | undefined
  optional?: boolean
  children: (attributes: ReturnType<typeof attributesOf>) => ReactNode
}

/** A labelled control with its hint and its faults. */
export function Control({ children, ...props }: ControlProps) {
  const { label, hint, error, errorLang, optional } = props
  const attributes = attributesOf(props)
  const { id } = attributes
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
        {optional && <Optional />}
      </label>
      {children(attributes)}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          <Sentence>{hint}</Sentence>
        </p>
      )}
      <FieldFault id={`${id}-error`} lang={errorLang}>
        {error}
      </FieldFault>
      <FieldFault id={`${id}-note`}>{noteOf(props)}</FieldFault>
    </div>
  )
}

/** Says beside a label that the field may be empty. */
export function Optional() {
  return (
    <span className="font-normal text-muted">
      {' '}
      <Trans>(optional)</Trans>
    </span>
  )
}

/** A box to tick, with its words. */
export function Tick({ children, ...input }: InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type="checkbox" value="yes" {...input} className="size-5 shrink-0" />
      {children}
    </label>
  )
}

/** What is wrong with a field, below it. */
export function FieldFault({
  id,
  lang,
  children,
}: {
  id: string
  lang?: 'en' | undefined
  children: string | undefined
}) {
  if (!children) return null
  return (
    <p id={id} lang={lang} className="text-sm font-semibold text-bad">
      <Sentence>{children}</Sentence>
    </p>
  )
}

const noteOf = ({ error, note }: Omit<ControlProps, 'children'>) => (error ? undefined : note)

/**
 * The attributes that connect a control with its label, hint and faults. The first invalid field gets the
 * focus, even without JavaScript (`autofocus`).
 */
function attributesOf(props: Omit<ControlProps, 'children'>) {
  const { name, id = name, hint, error, defaultValue, isFirst = Boolean(error) } = props
  const described = [error && `${id}-error`, noteOf(props) && `${id}-note`, hint && `${id}-hint`]
  return {
    id,
    name,
    defaultValue,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
    autoFocus: isFirst || undefined,
  }
}
