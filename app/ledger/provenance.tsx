import { formatCount } from '../money'
import { When } from '../ui/when'
import type { Totals } from './totals'
import { FiguresUnavailable } from './unavailable'

/** Where the figures above come from and how old they are, or that they can't be had. */
export function Provenance({ totals }: { totals: Totals | null }) {
  if (!totals) return <FiguresUnavailable />
  const { transactions, unvalued, asOf } = totals
  return (
    <p className="figures mt-5 text-muted">
      {transactions === 0 ? 'Every figure is a sum over the ledger, which has no rows so far.' : 'Sums '}
      {transactions > 0 &&
        `from ${formatCount(transactions)} ${transactions === 1 ? 'transaction' : 'transactions'}`}
      {asOf && (
        <>
          , as of <When date={asOf} />.
        </>
      )}
      {unvalued > 0 &&
        ` ${formatCount(unvalued)} of them ${unvalued === 1 ? 'has' : 'have'} no value in dollars yet and ${unvalued === 1 ? 'is' : 'are'} in no sum.`}
    </p>
  )
}
