import { Trans, useLingui } from '@lingui/react/macro'
import { filterSearch, inMonth, type LedgerFilter, partyOf, withoutPool } from '~/ledger/filter'
import type { KeysetPage } from '~/ledger/keyset.server'
import type { FilterSum, MonthSum, Transaction } from '~/ledger/transactions.server'
import { TransactionsTable } from '~/ledger/transactions-table'
import type { Wallet } from '~/ledger/wallets'
import { PageLink, useLanguage } from '~/platform/locales/react'

interface Props {
  page: KeysetPage<Transaction>
  sum: FilterSum | null
  filter: LedgerFilter
  wallets: Wallet[]
}

/** The month (UTC) of a date: '2025-10'. */
const monthOf = (date: Date) => date.toISOString().slice(0, 7)

/** The query string for the rows of a month that match a filter. */
const searchOf = (filter: LedgerFilter, start: Date) => filterSearch(inMonth(filter, start))

/**
 * One page of the history by month. Each month shows the sums of all its rows that match the filter, even if
 * the rows are on several pages. If the sums can't be read, the months show none.
 */
export function HistoryMonths({ page: { rows, neighbours }, sum, filter, wallets }: Props) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const months = new Map<string, Transaction[]>()
  for (const row of rows) {
    const month = monthOf(row.occurredAt)
    months.set(month, [...(months.get(month) ?? []), row])
  }
  const continues = (month: string, neighbour: Date | null) =>
    neighbour !== null && monthOf(neighbour) === month
  const { pool } = filter
  const isOfPool = pool !== undefined && pool !== withoutPool && partyOf(filter) === undefined
  return [...months].map(([month, rows], at) => {
    const start = new Date(`${month}-01T00:00:00Z`)
    const name = formats.wholeMonth(start)
    const search = searchOf(filter, start)
    const sums = sum?.sums?.months.find((one) => monthOf(one.start) === month)
    return (
      <section key={month} aria-labelledby={`month-${month}`} className="mt-8">
        <div className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-1">
          <h3 id={`month-${month}`} className="text-xl">
            {search === filterSearch(filter) ? (
              name
            ) : (
              <PageLink to={`/transparency${search}#history`} className="link">
                {name}
              </PageLink>
            )}
            {continues(month, neighbours.newer) && (
              <span className="text-muted">
                <Trans comment="After the name of a month">, continued</Trans>
              </span>
            )}
          </h3>
          {sums && <MonthSums sums={sums} isOfPool={isOfPool} />}
        </div>
        <TransactionsTable
          transactions={rows}
          wallets={wallets}
          caption={t`${name}, newest first, dates in UTC`}
          follows={at > 0}
          ofMonth
          party={partyOf(filter)}
        />
        {continues(month, neighbours.older) && (
          <p className="mt-2 text-sm text-muted">
            <Trans>{name} continues on the next page.</Trans>
          </p>
        )}
      </section>
    )
  })
}

/**
 * The sums of a month's counted rows (see HistoryHeading), and the number of the month's other rows. The sums of
 * a pool are what it was given and what it spent.
 */
function MonthSums({
  sums: { count, countedCount, receivedUsd, movedUsd, paidUsd },
  isOfPool,
}: {
  sums: MonthSum
  isOfPool: boolean
}) {
  const { formats } = useLanguage()
  const value = (text: string) => <strong className="font-semibold text-ink">{text}</strong>
  const received = value(formats.exactDollars(receivedUsd))
  const paid = value(formats.exactDollars(paidUsd))
  const moved = value(formats.exactDollars(movedUsd))
  const others = value(formats.count(count - countedCount))
  return (
    <ul className="figures flex flex-wrap gap-x-6 text-muted">
      {countedCount > 0 && (
        <>
          <li>
            {isOfPool ? (
              <Trans comment="The money that a pool was given in a month">given {received}</Trans>
            ) : (
              <Trans comment="The money that came in in a month">in {received}</Trans>
            )}
          </li>
          <li>
            {isOfPool ? (
              <Trans comment="The money that a pool spent in a month">spent {paid}</Trans>
            ) : (
              <Trans comment="The money that went out in a month">out {paid}</Trans>
            )}
          </li>
        </>
      )}
      {movedUsd > 0 && (
        <li>
          <Trans comment="The money that moved between our wallets in a month">
            between our wallets {moved}
          </Trans>
        </li>
      )}
      {countedCount < count && (
        <li>
          <Trans comment="The number of payments that no sum includes">{others} not counted</Trans>
        </li>
      )}
    </ul>
  )
}

/** Links to the months that have rows that match the filter; renders nothing for a single month. */
export function MonthLinks({ sum, filter }: Pick<Props, 'sum' | 'filter'>) {
  const { formats } = useLanguage()
  const months = sum?.sums?.months ?? []
  if (months.length < 2) return null
  return (
    <details>
      <summary className="link py-2">
        <Trans>Choose a month</Trans>
      </summary>
      <ul className="mt-2 flex flex-wrap gap-x-6">
        {months.map(({ start }) => (
          <li key={start.getTime()}>
            <PageLink
              to={`/transparency${searchOf(filter, start)}#history`}
              className="link inline-block py-1"
            >
              {formats.month(start)}
            </PageLink>
          </li>
        ))}
      </ul>
    </details>
  )
}
