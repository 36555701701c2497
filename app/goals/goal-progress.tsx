import { Trans, useLingui } from '@lingui/react/macro'
import { useLanguage } from '../platform/locales/react'
import type { Cents } from '../platform/money'

/** The money of a goal and its target, as bar and text. Above the target the bar is full. */
export function GoalProgress({
  goal: { receivedUsd, targetUsd },
}: {
  goal: { receivedUsd: Cents; targetUsd: Cents }
}) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  const exactPercent = (receivedUsd * 100) / targetUsd
  // A percentage below 100 is rounded down, so that 100 means fully funded.
  const percent = exactPercent < 100 ? Math.floor(exactPercent) : Math.round(exactPercent)
  const received = <strong className="font-display text-2xl">{formats.dollars(receivedUsd)}</strong>
  const target = formats.dollars(targetUsd)
  const one = formats.percent(1)
  const share = percent === 0 && receivedUsd > 0 ? t`less than ${one}` : formats.percent(percent)
  return (
    <div data-hue="dreams" className="figures grid gap-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span>
          <Trans comment="An amount of money, and the amount that a goal needs">
            {received} of {target}
          </Trans>
        </span>{' '}
        <span className="font-semibold">{share}</span>
      </p>
      <progress
        className="progress"
        max={100}
        value={Math.min(percent, 100)}
        aria-label={t`Received of the target`}
      >
        {share}
      </progress>
      {receivedUsd >= targetUsd && (
        <p className="text-sm font-semibold">
          <Trans>The target is reached.</Trans>
        </p>
      )}
    </div>
  )
}
