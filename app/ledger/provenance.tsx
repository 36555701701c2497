import { formatCount } from '../money'
import { When } from '../ui/when'
import type { Totals } from './totals'
import { FiguresUnavailable } from './unavailable'

/** The source and age of the figures above and the rows that they exclude, or that they are unavailable. */
export function Provenance({ totals }: { totals: Totals | null }) {
  if (!totals) return <FiguresUnavailable />
  const { transactions, verified, asOf } = totals
  if (transactions === 0)
    return <p className="mt-5 text-muted">Every figure is a sum over the ledger, which has no rows so far.</p>
  return (
    <p className="figures mt-5 max-w-[75ch] text-muted">
      {verified === 0
        ? 'No transaction is verified on chain yet, so nothing is in the sums'
        : `Sums over the ${counted(verified)} that ${verified === 1 ? 'is' : 'are'} verified on chain`}
      {asOf && (
        <>
          , as of <When date={asOf} />
        </>
      )}
      .{leftOut(totals)}
    </p>
  )
}

/** The rows that no sum includes, in words; '' if there are none. */
function leftOut({ pending, disputed, unvalued }: Pick<Totals, 'pending' | 'disputed' | 'unvalued'>) {
  const excluded = [
    pending > 0 && `${formatCount(pending)} pending`,
    disputed > 0 && `${formatCount(disputed)} that the chain does not bear out`,
  ].filter(Boolean)
  const sentences = [
    excluded.length > 0 && `In no sum: ${excluded.join(' and ')}.`,
    unvalued > 0 && `Without a value in dollars, and so in no sum: ${formatCount(unvalued)}.`,
  ]
  return sentences
    .filter(Boolean)
    .map((sentence) => ` ${sentence}`)
    .join('')
}

function counted(transactions: number): string {
  return `${formatCount(transactions)} ${transactions === 1 ? 'transaction' : 'transactions'}`
}
