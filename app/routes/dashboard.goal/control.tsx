import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { fieldAttributes } from '~/forms/field'
import { Sentence } from '~/locales/react'

interface ControlProps {
  name: string
  label: string
  hint?: string | undefined
  /** Why the form was refused. The field then takes the focus. */
  error?: string | undefined
  /** What is wrong with the stored value. */
  note?: string | undefined
  optional?: boolean
  children: (attributes: ReturnType<typeof fieldAttributes>) => ReactNode
}

/** A labelled control with its hint and its faults. */
export function Control({ name, label, hint, error, note, optional, children }: ControlProps) {
  const attributes = fieldAttributes(name, { ...(hint !== undefined && { hint }), error })
  const shownNote = error ? undefined : note
  const described = [attributes['aria-describedby'], shownNote && `${name}-note`].filter(Boolean).join(' ')
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={name} className="font-semibold">
        {label}
        {optional && (
          <span className="font-normal text-muted">
            {' '}
            <Trans>(optional)</Trans>
          </span>
        )}
      </label>
      {children({ ...attributes, 'aria-describedby': described || undefined })}
      {hint && (
        <p id={`${name}-hint`} className="text-sm text-muted">
          <Sentence>{hint}</Sentence>
        </p>
      )}
      <Fault id={`${name}-error`}>{error}</Fault>
      <Fault id={`${name}-note`}>{shownNote}</Fault>
    </div>
  )
}

function Fault({ id, children }: { id: string; children: string | undefined }) {
  if (!children) return null
  return (
    <p id={id} className="text-sm font-semibold text-bad">
      <Sentence>{children}</Sentence>
    </p>
  )
}
