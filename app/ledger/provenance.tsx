import { listWords } from '../list'
import { plural } from '../plural'
import { When } from '../ui/when'
import type { Totals } from './totals.server'
import { FiguresUnavailable } from './unavailable'

/** What the totals include, when the newest row was recorded, and what they exclude; or that they are unavailable. */
export function Provenance({ totals }: { totals: Totals | null }) {
  if (!totals) return <FiguresUnavailable />
  const { transactionsCount, verifiedCount, unvaluedCount, asOf } = totals
  if (transactionsCount === 0)
    return <p className="mt-5 text-muted">No transactions yet, so every total is $0.</p>
  const missing = notIncluded(totals)
  return (
    <p className="figures mt-5 max-w-[75ch] text-muted">
      {verifiedCount === 0
        ? 'No transaction has been verified yet, so the totals are still $0.'
        : plural(verifiedCount - unvaluedCount, {
            one: 'Totals of # verified transaction.',
            other: 'Totals of # verified transactions.',
          })}
      {asOf && (
        <>
          {' '}
          Updated <When date={asOf} />.
        </>
      )}
      {missing.length > 0 && ` Not included yet: ${listWords(missing, 'and')}.`}
    </p>
  )
}

/** The transactions that no total includes, each counted once. Pages and cards use the same words. */
export function notIncluded({
  pendingCount,
  disputedCount,
  unvaluedCount,
}: Pick<Totals, 'pendingCount' | 'disputedCount' | 'unvaluedCount'>) {
  const parts = [
    { count: pendingCount, one: '# waiting', other: '# waiting' },
    {
      count: disputedCount,
      one: "# that doesn't match the blockchain",
      other: "# that don't match the blockchain",
    },
    { count: unvaluedCount, one: '# without a dollar value', other: '# without a dollar value' },
  ]
  return parts.filter(({ count }) => count > 0).map(({ count, ...forms }) => plural(count, forms))
}
