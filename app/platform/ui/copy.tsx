import { Trans } from '@lingui/react/macro'
import { useRouteLoaderData } from '@remix-run/react'
import { Icon } from './icon'

/**
 * Invisible until a script replaces this element with a copy button (platform/enhance/copying.ts). `quiet` is the
 * style for small print. `payable` marks an address that someone could pay: the demonstration has no copy
 * button for such an address, because its addresses are made up.
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
