import { Icon } from './icon'

/** A link to another site; plain text with the reason while its URL is not configured. */
export function ExternalLink({
  to,
  className = 'link inline-flex min-h-11 items-center gap-1',
  children,
}: {
  to: string | undefined
  className?: string
  children: string
}) {
  if (!to) return <span className="inline-flex min-h-11 items-center">{children} (not announced yet)</span>
  return (
    <a href={to} className={className} rel="noopener">
      {children}
      <Icon name="away" size={16} />
    </a>
  )
}
