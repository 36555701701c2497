import type { FilterSum } from '~/ledger/transactions.server'
import { formatCount, formatExactDollars } from '~/money'
import { plural } from '~/plural'

/**
 * '12 transactions · in $300.00 · out $20.50': the exact number and sums under the filter. If a search finds more than
 * 10,000 transactions, a sentence that says so.
 */
export function HistoryHeading({ sum }: { sum: FilterSum | null }) {
  if (!sum) return null
  if (!sum.sums)
    return (
      <p className="mt-4 font-semibold">
        More than {formatCount(sum.count)} transactions, too many to add up
      </p>
    )
  const { cameIn, wentOut, moved, unvalued } = sum.sums
  const parts = [
    plural(sum.count, { one: '# transaction', other: '# transactions' }),
    `in ${formatExactDollars(cameIn)}`,
    `out ${formatExactDollars(wentOut)}`,
    moved > 0 && `between our wallets ${formatExactDollars(moved)}`,
    unvalued > 0 && `${formatCount(unvalued)} without a dollar value`,
  ]
  return (
    <p className="figures mt-4 font-semibold" data-history-sum="">
      {parts.filter(Boolean).join(' · ')}
    </p>
  )
}
