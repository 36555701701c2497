import { useLingui } from '@lingui/react/macro'
import { useParams } from '@remix-run/react'
import { findCampaign } from '~/goals/preview/campaigns'
import { useLanguage } from '~/platform/locales/react'
import { Detail } from '~/platform/ui/detail'
import { CampaignDetails } from './campaign-details'

/** A campaign's page while FundMe is closed. */
export function CampaignPreview() {
  const { t } = useLingui()
  const { i18n } = useLanguage()
  const campaign = findCampaign(useParams().campaign)
  if (!campaign) return null
  return (
    <Detail title={i18n._(campaign.title)} back={{ to: '/giveback', label: t`Community FundMe` }}>
      <CampaignDetails campaign={campaign} />
    </Detail>
  )
}
