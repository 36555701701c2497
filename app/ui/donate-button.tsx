import { useLingui } from '@lingui/react/macro'
import { useRouteLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { PageLink, useLanguage } from '../locales/react'
import { opensLater } from '../rendering/navigation'

/**
 * 'Donate', or 'Opens with the token' while there is no wallet for gifts. Both lead to the page that says more. `to` is
 * the slug of an account; without it, any wallet is enough. A page with this button declares `gives`
 * (rendering/handle.ts), so that the button of the bar is not gold too. A page with several of them has them `plain`.
 */
export function DonateButton({ to, plain, children }: { to?: string; plain?: true; children?: ReactNode }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const open = useRouteLoaderData<{ openAccounts: string[] }>('root')?.openAccounts
  const href = to ? `/donate?to=${to}` : '/donate'
  // Without the data of the root its loader failed, and nothing is known about the wallets.
  const isOpen = !open || (to ? open.includes(to) : open.length > 0)
  const look = isOpen ? `button ${plain ? '' : 'button-gold'}` : 'button button-soon'
  return (
    <PageLink to={href} className={look}>
      {isOpen ? (children ?? t`Donate`) : i18n._(opensLater)}
    </PageLink>
  )
}
