import type { Campaign } from './campaigns'
import { FundFacts, FundProgress } from './fund-progress'

/** A campaign of the preview. Its buttons do nothing; `whyClosed` is the id of the reason. */
export function CampaignCard({ campaign, whyClosed }: { campaign: Campaign; whyClosed: string }) {
  return (
    <li className="campaign">
      <img src={campaign.image} alt="" width="480" height="270" loading="lazy" className="pool-image" />
      <div className="grid content-between gap-5 p-5 sm:p-6">
        <div>
          <p>
            <span className="badge bg-gold-wash">{campaign.category}</span>
          </p>
          <h3 className="mt-3 text-2xl">
            <a href={`/giveback/${campaign.id}`} className="link">
              {campaign.title}
            </a>
          </h3>
          <p className="mt-3 text-muted">{campaign.description}</p>
        </div>
        <FundProgress campaign={campaign} />
        <FundFacts campaign={campaign} />
        <p className="grid grid-cols-[1.5fr_1fr] gap-3">
          <button type="button" className="button px-3" disabled aria-describedby={whyClosed}>
            View Details<span className="sr-only"> of {campaign.title}</span>
          </button>
          <button type="button" className="button px-3" disabled aria-describedby={whyClosed}>
            Vote<span className="sr-only"> for {campaign.title}</span>
          </button>
        </p>
      </div>
    </li>
  )
}
