import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useParams } from '@remix-run/react'
import { findCampaign } from '~/fundme/preview/campaigns'
import { refuseWhileClosed } from '~/fundme/preview/closed.server'
import { ComingSoon } from '~/fundme/preview/coming-soon'
import { useLanguage } from '~/locales/react'
import type { PageHandle } from '~/rendering/handle'
import { languageOf, pageMeta } from '~/rendering/seo'
import { Detail } from '~/ui/detail'
import { CampaignDetails } from './campaign-details'

export const handle: PageHandle = { cached: [] }

/** Not for search engines while the campaigns are mockups. */
export const meta: MetaFunction = (args) => {
  const campaign = findCampaign(args.params.campaign)
  if (!campaign) return []
  const { i18n } = languageOf(args.matches)
  const title = i18n._(campaign.title)
  const description = i18n._(campaign.description)
  return pageMeta({
    title: i18n._(msg`${title} (preview)`),
    description: i18n._(msg`A preview of Community FundMe with mockup data. ${description}`),
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
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const campaign = findCampaign(useParams().campaign)
  const closed = useActionData<typeof action>()?.closed
  if (closed) return <ComingSoon />
  if (!campaign) return null
  return (
    <Detail title={i18n._(campaign.title)} back={{ to: '/giveback', label: t`Community FundMe` }}>
      <CampaignDetails campaign={campaign} />
    </Detail>
  )
}
