import type { ReactNode } from 'react'
import { PageLink } from '../locales/react'
import { Arrow } from './arrow'
import { Pictogram, type PictogramName } from './pictogram'

/** One option in a list. Without `to`, the option cannot be chosen. */
export function Choice({
  to,
  picture,
  name,
  children,
}: {
  to: string | null
  picture: PictogramName
  name: ReactNode
  children: ReactNode
}) {
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-hairline py-4">
      <span className="icon-block">
        <Pictogram name={picture} />
      </span>
      <p className="min-w-0 flex-1">
        {to === null ? (
          <strong>{name}</strong>
        ) : (
          <PageLink to={to} className="inline-block cover py-0.5 font-semibold hover:underline">
            {name}
          </PageLink>
        )}{' '}
        <span className="block text-muted">{children}</span>
      </p>
      {to !== null && <Arrow className="ms-auto text-xl" />}
    </li>
  )
}
