import { maxGifts } from '~/ledger/transactions'
import type { Transaction } from '~/ledger/transactions.server'
import { TransactionsTable } from '~/ledger/transactions-table'
import type { Wallet } from '~/ledger/wallets'
import { formatExactDollars } from '~/money'
import { plural } from '~/plural'

/**
 * A member's donations (at least one), and the sum of the verified ones. A list of `maxGifts` donations has no sum,
 * because it may be incomplete. `wallets` are the project's wallets.
 */
export default function DonationList({
  donations,
  wallets,
}: {
  donations: Transaction[]
  wallets: Wallet[]
}) {
  return (
    <>
      <p className="figures mt-4 font-semibold">{summary(donations)}</p>
      <TransactionsTable
        transactions={donations}
        wallets={wallets}
        caption="Your donations, newest first, dates in UTC"
      />
    </>
  )
}

function summary(donations: Transaction[]): string {
  if (donations.length === maxGifts) return `Your ${maxGifts} newest donations`
  const verified = donations.filter(({ status }) => status === 'verified')
  const sum = verified.reduce((total, { amountUsd }) => total + (amountUsd ?? 0), 0)
  const count = plural(donations.length, { one: '# donation', other: '# donations' })
  return `${count} · ${formatExactDollars(sum)} verified`
}
