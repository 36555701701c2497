import { filterSearch, inMonth, type LedgerFilter } from '~/ledger/filter'
import type { Page } from '~/ledger/keyset.server'
import type { FilterSum, MonthSum, Transaction } from '~/ledger/transactions.server'
import { TransactionsTable } from '~/ledger/transactions-table'
import type { Wallet } from '~/ledger/wallets'
import { formatCount, formatExactDollars } from '~/money'
import { formatMonth, formatWholeMonth } from '~/time'

interface Props {
  page: Page<Transaction>
  sum: FilterSum | null
  filter: LedgerFilter
  wallets: Wallet[]
}

/** The month (UTC) of a date: '2025-10'. */
const monthOf = (date: Date) => date.toISOString().slice(0, 7)

/** The query string of a month's rows under a filter. */
const searchOf = (filter: LedgerFilter, start: Date) => filterSearch(inMonth(filter, start))

/**
 * One page of the history by month. Each month has the sums of all its rows under the filter, which may be on several
 * pages; it has none if they can't be read.
 */
export function HistoryMonths({ page: { rows, neighbours }, sum, filter, wallets }: Props) {
  const months = new Map<string, Transaction[]>()
  for (const row of rows) {
    const month = monthOf(row.occurredAt)
    months.set(month, [...(months.get(month) ?? []), row])
  }
  const continues = (month: string, neighbour: Date | null) =>
    neighbour !== null && monthOf(neighbour) === month
  return [...months].map(([month, rows], at) => {
    const start = new Date(`${month}-01T00:00:00Z`)
    const name = formatWholeMonth(start)
    const search = searchOf(filter, start)
    const sums = sum?.sums?.months.find((one) => monthOf(one.start) === month)
    return (
      <section key={month} aria-labelledby={`month-${month}`} className="mt-8">
        <div className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-1">
          <h3 id={`month-${month}`} className="text-xl">
            {search === filterSearch(filter) ? (
              name
            ) : (
              <a href={`/transparency${search}#history`} className="link">
                {name}
              </a>
            )}
            {continues(month, neighbours.newer) && <span className="text-muted">, continued</span>}
          </h3>
          {sums && <MonthSums sums={sums} />}
        </div>
        <TransactionsTable
          transactions={rows}
          wallets={wallets}
          caption={`${name}, newest first, dates in UTC`}
          follows={at > 0}
        />
        {continues(month, neighbours.older) && (
          <p className="mt-2 text-sm text-muted">{name} continues on the next page.</p>
        )}
      </section>
    )
  })
}

/** The sums of a month's checked rows, as HistoryHeading explains them, and the number of its other rows. */
function MonthSums({ sums: { count, checkedCount, receivedUsd, movedUsd, paidUsd } }: { sums: MonthSum }) {
  const parts = [
    checkedCount > 0 && ['in', formatExactDollars(receivedUsd)],
    checkedCount > 0 && ['out', formatExactDollars(paidUsd)],
    movedUsd > 0 && ['moved', formatExactDollars(movedUsd)],
    checkedCount < count && ['not checked', formatCount(count - checkedCount)],
  ].filter((part) => part !== false)
  return (
    <ul className="figures flex flex-wrap gap-x-6 text-muted">
      {parts.map(([name, value]) => (
        <li key={name}>
          {name} <strong className="font-semibold text-ink">{value}</strong>
        </li>
      ))}
    </ul>
  )
}

/** The months that have rows under the filter, each with a link to them; nothing for one month. */
export function MonthLinks({ sum, filter }: Pick<Props, 'sum' | 'filter'>) {
  const months = sum?.sums?.months ?? []
  if (months.length < 2) return null
  return (
    <details className="mt-4">
      <summary className="link py-2">Choose a month</summary>
      <ul className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(7rem,1fr))] gap-x-4">
        {months.map(({ start }) => (
          <li key={start.getTime()}>
            <a href={`/transparency${searchOf(filter, start)}#history`} className="link inline-block py-1">
              {formatMonth(start)}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
