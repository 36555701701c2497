import { findPool } from '~/impact-pools'
import { accountName } from '~/ledger/accounts'
import { filterSearch, type LedgerFilter, partyOf, withoutPool } from '~/ledger/filter'
import { leftOut } from '~/ledger/provenance'
import { checkedCount } from '~/ledger/totals'
import { typeLabel } from '~/ledger/transactions'
import type { FilterSum } from '~/ledger/transactions.server'
import { listWords } from '~/list'
import { formatCount, formatExactDollars } from '~/money'
import { plural } from '~/plural'

interface Props {
  sum: FilterSum | null
  filter: LedgerFilter
}

/**
 * '12 of 14 payments checked: $300.00 in, $20.50 out. $5.00 moved between our wallets.': the number and the sums of the
 * checked rows under the filter, then why the others are left out. The sums are seen from the wallet of the filter, else
 * from its pool, else from the project (supabase/migrations/20251210000000_figures.sql). If a search finds more than
 * 10,000 transactions, a sentence that says so.
 */
export function HistoryHeading({ sum, filter, partyName }: Props & { partyName: string | null }) {
  if (!sum || sum.count === 0) return null
  if (!sum.sums)
    return (
      <p className="mt-4 font-semibold">
        More than {formatCount(sum.count)} transactions, too many to add up
      </p>
    )
  const checked = checkedCount(sum.sums)
  const reasons = leftOut(sum.sums)
  return (
    <div className="figures mt-5 grid gap-1">
      <p className="font-semibold" data-history-sum="">
        {formatCount(checked)} of {plural(sum.count, { one: '# payment', other: '# payments' })} checked
        {checked === 0 ? (
          ', so there is no sum.'
        ) : (
          <Sums sums={sum.sums} filter={filter} partyName={partyName} />
        )}
      </p>
      {reasons.length > 0 && (
        <p className="text-muted" data-history-rest="">
          We left out {formatCount(sum.count - checked)}: {listWords(reasons, 'and')}.
        </p>
      )}
    </div>
  )
}

/** What moved between our wallets is named only if there is some. */
function Sums({
  sums: { receivedUsd, movedUsd, paidUsd },
  filter,
  partyName,
}: {
  sums: NonNullable<FilterSum['sums']>
  filter: LedgerFilter
  /** How we name the wallet of the filter. */
  partyName: string | null
}) {
  const received = <span data-sum="received">{formatExactDollars(receivedUsd)}</span>
  const paid = <span data-sum="paid">{formatExactDollars(paidUsd)}</span>
  const party = partyOf(filter)
  if (party)
    return (
      <>
        : {received} into {accountName(party) ?? partyName ?? 'this address'}, {paid} out of it.
      </>
    )
  if (filter.pool && filter.pool !== withoutPool)
    return (
      <>
        : {received} given to this pool, {paid} spent by it.
      </>
    )
  return (
    <>
      : {received} in, {paid} out.
      {movedUsd > 0 && (
        <>
          {' '}
          <span data-sum="moved">{formatExactDollars(movedUsd)}</span> moved between our wallets.
        </>
      )}
    </>
  )
}

/** Where the money under a filter went: the parts of the money out, each with a link to its rows. */
export function Uses({ sum, filter }: Props) {
  const { type, pool, from, to } = filter
  const uses = Object.entries(sum?.sums?.uses ?? {}).toSorted(([, a], [, b]) => b - a)
  // Without days, the picture of the money shows it. From a wallet, a pool or a type it is the rows themselves.
  if (!(from || to) || partyOf(filter) || type || pool || uses.length === 0) return null
  return (
    <div className="mt-5">
      <h3 className="text-lg">Where it went</h3>
      <ul className="figures mt-2 grid gap-x-10 border-t border-hairline sm:grid-cols-2 lg:grid-cols-3">
        {uses.map(([use, amount]) => {
          const { name, hue, part } = partOf(use)
          return (
            <li
              key={use}
              className="flex items-baseline justify-between gap-4 border-b border-hairline py-1.5"
            >
              <a
                href={`/transparency${filterSearch({ ...filter, direction: 'out', ...part })}#history`}
                className="link"
              >
                <span className="swatch hue-fill" data-hue={hue} />
                {name}
              </a>
              <span>{formatExactDollars(amount)}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** The name, the hue and the filter of a use, as sum_transactions names it. */
function partOf(use: string): { name: string; hue: string; part: LedgerFilter } {
  const pool = findPool(use)
  if (pool) return { name: pool.category, hue: use, part: { pool: use } }
  if (use === 'other-causes')
    return { name: 'Causes outside the pools', hue: use, part: { type: 'donation', pool: withoutPool } }
  const hue = { dream: 'dreams', cost: 'costs' }[use] ?? ''
  return { name: typeLabel(use), hue, part: { type: use as LedgerFilter['type'], pool: withoutPool } }
}
