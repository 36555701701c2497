import type { Campaign } from '~/fundme/campaigns'
import { ClosedButton } from '~/fundme/closed-button'
import { FundFacts, FundProgress } from '~/fundme/fund-progress'

/** The details of a campaign of the preview. Only Share is enabled: script makes it a button (enhance/copying.ts). */
export function CampaignDetails({ campaign }: { campaign: Campaign }) {
  return (
    <>
      <img src={campaign.image} alt="" width="480" height="270" className="pool-image mt-5 rounded-block" />
      <p className="mt-5 flex flex-wrap gap-2">
        <span className="badge badge-line">{campaign.category}</span>
        <span className="badge badge-line">Coming Soon</span>
      </p>
      <p className="mt-4 max-w-[65ch] text-lg">{campaign.description}</p>
      <p className="notice" id="why-closed">
        This is a preview. The campaign, votes and amounts are made up. Voting starts when FundMe opens.
      </p>
      <div className="mt-6 grid gap-5 border-t-2 border-ink pt-5">
        <FundProgress campaign={campaign} />
        <FundFacts campaign={campaign} />
      </div>
      <p className="mt-6 flex flex-wrap gap-3">
        <ClosedButton why="why-closed" className="grow">
          Vote to Fund
        </ClosedButton>
        <a
          href={`/giveback/${campaign.id}`}
          className="button grow"
          data-copy={`Check out: ${campaign.title}`}
          data-copied="Link copied to clipboard!"
        >
          Share
        </a>
      </p>
    </>
  )
}
