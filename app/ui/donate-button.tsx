import { useRouteLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'

/**
 * 'Donate', or 'Opens with the token' while there is no wallet for gifts. Both lead to the page that says more. `to` is
 * the slug of an account; without it, any wallet is enough. A page has one gold button, so the bar has a plain one where
 * the page declares `gives` (rendering/handle.ts).
 */
export function DonateButton({
  to,
  plain = false,
  className = '',
  current,
  children = 'Donate',
}: {
  to?: string
  plain?: boolean
  className?: string
  current?: 'page' | 'true'
  children?: ReactNode
}) {
  const open = useRouteLoaderData<{ openAccounts: string[] }>('root')?.openAccounts
  const href = to ? `/donate?to=${to}` : '/donate'
  // Without the data of the root its loader failed, and nothing is known about the wallets.
  const isOpen = !open || (to ? open.includes(to) : open.length > 0)
  const look = isOpen ? (plain ? 'button' : 'button button-gold') : 'button button-soon'
  return (
    <a href={href} className={className ? `${look} ${className}` : look} aria-current={current}>
      {isOpen ? (
        children
      ) : (
        <>
          <span className="sr-only">Donate: </span>Opens with the token
        </>
      )}
    </a>
  )
}
