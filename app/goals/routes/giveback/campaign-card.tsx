import { Trans } from '@lingui/react/macro'
import type { Campaign } from '~/goals/preview/campaigns'
import { ClosedButton } from '~/goals/preview/closed-button'
import { FundFacts, FundProgress } from '~/goals/preview/fund-progress'
import { PageLink, useLanguage } from '~/platform/locales/react'

/**
 * A preview campaign. Its title links to the campaign's page; a script shows the first section of that page
 * as a modal. The buttons are disabled, with the reason below them.
 */
export function CampaignCard({ campaign }: { campaign: Campaign }) {
  const { i18n } = useLanguage()
  const title = i18n._(campaign.title)
  const why = `closed-${campaign.id}`
  return (
    <li className="flex flex-col overflow-hidden rounded-block border border-hairline bg-raised md:max-lg:flex-row">
      <img
        src={campaign.image}
        alt=""
        width="480"
        height="270"
        loading="lazy"
        className="pool-image md:max-lg:mt-6 md:max-lg:ms-6 md:max-lg:w-2/5 md:max-lg:self-start md:max-lg:rounded-xl"
      />
      <div className="grid flex-1 content-between gap-5 p-5 sm:p-6">
        <div>
          <p>
            <span className="badge badge-line">{i18n._(campaign.category)}</span>
          </p>
          <h3 className="mt-3 text-2xl">
            <PageLink to={`/giveback/${campaign.id}`} className="link" data-dialog="">
              {title}
            </PageLink>
          </h3>
          <p className="mt-3 text-muted">{i18n._(campaign.description)}</p>
        </div>
        <FundProgress campaign={campaign} />
        <FundFacts campaign={campaign} />
        <div>
          <p className="grid grid-cols-[1.5fr_1fr] gap-3">
            <ClosedButton why={why} className="px-3">
              <Trans>
                View Details<span className="sr-only"> of {title}</span>
              </Trans>
            </ClosedButton>
            <ClosedButton why={why} className="px-3">
              <Trans comment="A button; the words after 'Vote' are for screen readers">
                Vote<span className="sr-only"> for {title}</span>
              </Trans>
            </ClosedButton>
          </p>
          <p id={why} className="mt-2 text-sm text-muted">
            <Trans>Disabled until FundMe opens.</Trans>
          </p>
        </div>
      </div>
    </li>
  )
}
