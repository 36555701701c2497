import { Trans } from '@lingui/react/macro'
import { Icon } from './icon'

/** A link to another site, or plain text with the reason if the site's URL is not configured. */
export function ExternalLink({
  to,
  inSentence = false,
  className,
  children,
}: {
  to: string | undefined
  /** Whether the link is part of a sentence. Otherwise it is as tall as a button. */
  inSentence?: boolean
  className?: string
  children: string
}) {
  const box = inSentence ? undefined : 'inline-flex min-h-11 items-center'
  if (!to)
    return (
      <span className={box}>
        <Trans>{children} (not announced yet)</Trans>
      </span>
    )
  return (
    <a href={to} className={className ?? (box && `link ${box} gap-1`)} rel="noopener">
      {children}
      <Icon name="away" size={16} />
    </a>
  )
}
