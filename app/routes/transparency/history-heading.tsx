import { accountName } from '~/ledger/accounts'
import { type LedgerFilter, partyOf, withoutPool } from '~/ledger/filter'
import { notIncluded } from '~/ledger/provenance'
import type { FilterSum } from '~/ledger/transactions.server'
import { listWords } from '~/list'
import { formatCount, formatExactDollars } from '~/money'
import { plural } from '~/plural'

/**
 * '12 verified transactions · received from outside $300.00 · left our wallets $20.50': the number and the sums of the
 * verified rows under the filter, then how many other rows match. The sums are seen from the wallet of the filter, else
 * from its pool, else from the project (supabase/migrations/20251210000000_figures.sql). If a search finds more than
 * 10,000 transactions, a sentence that says so.
 */
export function HistoryHeading({
  sum,
  filter,
  partyName,
}: {
  sum: FilterSum | null
  filter: LedgerFilter
  /** How we name the wallet of the filter. */
  partyName: string | null
}) {
  if (!sum || sum.count === 0) return null
  if (!sum.sums)
    return (
      <p className="mt-4 font-semibold">
        More than {formatCount(sum.count)} transactions, too many to add up
      </p>
    )
  const { verifiedCount, unvaluedCount, pendingCount, disputedCount } = sum.sums
  const others = plural(sum.count - verifiedCount, {
    one: '# other transaction matches',
    other: '# other transactions match',
  })
  const reasons = notIncluded({ pendingCount, disputedCount, unvaluedCount: 0 })
  return (
    <div className="mt-4 grid gap-1">
      <p className="figures font-semibold" data-history-sum="">
        {verifiedCount === 0
          ? 'No verified transaction matches, so there is no sum.'
          : [
              plural(verifiedCount, { one: '# verified transaction', other: '# verified transactions' }),
              ...namedSums(sum.sums, filter, partyName).map(
                ([name, amount]) => `${name} ${formatExactDollars(amount)}`,
              ),
            ].join(' · ')}
      </p>
      {(reasons.length > 0 || unvaluedCount > 0) && (
        <p className="figures text-muted" data-history-rest="">
          {[
            reasons.length > 0 && `${others}: ${listWords(reasons, 'and')}.`,
            unvaluedCount > 0 &&
              plural(unvaluedCount, {
                one: "# of the verified transactions has no dollar value, so the sums don't include it.",
                other: "# of the verified transactions have no dollar value, so the sums don't include them.",
              }),
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      )}
    </div>
  )
}

/** Each sum with its name. What moved between our wallets is named only if there is some. */
function namedSums(
  { receivedUsd, movedUsd, paidUsd }: NonNullable<FilterSum['sums']>,
  filter: LedgerFilter,
  partyName: string | null,
): [name: string, cents: number][] {
  const party = partyOf(filter)
  if (party) {
    const name = accountName(party) ?? partyName ?? 'this address'
    return [
      [`into ${name}`, receivedUsd],
      [`out of ${name}`, paidUsd],
    ]
  }
  if (filter.pool && filter.pool !== withoutPool)
    return [
      ['received by this pool', receivedUsd],
      ['spent by this pool', paidUsd],
    ]
  const sums: [string, number][] = [
    ['received from outside', receivedUsd],
    ['left our wallets', paidUsd],
  ]
  return movedUsd > 0 ? [...sums, ['moved between our wallets', movedUsd]] : sums
}
