import { Trans } from '@lingui/react/macro'
import { PageLink } from '../locales/react'
import { Icon } from './icon'

/**
 * A link to the shared URL. A script opens the browser's share sheet, or copies the title and the URL
 * (platform/enhance/sharing.ts). `title` is the shared text with its figures. `quiet` is the style for lists.
 */
export function Share({
  title,
  url,
  quiet = false,
  className = 'mt-6',
}: {
  title: string
  url: string
  quiet?: boolean
  /** The space around the button. */
  className?: string
}) {
  return (
    <p className={quiet ? 'no-print' : `no-print ${className}`}>
      <PageLink
        to={url}
        className={quiet ? 'link inline-flex items-center gap-1 py-0.5' : 'button'}
        data-share={title}
      >
        <Icon name="away" size={quiet ? 14 : 18} />
        <Trans>
          Share<span className="sr-only"> {title}</span>
        </Trans>
      </PageLink>
    </p>
  )
}
