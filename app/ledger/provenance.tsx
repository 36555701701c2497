import { listWords } from '../list'
import { formatCount } from '../money'
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
  const counted = verifiedCount - unvaluedCount
  return (
    <p className="figures mt-5 max-w-[65ch] text-muted">
      {counted === 0
        ? 'No payment is in these totals yet, so they are still $0.'
        : plural(counted, {
            one: 'These totals count # payment that we checked on the blockchain.',
            other: 'These totals count # payments that we checked on the blockchain.',
          })}
      {counted < transactionsCount &&
        ` We left out ${formatCount(transactionsCount - counted)}: ${listWords(leftOut(totals), 'and')}.`}
      {asOf && (
        <>
          {' '}
          Updated <When date={asOf} />.
        </>
      )}
    </p>
  )
}

/** The payments that no total includes, each counted once. Pages and cards use the same words. */
export function leftOut({
  pendingCount,
  disputedCount,
  unvaluedCount,
}: Pick<Totals, 'pendingCount' | 'disputedCount' | 'unvaluedCount'>) {
  const parts = [
    { count: pendingCount, one: '# is waiting', other: '# are waiting' },
    { count: disputedCount, one: "# doesn't match", other: "# don't match" },
    {
      count: unvaluedCount,
      one: '# has no dollar value yet',
      other: '# have no dollar value yet',
    },
  ]
  return parts.filter(({ count }) => count > 0).map(({ count, ...forms }) => plural(count, forms))
}
