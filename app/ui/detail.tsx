import { type ReactNode, useId } from 'react'
import { PageLink } from '../locales/react'

/**
 * The first section of a page about one thing. A link with `data-dialog` to this page opens the section as a
 * modal over the linking page (enhance/dialogs.ts). Without JavaScript, the link opens the page.
 */
export function Detail({
  title,
  back,
  className = 'column pt-12',
  children,
}: {
  title: ReactNode
  /**
   * The page above this one, which lists things of this kind. A modal has a close button instead of this
   * link.
   */
  back: { to: string; label: string }
  className?: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className={className} aria-labelledby={id} data-detail="">
      <p className="detail-back">
        <PageLink to={back.to} className="link inline-block py-1">
          {back.label}
        </PageLink>
      </p>
      <h1 id={id} className="detail-title text-title">
        {title}
      </h1>
      {children}
    </section>
  )
}
