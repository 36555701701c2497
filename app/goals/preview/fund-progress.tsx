import { Trans, useLingui } from '@lingui/react/macro'
import { useLanguage } from '../../platform/locales/react'
import { type Campaign, percentRaised } from './campaigns'

/** The amount raised and the target, as a bar and as text. */
export function FundProgress({ campaign }: { campaign: Campaign }) {
  const { t } = useLingui()
  const { i18n, formats } = useLanguage()
  const percent = percentRaised(campaign)
  const share = formats.percent(percent)
  const raised = <strong className="font-display text-2xl">{formats.dollars(campaign.currentAmount)}</strong>
  const target = formats.dollars(campaign.targetAmount)
  const title = i18n._(campaign.title)
  return (
    <div data-hue="dreams" className="figures grid gap-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span>
          <Trans>Raised: {raised}</Trans>
        </span>
        <span className="font-semibold">{share}</span>
      </p>
      <progress className="progress" max={100} value={percent} aria-label={t`Raised for ${title}`}>
        {share}
      </progress>
      <p className="text-sm text-muted">
        <Trans>Goal: {target}</Trans>
      </p>
    </div>
  )
}

/** The numbers of votes and of days left. */
export function FundFacts({ campaign }: { campaign: Campaign }) {
  const { t } = useLingui()
  const { formats } = useLanguage()
  return (
    <dl className="figures grid grid-cols-2 gap-4">
      <Fact term={t`Votes`}>{formats.count(campaign.votes)}</Fact>
      <Fact term={t`Days left`}>{campaign.daysLeft}</Fact>
    </dl>
  )
}

function Fact({ term, children }: { term: string; children: string | number }) {
  return (
    <div>
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="text-lg font-semibold">{children}</dd>
    </div>
  )
}
