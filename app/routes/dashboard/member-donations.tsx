import { lazy, type ReactNode, Suspense } from 'react'
import type { Transaction } from '~/ledger/transactions.server'
import { ListUnavailable } from '~/ledger/unavailable'
import type { Wallet } from '~/ledger/wallets'
import { Sheet } from '~/ui/section'

// Most members have given nothing from a proven wallet, so their browsers do not load this part.
const DonationList = lazy(() => import('./donation-list'))

/**
 * The donations of a member's proven wallets. `donations` is null if they cannot be read. `children` is the list of
 * these wallets, with the controls that prove and revoke a wallet.
 */
export function MemberDonations({
  donations,
  hasWallet,
  wallets,
  children,
}: {
  donations: Transaction[] | null
  hasWallet: boolean
  /** The project's wallets. */
  wallets: Wallet[]
  children: ReactNode
}) {
  return (
    <Sheet
      heading="donations-title"
      title="My donations"
      action={
        <a href="/donate" className="button button-gold">
          Donate
        </a>
      }
    >
      {hasWallet ? <Donations donations={donations} wallets={wallets} /> : <NoWallet />}
      {children}
    </Sheet>
  )
}

function NoWallet() {
  return (
    <p className="mt-4 max-w-[65ch] text-muted">
      Prove that a wallet is yours, and we list its donations here. The address in your profile isn't enough,
      because anyone can type an address.
    </p>
  )
}

function Donations({ donations, wallets }: { donations: Transaction[] | null; wallets: Wallet[] }) {
  if (!donations) return <ListUnavailable />
  if (donations.length === 0)
    return <p className="mt-4 text-muted">We haven't recorded a donation from your wallets yet.</p>
  return (
    <Suspense>
      <DonationList donations={donations} wallets={wallets} />
    </Suspense>
  )
}
