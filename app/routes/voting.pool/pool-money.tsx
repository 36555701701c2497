import type { ReactNode } from 'react'
import type { PoolTotals, PoolWithTotals } from '~/ledger/totals.server'
import { FiguresUnavailable } from '~/ledger/unavailable'
import { type Cents, formatExactDollars } from '~/money'

/**
 * What a pool has spent and has left of what it received, as a bar, and the lines of which these amounts are the sums
 * in a disclosure: from verified rows. Nothing before the first payment.
 */
export function PoolMoney({ pool: { slug, totals } }: { pool: PoolWithTotals }) {
  if (!totals) return <FiguresUnavailable />
  if (totals.totalUsd === 0 && totals.spentUsd === 0 && totals.leftUsd === 0) return null
  const { spentUsd, leftUsd } = totals
  const hrefs = linksOf(slug, totals)
  const percent = Math.round((100 * spentUsd) / (spentUsd + leftUsd))
  return (
    <section id="money" aria-label="Received, spent, left" className="figures mt-4">
      {leftUsd >= 0 && (
        <progress
          className="progress progress-left"
          value={spentUsd}
          max={spentUsd + leftUsd}
          data-hue={slug}
          aria-label={`${percent}% spent`}
        />
      )}
      <dl className="mt-2 flex flex-wrap justify-between gap-x-6" data-hue={slug}>
        <Part name={leftUsd >= 0 ? `spent, ${percent}%` : 'spent'} mark="hue-fill">
          <Rows href={hrefs.Spent} amount={spentUsd} name="spent" />
        </Part>
        <Part name="left to spend" mark="hue-hatched">
          <Rows href={hrefs.Left} amount={leftUsd} name="left" />
        </Part>
      </dl>
      <details className="mt-3">
        <summary>
          <span className="link">Show all sums</span>
        </summary>
        <Sums totals={totals} hrefs={hrefs} />
      </details>
    </section>
  )
}

function Part({ name, mark, children }: { name: string; mark: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">
        <span className={`swatch ${mark}`} />
        {name}
      </dt>
      <dd className="font-display text-lg font-bold">{children}</dd>
    </div>
  )
}

function Sums({ totals, hrefs }: { totals: PoolTotals; hrefs: ReturnType<typeof linksOf> }) {
  const lines: { name: keyof typeof hrefs; amount: Cents; sum?: true }[] = [
    { name: 'Donations from the treasury', amount: totals.donationsUsd },
    { name: 'Gifts to its wallet', amount: totals.giftsUsd },
    { name: 'Received', amount: totals.totalUsd, sum: true },
    { name: 'Moved and other', amount: totals.movedUsd },
    { name: 'Spent', amount: -totals.spentUsd, sum: true },
    { name: 'Left', amount: totals.leftUsd, sum: true },
  ]
  return (
    <dl className="facts sums">
      {lines
        .filter(({ name, amount }) => name !== 'Moved and other' || amount !== 0)
        .map(({ name, amount, sum }) => (
          <div key={name} className={sum ? 'sum' : undefined}>
            <dt>{name}</dt>
            <dd>
              <Rows href={hrefs[name]} amount={amount} name={name} />
            </dd>
          </div>
        ))}
    </dl>
  )
}

function Rows({ href, amount, name }: { href: string; amount: Cents; name: string }) {
  return (
    <a href={href} className="link inline-block py-0.5">
      {formatExactDollars(amount)}
      <span className="sr-only"> {name}, its transactions</span>
    </a>
  )
}

/**
 * The history of each figure, filtered by the pool or its wallet. The filter of some figures also shows rows that are
 * not in the sum.
 */
function linksOf(slug: string, { directUsd }: PoolTotals) {
  const rows = (search: string) => `/transparency?${search}&status=verified#history`
  return {
    'Donations from the treasury': rows(`pool=${slug}&type=donation`),
    'Gifts to its wallet': rows(`pool=${slug}&type=gift`),
    Received: rows(`pool=${slug}`),
    'Moved and other': rows(`wallet=${slug}`),
    // A donation that went straight to a partner is spent too, and has another type.
    Spent: rows(`pool=${slug}&${directUsd === 0 ? 'type=spending' : 'direction=out'}`),
    Left: rows(`wallet=${slug}`),
  }
}
