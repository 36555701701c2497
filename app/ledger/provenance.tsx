import { msg, plural } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { I18n } from '../platform/locales/i18n'
import { Gap, useLanguage } from '../platform/locales/react'
import { When } from '../platform/ui/when'
import type { Totals } from './totals.server'
import { FiguresUnavailable } from './unavailable'

/** What the totals include, and the time of the newest row. Null totals are unavailable. */
export function Provenance({ totals }: { totals: Totals | null }) {
  const { i18n, formats } = useLanguage()
  if (!totals) return <FiguresUnavailable />
  const { transactionsCount, verifiedCount, unvaluedCount, asOf } = totals
  if (transactionsCount === 0)
    return (
      <p className="mt-5 text-muted">
        <Trans>No transactions yet, so every total is $0.</Trans>
      </p>
    )
  const counted = verifiedCount - unvaluedCount
  const left = formats.count(transactionsCount - counted)
  const reasons = formats.words(leftOut(totals, i18n), 'and')
  return (
    <p className="figures mt-5 max-w-[65ch] text-muted">
      {counted === 0 ? (
        <Trans>No payment is in these totals yet, so they are still $0.</Trans>
      ) : (
        <Trans>
          <Plural
            value={counted}
            one="These totals count # payment that is verified and has a dollar value."
            other="These totals count # payments that are verified and have a dollar value."
          />
        </Trans>
      )}
      {counted < transactionsCount && (
        <>
          <Gap />
          <Trans>
            We left out {left}: {reasons}.
          </Trans>
        </>
      )}
      {asOf && (
        <>
          <Gap />
          <Trans>
            Updated <When date={asOf} />.
          </Trans>
        </>
      )}
    </p>
  )
}

/** The payments that no total includes, each counted once. Pages and cards use these same words. */
export function leftOut(
  {
    pendingCount,
    disputedCount,
    unvaluedCount,
  }: Pick<Totals, 'pendingCount' | 'disputedCount' | 'unvaluedCount'>,
  i18n: I18n,
): string[] {
  const parts = [
    pendingCount > 0 &&
      msg`${plural(pendingCount, { one: '# is being verified', other: '# are being verified' })}`,
    disputedCount > 0 && msg`${plural(disputedCount, { one: "# doesn't match", other: "# don't match" })}`,
    unvaluedCount > 0 &&
      msg`${plural(unvaluedCount, { one: '# has no dollar value yet', other: '# have no dollar value yet' })}`,
  ]
  return parts.filter((part) => part !== false).map((part) => i18n._(part))
}
