import type { ReactNode } from 'react'

/** The head of a page: an h1, a sentence, and optionally a drawing. */
export function PageHeader({
  title,
  tagline,
  badge,
  drawing,
  children,
}: {
  title: string
  tagline: string
  /** A label above the title, such as 'Coming Soon'. */
  badge?: string
  drawing?: ReactNode
  children?: ReactNode
}) {
  return (
    <div
      className={`column grid items-center gap-8 pt-section pb-8 ${drawing ? 'md:grid-cols-[1.3fr_1fr]' : ''}`}
    >
      <div>
        {badge && <p className="badge badge-line mb-4 text-base">{badge}</p>}
        <h1 className="text-title">{title}</h1>
        <p className="mt-4 max-w-[50ch] text-xl text-muted">{tagline}</p>
        {children}
      </div>
      {drawing}
    </div>
  )
}
