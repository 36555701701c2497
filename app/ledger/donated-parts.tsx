import { formatExactDollars } from '../money'
import type { PoolWithTotals, Totals } from './totals.server'

/** Total Donated as a sum: the donations and gifts to each pool, and the donations without a pool. */
export function DonatedParts({ totals, pools }: { totals: Totals; pools: PoolWithTotals[] }) {
  const parts = [
    ...pools.map(({ slug, title, totals: pool }) => ({
      name: title,
      amount: pool?.totalUsd,
      straight: pool?.giftsUsd ?? 0,
      href: `/voting/${slug}`,
    })),
    { name: 'Other causes', amount: totals.donatedElsewhereUsd, straight: 0, href: '/cz-call' },
  ]
  return (
    <dl className="facts sums figures">
      {parts.map(({ name, amount, straight, href }) => (
        <div key={name}>
          <dt>
            <a href={href} className="link inline-block py-0.5">
              {name}
            </a>
            {straight > 0 && (
              <span className="block text-sm text-muted">
                of which gifts straight to its wallet {formatExactDollars(straight)}
              </span>
            )}
          </dt>
          <dd>{amount === undefined ? "Can't load" : formatExactDollars(amount)}</dd>
        </div>
      ))}
      <div className="sum">
        <dt>Total Donated</dt>
        <dd>{formatExactDollars(totals.donatedUsd)}</dd>
      </div>
    </dl>
  )
}
