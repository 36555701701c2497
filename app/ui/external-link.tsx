import { Icon } from './icon'

const standalone = 'inline-flex min-h-11 items-center'

/** A link to another site; plain text with the reason while its URL is not configured. Empty `className`: in a sentence. */
export function ExternalLink({
  to,
  className = `link ${standalone} gap-1`,
  children,
}: {
  to: string | undefined
  className?: string
  children: string
}) {
  if (!to) return <span className={className && standalone}>{children} (not announced yet)</span>
  return (
    <a href={to} className={className} rel="noopener">
      {children}
      <Icon name="away" size={16} />
    </a>
  )
}
