import type { ReactNode } from 'react'
import type { Transaction } from '../ledger/transactions'
import { TransactionsTable } from '../ledger/transactions-table'
import { ListUnavailable } from '../ledger/unavailable'
import type { Wallet } from '../ledger/wallets'
import { formatExactDollars } from '../money'
import { plural } from '../plural'

/**
 * What a member's proven wallets gave. `donations` is null if it cannot be read. `children` are the wallets and the
 * ways to prove and to revoke one.
 */
export function MemberDonations({
  donations,
  hasWallet,
  most,
  wallets,
  children,
}: {
  donations: Transaction[] | null
  hasWallet: boolean
  /** The most donations that are listed. */
  most: number
  /** The project's wallets. */
  wallets: Wallet[]
  children: ReactNode
}) {
  return (
    <section className="sheet" aria-labelledby="donations-title">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="donations-title" className="text-heading">
          My donations
        </h2>
        <a href="/donate" className="button button-gold">
          Donate
        </a>
      </div>
      {!hasWallet ? (
        <p className="mt-4 max-w-[65ch] text-muted">
          Prove that a wallet is yours, and we list its donations here. The address in your profile isn't
          enough, because anyone can type an address.
        </p>
      ) : donations === null ? (
        <ListUnavailable />
      ) : donations.length === 0 ? (
        <p className="mt-4 text-muted">We haven't recorded a donation from your wallets yet.</p>
      ) : (
        <>
          <p className="figures mt-4 font-semibold">{summary(donations, most)}</p>
          <TransactionsTable
            transactions={donations}
            wallets={wallets}
            caption="Your donations, newest first, dates in UTC"
          />
        </>
      )}
      {children}
    </section>
  )
}

function summary(donations: Transaction[], most: number): string {
  if (donations.length === most) return `Your ${most} newest donations`
  const verified = donations.filter(({ verification }) => verification.status === 'verified')
  const sum = verified.reduce((total, { amount }) => total + (amount ?? 0), 0)
  const count = plural(donations.length, { one: '# donation', other: '# donations' })
  return `${count} · ${formatExactDollars(sum)} verified`
}
