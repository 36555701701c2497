import type { ReactNode } from 'react'
import { FieldFault, Tick } from '../platform/forms/control'
import type { FieldState } from '../platform/forms/refusal'

/** What an operator must confirm before the button of an act. */
export function MustTick({
  name,
  error,
  isFirst,
  defaultValue,
  children,
}: FieldState & { children: ReactNode }) {
  return (
    <div className="grid gap-1.5 *:font-semibold">
      <Tick
        name={name}
        required
        defaultChecked={defaultValue === 'yes'}
        aria-invalid={error ? true : undefined}
        aria-describedby={error && `${name}-error`}
        autoFocus={isFirst}
      >
        <span>{children}</span>
      </Tick>
      <FieldFault id={`${name}-error`}>{error}</FieldFault>
    </div>
  )
}
