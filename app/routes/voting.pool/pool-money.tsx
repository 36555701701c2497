import type { PoolWithTotals } from '~/ledger/totals.server'
import { FiguresUnavailable } from '~/ledger/unavailable'
import { formatExactDollars } from '~/money'

/**
 * What a pool received, spent and has left, from verified rows. Each figure links to the history, filtered by the pool
 * or its wallet; the filter of some figures also shows rows that are not in the sum.
 */
export function PoolMoney({ pool: { slug, totals } }: { pool: PoolWithTotals }) {
  if (!totals) return <FiguresUnavailable />
  // A donation that went straight to a partner is spent too, and has another type.
  const spent = totals.directUsd === 0 ? 'type=spending' : 'direction=out'
  const lines = [
    {
      name: 'Donations from the treasury',
      amount: totals.donationsUsd,
      search: `pool=${slug}&type=donation`,
    },
    { name: 'Gifts to its wallet', amount: totals.giftsUsd, search: `pool=${slug}&type=gift` },
    { name: 'Received', amount: totals.totalUsd, search: `pool=${slug}`, sum: true },
    { name: 'Moved and other', amount: totals.movedUsd, search: `wallet=${slug}` },
    { name: 'Spent', amount: -totals.spentUsd, search: `pool=${slug}&${spent}`, sum: true },
    { name: 'Left', amount: totals.leftUsd, search: `wallet=${slug}`, sum: true },
  ]
  return (
    <dl className="facts sums figures">
      {lines
        .filter(({ name, amount }) => name !== 'Moved and other' || amount !== 0)
        .map(({ name, amount, search, sum }) => (
          <div key={name} className={sum ? 'sum' : undefined}>
            <dt>{name}</dt>
            <dd>
              <a
                href={`/transparency?${search}&status=verified#history`}
                className="link inline-block py-0.5"
              >
                {formatExactDollars(amount)}
                <span className="sr-only"> {name}, its transactions</span>
              </a>
            </dd>
          </div>
        ))}
    </dl>
  )
}
