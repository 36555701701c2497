import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'

/** The title of a subpage, with a link to the page above. */
export function PageHead({
  back,
  title,
  children,
}: {
  back: { to: string; label: string }
  title: ReactNode
  children?: ReactNode
}) {
  return (
    <div>
      <p>
        <Link to={back.to} className="link">
          {back.label}
        </Link>
      </p>
      <h1 className="mt-2 text-title">{title}</h1>
      {children}
    </div>
  )
}
