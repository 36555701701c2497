import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { maxGifts } from '~/ledger/transactions'
import type { Transaction } from '~/ledger/transactions.server'
import { TransactionsTable } from '~/ledger/transactions-table'
import type { Wallet } from '~/ledger/wallets'
import { useLanguage } from '~/locales/react'

/**
 * A member's donations (at least one), and the sum of the verified donations. A list of `maxGifts` donations
 * may be incomplete, so it has no sum. `wallets` are the project's wallets.
 */
export default function DonationList({
  donations,
  wallets,
}: {
  donations: Transaction[]
  wallets: Wallet[]
}) {
  const { t } = useLingui()
  return (
    <>
      <p className="figures mt-4 font-semibold">
        <Summary donations={donations} />
      </p>
      <TransactionsTable
        transactions={donations}
        wallets={wallets}
        caption={t`Your donations, newest first, dates in UTC`}
      />
    </>
  )
}

function Summary({ donations }: { donations: Transaction[] }) {
  const { formats } = useLanguage()
  const count = donations.length
  if (count === maxGifts) return <Trans>Your {maxGifts} newest donations</Trans>
  const verified = donations.filter(({ status }) => status === 'verified')
  const sum = formats.exactDollars(verified.reduce((total, { amountUsd }) => total + (amountUsd ?? 0), 0))
  return (
    <Trans>
      <Plural value={count} one="# donation" other="# donations" /> · {sum} verified
    </Trans>
  )
}
