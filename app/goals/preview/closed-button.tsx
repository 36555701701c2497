import type { ReactNode } from 'react'

/**
 * A FundMe button while FundMe is closed. A click does nothing. The button is `aria-disabled` and not
 * `disabled`, so that the keyboard can reach the button and a screen reader reads the reason. `why` is the id
 * of the element with the reason.
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
