import { Trans, useLingui } from '@lingui/react/macro'
import { FiguresUnavailable } from '../ledger/unavailable'
import { Gap, useLanguage } from '../platform/locales/react'
import type { ArrivalTotals } from './answers.server'

/** The figures by strength, in lines that are never added up. Null if they cannot be read. */
export function ArrivalFigures({ totals }: { totals: ArrivalTotals | null }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  if (!totals) return <FiguresUnavailable />
  if (totals.answeredCount + totals.askedCount === 0)
    return (
      <p className="mt-3">
        <Trans>
          No recipient was asked yet. A transaction proves that money left, not that help arrived.
        </Trans>
      </p>
    )
  const lines = [
    {
      key: 'no',
      name: t`The recipient says it didn't arrive`,
      usd: totals.noUsd,
      isShown: totals.noCount > 0,
    },
    { key: 'wallet', name: t`confirmed by the recipient`, usd: totals.walletUsd },
    { key: 'mail', name: t`answered by mail`, usd: totals.mailUsd },
    { key: 'print', name: t`answered on a link that we printed`, usd: totals.printUsd },
    { key: 'asked', name: t`asked and no answer`, usd: totals.askedUsd },
    { key: 'not-asked', name: t`not asked`, usd: totals.notAskedUsd },
  ].filter(({ isShown = true }) => isShown)
  return (
    <>
      <dl className="facts">
        {lines.map(({ key, name, usd }) => (
          <div key={key}>
            <dt className={`first-letter:uppercase ${key === 'no' ? 'font-semibold text-bad' : ''}`}>
              {name}
            </dt>
            <dd className="figures">{formats.exactDollars(usd)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 max-w-[65ch] text-sm text-muted">
        <Trans>
          Of the payments to causes and to goals, each in one line. We never add these lines up, because a
          wallet that signs proves more than a link that we printed.
        </Trans>
        <Gap />
        <Trans>“Yes, but…” counts as yes.</Trans>
        {totals.unvaluedCount > 0 && (
          <>
            <Gap />
            <Trans>Payments without a dollar value are in none of them.</Trans>
          </>
        )}
      </p>
    </>
  )
}
