import { createContext, type ReactNode, useContext } from 'react'
import { useLanguage } from '../platform/locales/react'
import { type Explorer, type ExplorerKind, explorerLink } from './explorer'

/** The block explorer that the site links to. The root provides it to all pages. */
export const ExplorerContext = createContext<Explorer>(null)

/** A link to the explorer's page about `value`; without one, `plain`, by default the link's text. */
export function ExplorerLink({
  kind,
  value,
  title,
  className = 'link',
  children = value,
  plain = children,
}: {
  kind: ExplorerKind
  value: string
  title?: string
  className?: string
  children?: ReactNode
  plain?: ReactNode
}) {
  const explorer = useContext(ExplorerContext)
  const { href } = useLanguage()
  const link = explorerLink(explorer, kind, value)
  return link ? (
    <a href={explorer ? link : href(link)} title={title} className={className} rel="noopener">
      {children}
    </a>
  ) : (
    plain
  )
}
