import { impactPools } from '~/impact-pools'
import { filterSearch, inMonth } from '~/ledger/filter'
import type { Totals } from '~/ledger/totals.server'
import { formatDollars } from '~/money'
import { formatMonth } from '~/time'
import { BarChart, LineChart, scaleOf } from '~/ui/chart'
import { type Column, Table } from '~/ui/table'
import type { Month } from './months.server'

/**
 * The ledger by month: what all our wallets hold, the money in and out, and the donations and gifts
 * to each pool. `totals` are null if they can't be read.
 */
export function OverTime({ months, totals }: { months: Month[]; totals: Totals | null }) {
  const [first] = months
  const last = months.at(-1)
  if (!first || !last) return null
  const labels = months.map(({ start }) => formatMonth(start))
  const held = months.map(({ heldUsd }) => heldUsd)
  const received = months.map(({ receivedUsd }) => receivedUsd)
  const paid = months.map(({ paidUsd }) => paidUsd)
  const opening = first.heldUsd - first.receivedUsd + first.paidUsd
  const lastMonth = formatMonth(last.start)
  const span = `${formatMonth(first.start)} to ${formatMonth(last.start)}`
  const perPool = impactPools.map((pool) => ({
    ...pool,
    given: months.map(({ pools }) => pools[pool.slug] ?? 0),
  }))
  const poolScale = scaleOf(perPool.flatMap(({ given }) => given))
  return (
    <section id="over-time" className="column" aria-label="Charts">
      <div className="grid items-end gap-x-12 gap-y-8 lg:grid-cols-2">
        <LineChart
          caption={
            <>
              In all our wallets
              <span className="block font-normal text-muted">
                {lastMonth}: {formatDollars(last.heldUsd)}. Highest: {formatDollars(Math.max(...held))}
              </span>
            </>
          }
          title={`In all our wallets at the end of each month, ${span}`}
          summary={`From ${formatDollars(opening)} (before ${formatMonth(first.start)}) to ${formatDollars(last.heldUsd)}. Highest ${formatDollars(Math.max(...held))}, lowest ${formatDollars(Math.min(...held))}.`}
          labels={labels}
          points={months.map(({ start, heldUsd }) => `${formatMonth(start)}: ${formatDollars(heldUsd)}`)}
          values={held}
          opening={opening}
        />
        <BarChart
          caption={
            <>
              <span className="swatch chart-in" />
              Money in · <span className="swatch chart-out" />
              Money out
              <span className="block font-normal text-muted">
                {lastMonth}: {formatDollars(last.receivedUsd)} in, {formatDollars(last.paidUsd)} out. Highest:{' '}
                {formatDollars(Math.max(...received))} in, {formatDollars(Math.max(...paid))} out
              </span>
            </>
          }
          title={`Money in and out each month, ${span}`}
          summary={`${formatDollars(sum(received))} in, ${formatDollars(sum(paid))} out.`}
          labels={labels}
          points={months.map(
            ({ start, receivedUsd, paidUsd }) =>
              `${formatMonth(start)}: ${formatDollars(receivedUsd)} in, ${formatDollars(paidUsd)} out`,
          )}
          up={received}
          down={paid}
        />
      </div>
      <p className="mt-4 max-w-[65ch] text-muted">
        Money that moved between two of our wallets, such as a donation to a pool, is neither in nor out.
        {totals &&
          ` Our wallets hold ${formatDollars(totals.receivedUsd - totals.paidUsd)}: ${formatDollars(totals.treasuryUsd)} is the Treasury Balance, ${formatDollars(totals.receivedUsd - totals.paidUsd - totals.treasuryUsd)} is left in the pools.`}
      </p>
      <h2 className="mt-10 text-xl">Donations to each pool</h2>
      <div className="mt-5 grid items-end gap-x-12 gap-y-8 lg:grid-cols-3">
        {perPool.map(({ slug, title, given }) => (
          <BarChart
            key={slug}
            hue={slug}
            caption={
              <>
                {title}
                <span className="block font-normal text-muted">
                  {lastMonth}: {formatDollars(given.at(-1) ?? 0)}. Best month:{' '}
                  {formatDollars(Math.max(...given))}. In all: {formatDollars(sum(given))}
                </span>
              </>
            }
            title={`Donations to the pool ${title} each month, ${span}`}
            summary={`${formatDollars(sum(given))} in all. Highest month: ${formatDollars(Math.max(...given))}.`}
            labels={labels}
            points={given.map((amount, at) => `${labels[at]}: ${formatDollars(amount)}`)}
            up={given}
            scale={poolScale}
          />
        ))}
      </div>
      <details className="mt-6">
        <summary className="link py-2">Show as a table</summary>
        <MonthsTable months={months} />
      </details>
    </section>
  )
}

const columns: Column<Month>[] = [
  {
    name: 'Month',
    cell: ({ start }) => (
      <a
        href={`/transparency${filterSearch(inMonth({}, start))}#history`}
        className="link inline-block py-0.5"
      >
        {formatMonth(start)}
      </a>
    ),
  },
  { name: 'Money in', cell: ({ receivedUsd }) => formatDollars(receivedUsd) },
  { name: 'Money out', cell: ({ paidUsd }) => formatDollars(paidUsd) },
  { name: 'Moved between our wallets', cell: ({ movedUsd }) => formatDollars(movedUsd) },
  {
    name: 'In our wallets at month end',
    className: 'font-semibold',
    cell: ({ heldUsd }) => formatDollars(heldUsd),
  },
  ...impactPools.map(({ slug, category }) => ({
    name: category,
    cell: ({ pools }: Month) => formatDollars(pools[slug] ?? 0),
  })),
]

function MonthsTable({ months }: { months: Month[] }) {
  return (
    <Table
      caption="US dollars by month, newest first. Each month links to its transactions."
      columns={columns}
      rows={months.toReversed()}
      keyOf={({ start }) => start.getTime()}
      className="figures"
    />
  )
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
