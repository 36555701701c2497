import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, Suspense } from 'react'
import type { Transaction } from '~/ledger/transactions.server'
import { ListUnavailable } from '~/ledger/unavailable'
import type { Wallet } from '~/ledger/wallets'
import { late } from '~/platform/late'
import { DonateButton } from '~/platform/ui/donate-button'
import { Sheet } from '~/platform/ui/section'
import type { listNews } from './news.server'

// Most members have given nothing from a proven wallet, so this part is loaded only when needed.
const DonationList = late(() => import('./donation-list'))

/**
 * The donations from a member's proven wallets. `donations` is null if the donations cannot be read.
 * `children` is the list of these wallets, with the controls that prove a wallet and revoke a proof.
 */
export function MemberDonations({
  donations,
  news,
  hasWallet,
  wallets,
  children,
}: {
  donations: Transaction[] | null
  news: Awaited<ReturnType<typeof listNews>>
  hasWallet: boolean
  /** The project's wallets. */
  wallets: Wallet[]
  children: ReactNode
}) {
  const { t } = useLingui()
  return (
    <Sheet heading="donations-title" title={t`My donations`} action={<DonateButton />}>
      {hasWallet ? <Donations donations={donations} news={news} wallets={wallets} /> : <NoWallet />}
      {children}
    </Sheet>
  )
}

function NoWallet() {
  return (
    <p className="mt-4 max-w-[65ch] text-muted">
      <Trans>
        Prove that a wallet is yours, and we list its donations here. The address in your profile isn't
        enough, because anyone can type an address.
      </Trans>
    </p>
  )
}

interface DonationsProps {
  donations: Transaction[] | null
  news: Awaited<ReturnType<typeof listNews>>
  wallets: Wallet[]
}

function Donations({ donations, news, wallets }: DonationsProps) {
  if (!donations) return <ListUnavailable />
  if (donations.length === 0)
    return (
      <p className="mt-4 text-muted">
        <Trans>We haven't recorded a donation from your wallets yet.</Trans>
      </p>
    )
  return (
    <Suspense>
      <DonationList donations={donations} news={news} wallets={wallets} />
    </Suspense>
  )
}
