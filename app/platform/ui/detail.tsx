import { type ReactNode, useId } from 'react'
import { PageLink } from '../locales/react'

/**
 * The first section of a page about one thing. A link with `data-dialog` to this page opens the section as a
 * modal over the linking page (platform/enhance/dialogs.ts). Without JavaScript, the link opens the page.
 */
export function Detail({
  title,
  back,
  more,
  className = 'column pt-12',
  children,
}: {
  title: ReactNode
  /** The page above this one, which lists things of this kind. A modal has a close button instead. */
  back: { to: string; label: string }
  /** The rest of the page. Only a modal shows this link, as its last line. */
  more?: { to: string; label: ReactNode }
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
      {more && (
        <p className="detail-more">
          <PageLink to={more.to} className="link inline-block py-1 font-semibold">
            {more.label}
          </PageLink>
        </p>
      )}
    </section>
  )
}
