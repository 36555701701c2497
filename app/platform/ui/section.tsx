import type { ReactNode } from 'react'

interface SectionProps {
  id?: string
  /** The id of the heading, which names the section. */
  heading: string
  title: ReactNode
  /** The kinds of live data in this section (platform/live/state.ts), separated by spaces. */
  live?: string
  /** The age of the data, shown beside the heading. */
  age?: ReactNode
  children: ReactNode
}

/** A section of a page, as wide as the page. `className`: the layout and the space above. */
export function Section({
  id,
  heading,
  title,
  live,
  age,
  className = 'pt-section',
  children,
}: SectionProps & { className?: string }) {
  return (
    <section
      id={id}
      data-live={live}
      className={className ? `column ${className}` : 'column'}
      aria-labelledby={heading}
    >
      <div className="heading-line">
        <h2 id={heading} className="text-heading">
          {title}
        </h2>
        {age}
      </div>
      {children}
    </section>
  )
}

/** A part of a page about one thing, such as a pool or a row of the ledger. */
export function Part({
  id,
  title,
  live,
  age,
  className = 'column pt-12',
  children,
}: Omit<SectionProps, 'heading'> & { title: string; className?: string }) {
  return (
    <section id={id} data-live={live} className={className} aria-label={title}>
      <div className="heading-line">
        <h2 className="text-heading">{title}</h2>
        {age}
      </div>
      {children}
    </section>
  )
}

/** A section on a sheet. `action`: a control beside the heading. */
export function Sheet({
  heading,
  title,
  action,
  className,
  children,
}: Pick<SectionProps, 'heading' | 'title' | 'children'> & { action?: ReactNode; className?: string }) {
  const name = (
    <h2 id={heading} className="text-heading">
      {title}
    </h2>
  )
  return (
    <section className={className ? `sheet ${className}` : 'sheet'} aria-labelledby={heading}>
      {action === undefined ? (
        name
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-4">
          {name}
          {action}
        </div>
      )}
      {children}
    </section>
  )
}
