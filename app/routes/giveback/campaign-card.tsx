import type { Campaign } from '~/fundme/campaigns'
import { ClosedButton } from '~/fundme/closed-button'
import { FundFacts, FundProgress } from '~/fundme/fund-progress'

/**
 * A campaign of the preview. Its title links to the campaign's page; a script shows that page's first section as a modal.
 * Its buttons are disabled, with the reason below them.
 */
export function CampaignCard({ campaign }: { campaign: Campaign }) {
  const why = `closed-${campaign.id}`
  return (
    <li className="flex flex-col overflow-hidden rounded-block border border-hairline bg-raised md:max-lg:flex-row">
      <img
        src={campaign.image}
        alt=""
        width="480"
        height="270"
        loading="lazy"
        className="pool-image md:max-lg:mt-6 md:max-lg:ml-6 md:max-lg:w-2/5 md:max-lg:self-start md:max-lg:rounded-xl"
      />
      <div className="grid flex-1 content-between gap-5 p-5 sm:p-6">
        <div>
          <p>
            <span className="badge badge-line">{campaign.category}</span>
          </p>
          <h3 className="mt-3 text-2xl">
            <a href={`/giveback/${campaign.id}`} className="link" data-dialog="">
              {campaign.title}
            </a>
          </h3>
          <p className="mt-3 text-muted">{campaign.description}</p>
        </div>
        <FundProgress campaign={campaign} />
        <FundFacts campaign={campaign} />
        <div>
          <p className="grid grid-cols-[1.5fr_1fr] gap-3">
            <ClosedButton why={why} className="px-3">
              View Details<span className="sr-only"> of {campaign.title}</span>
            </ClosedButton>
            <ClosedButton why={why} className="px-3">
              Vote<span className="sr-only"> for {campaign.title}</span>
            </ClosedButton>
          </p>
          <p id={why} className="mt-2 text-sm text-muted">
            Disabled until FundMe opens.
          </p>
        </div>
      </div>
    </li>
  )
}
