import { Trans, useLingui } from '@lingui/react/macro'
import type { Campaign } from '~/goals/preview/campaigns'
import { ClosedButton } from '~/goals/preview/closed-button'
import { FundFacts, FundProgress } from '~/goals/preview/fund-progress'
import { PageLink, useLanguage } from '~/platform/locales/react'

/** A preview campaign. Only Share works: a script makes it a button (platform/enhance/copying.ts). */
export function CampaignDetails({ campaign }: { campaign: Campaign }) {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const title = i18n._(campaign.title)
  return (
    <>
      <img src={campaign.image} alt="" width="480" height="270" className="pool-image mt-5 rounded-block" />
      <p className="mt-5 flex flex-wrap gap-2">
        <span className="badge badge-line">{i18n._(campaign.category)}</span>
        <span className="badge badge-line">
          <Trans>Coming Soon</Trans>
        </span>
      </p>
      <p className="mt-4 max-w-[65ch] text-lg">{i18n._(campaign.description)}</p>
      <p className="notice" id="why-closed">
        <Trans>
          This is a preview. The campaign, votes and amounts are made up. Voting starts when FundMe opens.
        </Trans>
      </p>
      <div className="mt-6 grid gap-5 border-t-2 border-ink pt-5">
        <FundProgress campaign={campaign} />
        <FundFacts campaign={campaign} />
      </div>
      <p className="mt-6 flex flex-wrap gap-3">
        <ClosedButton why="why-closed" className="grow">
          <Trans>Vote to Fund</Trans>
        </ClosedButton>
        <PageLink
          to={`/giveback/${campaign.id}`}
          className="button grow"
          data-copy={t`Check out: ${title}`}
          data-copied={t`Link copied to clipboard!`}
        >
          <Trans>Share</Trans>
        </PageLink>
      </p>
    </>
  )
}
