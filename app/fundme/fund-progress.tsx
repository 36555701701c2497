import { formatCount, formatDollars } from '../money'
import { type Campaign, percentRaised } from './campaigns'

/** The raised amount and the target, as a bar and as text. */
export function FundProgress({ campaign }: { campaign: Campaign }) {
  const percent = percentRaised(campaign)
  return (
    <div data-hue="dreams" className="figures grid gap-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span>
          Raised: <strong className="font-display text-2xl">{formatDollars(campaign.currentAmount)}</strong>
        </span>
        <span className="font-semibold">{percent}%</span>
      </p>
      <progress className="progress" max={100} value={percent} aria-label={`Raised for ${campaign.title}`}>
        {percent}%
      </progress>
      <p className="text-sm text-muted">Goal: {formatDollars(campaign.targetAmount)}</p>
    </div>
  )
}

/** The number of votes and of days left. */
export function FundFacts({ campaign }: { campaign: Campaign }) {
  return (
    <dl className="figures grid grid-cols-2 gap-4">
      <Fact term="Votes">{formatCount(campaign.votes)}</Fact>
      <Fact term="Days left">{campaign.daysLeft}</Fact>
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
