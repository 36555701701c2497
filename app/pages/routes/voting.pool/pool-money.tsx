import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { PoolTotals, PoolWithTotals } from '~/ledger/totals.server'
import { FiguresUnavailable } from '~/ledger/unavailable'
import { PageLink, useLanguage } from '~/platform/locales/react'
import type { Cents } from '~/platform/money'

/** Whether a pool has received or paid anything. */
function hasMoney({ totalUsd, spentUsd, leftUsd }: PoolTotals): boolean {
  return totalUsd !== 0 || spentUsd !== 0 || leftUsd !== 0
}

/**
 * A bar that shows the money that a pool has spent and the money it has left, from verified rows; renders
 * nothing before the first payment.
 */
export function PoolMoney({ pool: { slug, totals } }: { pool: PoolWithTotals }) {
  const { t } = useLingui()
  if (!totals) return <FiguresUnavailable />
  if (!hasMoney(totals)) return null
  const { spentUsd, leftUsd } = totals
  const hrefs = linksOf(slug, totals)
  const percent = Math.round((100 * spentUsd) / (spentUsd + leftUsd))
  return (
    <section id="money" aria-label={t`Given, spent, left`} className="figures mt-4">
      {leftUsd >= 0 && (
        <progress
          className="progress progress-left"
          value={spentUsd}
          max={spentUsd + leftUsd}
          data-hue={slug}
          aria-label={t`${percent}% spent`}
        />
      )}
      <dl className="mt-2" data-hue={slug}>
        <Part name={leftUsd >= 0 ? t`spent, ${percent}%` : t`spent`} mark="hue-fill">
          <Rows href={hrefs.spent} amount={spentUsd} name={t`spent`} />
        </Part>
        <Part name={t`not spent yet`} mark="hue-hatched">
          <Rows href={hrefs.left} amount={leftUsd} name={t`not spent yet`} />
        </Part>
      </dl>
    </section>
  )
}

/** A disclosure that explains why money is left, and lists the amounts whose sums the bar shows. */
export function PoolSums({ pool: { slug, totals } }: { pool: PoolWithTotals }) {
  if (!totals || !hasMoney(totals)) return null
  return (
    <>
      {totals.leftUsd > 0 && (
        <p className="mt-4 max-w-[65ch]">
          <Trans>
            What is left waits in the pool's own wallet, where everyone can see it. The pool pays its partners
            step by step, not all at once.
          </Trans>
        </p>
      )}
      <details id="sums" className="mt-3">
        <summary>
          <span className="link">
            <Trans>Show all sums</Trans>
          </span>
        </summary>
        <Sums totals={totals} hrefs={linksOf(slug, totals)} />
      </details>
    </>
  )
}

function Part({ name, mark, children }: { name: string; mark: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-sm text-muted">
        <span className={`swatch ${mark}`} />
        {name}
      </dt>
      <dd className="ms-auto font-display text-lg font-bold">{children}</dd>
    </div>
  )
}

function Sums({ totals, hrefs }: { totals: PoolTotals; hrefs: ReturnType<typeof linksOf> }) {
  const { t } = useLingui()
  const lines: { part: keyof typeof hrefs; name: string; amount: Cents; sum?: true }[] = [
    { part: 'donations', name: t`Donations from the treasury`, amount: totals.donationsUsd },
    { part: 'gifts', name: t`Gifts to its wallet`, amount: totals.giftsUsd },
    { part: 'received', name: t`Given to this pool`, amount: totals.totalUsd, sum: true },
    { part: 'moved', name: t`Moved and other`, amount: totals.movedUsd },
    { part: 'spent', name: t`Spent`, amount: -totals.spentUsd, sum: true },
    {
      part: 'left',
      name: t({ message: 'Left', context: 'money', comment: 'The amount that a pool can still spend' }),
      amount: totals.leftUsd,
      sum: true,
    },
  ]
  return (
    <dl className="facts sums">
      {lines
        .filter(({ part, amount }) => part !== 'moved' || amount !== 0)
        .map(({ part, name, amount, sum }) => (
          <div key={part} className={sum ? 'sum' : undefined}>
            <dt>{name}</dt>
            <dd>
              <Rows href={hrefs[part]} amount={amount} name={name} />
            </dd>
          </div>
        ))}
    </dl>
  )
}

function Rows({ href, amount, name }: { href: string; amount: Cents; name: string }) {
  const { formats } = useLanguage()
  return (
    <PageLink to={href} className="link inline-block py-0.5">
      {formats.exactDollars(amount)}
      <span className="sr-only">
        {' '}
        <Trans comment="For screen readers, after an amount: what it is, and that the link leads to its transactions">
          {name}, its transactions
        </Trans>
      </span>
    </PageLink>
  )
}

/**
 * The links from each figure to the history, filtered by the pool or by its wallet. Some of these filters
 * also show rows that are not in the sum.
 */
function linksOf(slug: string, { directUsd }: PoolTotals) {
  const rows = (search: string) => `/transparency?${search}&status=verified#history`
  return {
    donations: rows(`pool=${slug}&type=donation`),
    gifts: rows(`pool=${slug}&type=gift`),
    received: rows(`pool=${slug}`),
    moved: rows(`wallet=${slug}`),
    // A donation directly to a recipient is spent too, but its type is not 'spending'.
    spent: rows(`pool=${slug}&${directUsd === 0 ? 'type=spending' : 'direction=out'}`),
    left: rows(`wallet=${slug}`),
  }
}
