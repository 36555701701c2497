import type { ReactNode } from 'react'

/**
 * A button of FundMe, which is not open yet. `aria-disabled` and not `disabled`, so that a keyboard reaches it and its
 * reason is read. `why` is the id of the reason. It is no submit button, so it does nothing.
 */
export function ClosedButton({
  why,
  className = '',
  children,
}: {
  why: string
  className?: string
  children: ReactNode
}) {
  return (
    <button type="button" className={`button ${className}`} aria-disabled="true" aria-describedby={why}>
      {children}
    </button>
  )
}
