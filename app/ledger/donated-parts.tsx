import { formatExactDollars } from '../money'
import type { PoolWithTotals, Totals } from './totals.server'

/** Total Donated as a sum: the donations and gifts to each pool, and the donations without a pool. */
export function DonatedParts({ totals, pools }: { totals: Totals; pools: PoolWithTotals[] }) {
  const parts = [
    ...pools.map(({ slug, title, totals: pool }) => ({
      name: title,
      amount: pool?.totalUsd,
      href: `/voting/${slug}`,
    })),
    { name: 'Other causes', amount: totals.donatedElsewhereUsd, href: '/cz-call' },
  ]
  return (
    <dl className="facts sums figures">
      {parts.map(({ name, amount, href }) => (
        <div key={name}>
          <dt>
            <a href={href} className="link inline-block py-0.5">
              {name}
            </a>
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
