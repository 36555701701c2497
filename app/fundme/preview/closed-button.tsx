import type { ReactNode } from 'react'

/**
 * A button of FundMe, which is not open yet. It is `aria-disabled` and not `disabled`, so that the keyboard reaches it
 * and a screen reader reads the reason. `why` is the id of the element with the reason. A click does nothing.
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
