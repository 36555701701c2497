import { impactPools } from '~/impact-pools'
import { formatDollars } from '~/money'
import { formatMonth } from '~/time'
import { BarChart, LineChart, scaleOf } from '~/ui/chart'
import { type Column, Table } from '~/ui/table'
import type { Month } from './months'

/** The ledger by month: the treasury's balance, income and expenses, and the donations and gifts to each pool. */
export function OverTime({ months }: { months: Month[] }) {
  const [first] = months
  const last = months.at(-1)
  if (!first || !last) return null
  const labels = months.map(({ start }) => formatMonth(start))
  const balances = months.map(({ balance }) => balance)
  const span = `${formatMonth(first.start)} to ${formatMonth(last.start)}`
  const perPool = impactPools.map((pool) => ({
    ...pool,
    given: months.map(({ pools }) => pools[pool.slug] ?? 0),
  }))
  const poolScale = scaleOf(perPool.flatMap(({ given }) => given))
  return (
    <section id="over-time" className="column" aria-label="Charts">
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
        <LineChart
          caption={
            <>
              Treasury balance
              <span className="block font-normal text-muted">
                Latest month {formatDollars(last.balance)}, highest {formatDollars(Math.max(...balances))}
              </span>
            </>
          }
          title={`Treasury balance at the end of each month, ${span}`}
          summary={`From ${formatDollars(openingOf(first))} (before ${formatMonth(first.start)}) to ${formatDollars(last.balance)}. Highest ${formatDollars(Math.max(...balances))}, lowest ${formatDollars(Math.min(...balances))}.`}
          labels={labels}
          points={months.map(({ start, balance }) => `${formatMonth(start)}: ${formatDollars(balance)}`)}
          values={balances}
          opening={openingOf(first)}
        />
        <BarChart
          caption={
            <>
              <span className="swatch chart-in" />
              Money in · <span className="swatch chart-out" />
              Money out
              <span className="block font-normal text-muted">
                Latest month {formatDollars(last.cameIn)} in and {formatDollars(last.wentOut)} out, highest{' '}
                {formatDollars(Math.max(...months.map(({ cameIn }) => cameIn)))} in and{' '}
                {formatDollars(Math.max(...months.map(({ wentOut }) => wentOut)))} out
              </span>
            </>
          }
          title={`Money into and out of the treasury each month, ${span}`}
          summary={`${formatDollars(sum(months.map(({ cameIn }) => cameIn)))} in, ${formatDollars(sum(months.map(({ wentOut }) => wentOut)))} out.`}
          labels={labels}
          points={months.map(
            ({ start, cameIn, wentOut }) =>
              `${formatMonth(start)}: ${formatDollars(cameIn)} in, ${formatDollars(wentOut)} out`,
          )}
          up={months.map(({ cameIn }) => cameIn)}
          down={months.map(({ wentOut }) => wentOut)}
        />
      </div>
      <h2 className="mt-10 text-xl">Donations to each pool</h2>
      <div className="mt-5 grid gap-x-12 gap-y-8 md:grid-cols-3">
        {perPool.map(({ slug, title, given }) => (
          <BarChart
            key={slug}
            caption={
              <>
                {title}
                <span className="block font-normal text-muted">
                  {formatDollars(sum(given))} in all, latest month {formatDollars(given.at(-1) ?? 0)}, highest{' '}
                  {formatDollars(Math.max(...given))}
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
  { name: 'Month', cell: ({ start }) => formatMonth(start) },
  { name: 'In', cell: ({ cameIn }) => formatDollars(cameIn) },
  { name: 'Out', cell: ({ wentOut }) => formatDollars(wentOut) },
  {
    name: 'Balance at month end',
    className: 'font-semibold',
    cell: ({ balance }) => formatDollars(balance),
  },
  ...impactPools.map(({ slug, category }) => ({
    name: category,
    cell: ({ pools }: Month) => formatDollars(pools[slug] ?? 0),
  })),
]

function MonthsTable({ months }: { months: Month[] }) {
  return (
    <Table
      caption="US dollars by month, newest first"
      columns={columns}
      rows={months.toReversed()}
      keyOf={({ start }) => start.getTime()}
      className="figures"
    />
  )
}

function openingOf({ balance, cameIn, wentOut }: Month): number {
  return balance - cameIn + wentOut
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
