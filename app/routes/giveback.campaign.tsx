import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useParams } from '@remix-run/react'
import { CampaignDetails } from '~/fundme/campaign-details'
import { findCampaign } from '~/fundme/campaigns'
import { refuseWhileClosed } from '~/fundme/closed.server'
import { cached } from '~/rendering/cached'
import { pageMeta } from '~/seo'
import { Dialog } from '~/ui/dialog'

export const handle = cached()

/** By address only: nothing links here while the campaigns are mockups, and nobody is to find them. */
export const meta: MetaFunction = (args) => {
  const campaign = findCampaign(args.params.campaign)
  if (!campaign) return []
  return pageMeta({
    title: `${campaign.title} (preview)`,
    description: `A preview of Community FundMe with mockup data. ${campaign.description}`,
    path: `/giveback/${campaign.id}`,
    noindex: true,
  })(args)
}

export function loader({ params }: LoaderFunctionArgs) {
  if (!findCampaign(params.campaign)) throw new Response(null, { status: 404, statusText: 'Not Found' })
  return null
}

export const action = refuseWhileClosed

export default function CampaignPage() {
  const campaign = findCampaign(useParams().campaign)
  if (!campaign) return null
  return (
    <Dialog title={campaign.title} closeTo="/giveback">
      <CampaignDetails campaign={campaign} />
    </Dialog>
  )
}
