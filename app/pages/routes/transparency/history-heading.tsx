import { ph } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { accountName } from '~/ledger/accounts'
import { filterSearch, type LedgerFilter, partyOf, wholeMonthOf, withoutPool } from '~/ledger/filter'
import type { GivenName } from '~/ledger/names.server'
import { leftOut } from '~/ledger/provenance'
import { countedCount } from '~/ledger/totals'
import type { FilterSum } from '~/ledger/transactions.server'
import { partOf } from '~/ledger/uses'
import { Withdrawn } from '~/ledger/withdrawn'
import { isGoalSlug } from '~/platform/goal-slug'
import { key } from '~/platform/locales/key'
import { PageLink, useLanguage } from '~/platform/locales/react'
import { When } from '~/platform/ui/when'
import { EnglishWords } from '~/platform/ui/words'

interface Props {
  sum: FilterSum | null
  filter: LedgerFilter
}

/**
 * The month, if the filter covers one month, and the number and the sums of the counted rows that match the
 * filter, such as '12 of 14 payments counted: $300.00 in, $20.50 out.'
 * A second sentence says why the other rows are left out, and a third says how many gifts to goals the list
 * has. 'In' and 'out' refer to the wallet of the filter, else to its pool, else to the project
 * (supabase/migrations/20260101000750_sums.sql). If a search finds more than 10,000 transactions, one
 * sentence says that there are too many.
 */
export function HistoryHeading({ sum, filter, names }: Props & { names: GivenName[] }) {
  const { i18n, formats } = useLanguage()
  if (!sum) return null
  if (!sum.sums)
    return (
      <p className="mt-4 font-semibold">
        <Trans>More than {ph({ count: formats.count(sum.count) })} transactions, too many to add up</Trans>
      </p>
    )
  const counted = countedCount(sum.sums)
  const reasons = leftOut(sum.sums, i18n)
  const { goalGiftsCount } = sum.sums
  if (sum.count + goalGiftsCount === 0) return null
  const month = wholeMonthOf(filter)
  return (
    <div className="figures mt-5 grid gap-1">
      {month && <p className="font-display text-lg font-bold">{formats.wholeMonth(month)}</p>}
      {sum.count > 0 && (
        <p className="font-semibold" data-history-sum="">
          <Counted
            counted={counted}
            sum={{ ...sum, sums: sum.sums }}
            filter={filter}
            partyName={names[0]?.name ?? null}
          />
        </p>
      )}
      {names.length > 1 && <FormerNames names={names} />}
      {reasons.length > 0 && (
        <p className="text-muted" data-history-rest="">
          <Trans>
            We left out {ph({ count: formats.count(sum.count - counted) })}:{' '}
            {ph({ reasons: formats.words(reasons, 'and') })}.
          </Trans>
        </p>
      )}
      {goalGiftsCount > 0 && (
        <p className="text-sm text-muted" data-history-goals="">
          <Plural
            value={goalGiftsCount}
            one="The list also has # gift to a member's goal. It is not our money, so no sum counts it."
            other="The list also has # gifts to members' goals. They are not our money, so no sum counts them."
          />
        </p>
      )}
    </div>
  )
}

/** Names the money that moved between our wallets only if the amount is not zero. */
function Counted({
  counted,
  sum: {
    count,
    sums: { receivedUsd, movedUsd, paidUsd },
  },
  filter,
  partyName,
}: {
  counted: number
  sum: { count: number; sums: NonNullable<FilterSum['sums']> }
  filter: LedgerFilter
  /** Our name for the wallet in the filter. */
  partyName: string | null
}) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const number = formats.count(counted)
  const received = <span data-sum="received">{formats.exactDollars(receivedUsd)}</span>
  const paid = <span data-sum="paid">{formats.exactDollars(paidUsd)}</span>
  const moved = <span data-sum="moved">{formats.exactDollars(movedUsd)}</span>
  const party = partyOf(filter)
  if (counted === 0)
    return (
      <Trans>
        <Plural
          value={count}
          one="This payment is not counted, so there is no sum."
          other="None of these # payments is counted, so there is no sum."
        />
      </Trans>
    )
  if (party) {
    const known = accountName(party)
    const wallet = known ? (
      i18n._(key(known))
    ) : partyName ? (
      <EnglishWords>{partyName}</EnglishWords>
    ) : (
      t({
        message: 'this address',
        comment: 'In the sentence "… counted: $5 into this address, $3 out of it."',
      })
    )
    return (
      <Trans>
        {number} of <Plural value={count} one="# payment" other="# payments" /> counted: {received} into{' '}
        {wallet}, {paid} out of it.
      </Trans>
    )
  }
  if (isGoalSlug(filter.pool))
    return (
      <Trans>
        {number} of <Plural value={count} one="# payment" other="# payments" /> counted: {received} given to
        this goal.
      </Trans>
    )
  if (filter.pool && filter.pool !== withoutPool)
    return (
      <Trans>
        {number} of <Plural value={count} one="# payment" other="# payments" /> counted: {received} given to
        this pool, {paid} spent by it.
      </Trans>
    )
  if (movedUsd > 0)
    return (
      <Trans>
        {number} of <Plural value={count} one="# payment" other="# payments" /> counted: {received} in, {paid}{' '}
        out. Another {moved} moved between our own wallets.
      </Trans>
    )
  return (
    <Trans>
      {number} of <Plural value={count} one="# payment" other="# payments" /> counted: {received} in, {paid}{' '}
      out.
    </Trans>
  )
}

/** The parts of the outgoing money that matches a filter, each with a link to its rows. */
export function Uses({ sum, filter }: Props) {
  const { i18n, formats } = useLanguage()
  const { type, pool, from, to } = filter
  const uses = Object.entries(sum?.sums?.uses ?? {}).sort(([, a], [, b]) => b - a)
  // Without days in the filter, the picture of the money shows these parts. With a wallet, a pool or a type
  // in the filter, the rows show them.
  if (!(from || to) || partyOf(filter) || type || pool || uses.length === 0) return null
  return (
    <div className="mt-5">
      <h3 className="text-lg">
        <Trans>Where it went</Trans>
      </h3>
      <ul className="figures mt-2 grid gap-x-10 border-t border-hairline sm:grid-cols-2 lg:grid-cols-3">
        {uses.map(([use, amount]) => {
          const { name, hue, part } = partOf(use)
          return (
            <li
              key={use}
              className="flex items-baseline justify-between gap-4 border-b border-hairline py-1.5"
            >
              <PageLink
                to={`/transparency${filterSearch({ ...filter, direction: 'out', ...part })}#history`}
                className="link"
              >
                <span className="swatch hue-fill" data-hue={hue} />
                {i18n._(name)}
              </PageLink>
              <span>{formats.exactDollars(amount)}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** The names that a wallet had before the newest one. */
function FormerNames({ names }: { names: GivenName[] }) {
  return (
    <ul className="text-muted">
      <li>
        <Trans>Former names:</Trans>
      </li>
      {names.slice(1).map(({ name, recordedAt }, at) => (
        <li key={recordedAt.getTime()}>
          {name === null ? <Withdrawn reason={undefined} /> : <EnglishWords>{name}</EnglishWords>},{' '}
          <Trans comment="After a former name of a wallet">
            until <When date={names[at]?.recordedAt ?? recordedAt} day />
          </Trans>
        </li>
      ))}
    </ul>
  )
}
