import type { ReactNode } from 'react'

/** A page of one narrow sheet. `before`: what is above the sheet, such as a toast. */
export function NarrowSheet({
  title,
  before,
  className = 'text-center',
  children,
}: {
  title: string
  before?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <div className="column grid justify-items-center py-section">
      {before}
      <section className={`sheet w-full max-w-md ${className}`} aria-labelledby="sheet-title">
        <h1 id="sheet-title" className="text-heading">
          {title}
        </h1>
        {children}
      </section>
    </div>
  )
}
