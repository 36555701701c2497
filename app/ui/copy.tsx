import { Trans } from '@lingui/react/macro'
import { useRouteLoaderData } from '@remix-run/react'
import { Icon } from './icon'

/**
 * Invisible until script replaces it with a copy button (enhance/copying.ts). `quiet` is for small print. `payable` is for
 * an address that someone could pay: the addresses of the demonstration are made up, so they get no copy button.
 */
export function Copy({
  text,
  what,
  quiet = false,
  payable = false,
}: {
  text: string
  what: string
  quiet?: boolean
  payable?: boolean
}) {
  const isDemo = useRouteLoaderData<{ demo: boolean }>('root')?.demo
  if (payable && isDemo) return null
  return (
    <span className={`copy invisible ${quiet ? 'copy-quiet' : ''}`} data-copy={text}>
      <Icon name="copy" size={18} />
      <span>
        <Trans comment="A button; what it copies follows for screen readers">
          Copy<span className="sr-only"> {what}</span>
        </Trans>
      </span>
    </span>
  )
}
