import { useLingui } from '@lingui/react/macro'
import { useRouteLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { PageLink, useLanguage } from '../locales/react'
import { tellMe, tellMePath } from '../rendering/navigation'

/** True if a wallet is configured for gifts to the account `to`; without `to`, any wallet is enough. */
export function useOpen(to?: string): boolean {
  const open = useRouteLoaderData<{ openAccounts: string[] }>('root')?.openAccounts
  // If the root loader failed, the wallets are unknown.
  return !open || (to ? open.includes(to) : open.length > 0)
}

/**
 * 'Donate', or 'Tell me when it opens' if no wallet is configured for the gift. `to` is the slug of an account;
 * without it, any configured wallet is enough. A page with this button declares `gives` (platform/rendering/handle.ts), so
 * that the button in the bar is not gold too. A page with several of these buttons makes them `plain`.
 */
export function DonateButton({ to, plain, children }: { to?: string; plain?: true; children?: ReactNode }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const follows = useRouteLoaderData<{ follows: boolean }>('root')?.follows ?? false
  const isOpen = useOpen(to)
  const href = !isOpen ? tellMePath(follows) : to ? `/donate?to=${to}` : '/donate'
  // Gold marks giving only.
  const look = plain ? '' : isOpen ? 'button-gold' : 'button-ink'
  return (
    <PageLink to={href} className={`button ${look}`}>
      {isOpen ? (children ?? t`Donate`) : i18n._(tellMe)}
    </PageLink>
  )
}
