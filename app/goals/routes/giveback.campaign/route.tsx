import { msg } from '@lingui/core/macro'
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  data as respond,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { findCampaign } from '~/goals/preview/campaigns'
import { refuseWhileClosed } from '~/goals/preview/closed.server'
import { ComingSoon } from '~/goals/preview/coming-soon'
import { ledgerFeeds } from '~/ledger/download-links'
import { isGoalSlug } from '~/platform/goal-slug'
import type { PageHandle } from '~/platform/rendering/handle'
import { languageOf, pageMeta } from '~/platform/rendering/seo'
import { notFound } from '~/platform/server/outage.server'
import { CampaignPreview } from './campaign-preview'
import { GoalPage } from './goal-page'
import { type GoalPageData, readGoalPage } from './goal-page.server'

/** The page of a goal or, while FundMe is closed, of a preview campaign. */
/** An open goal has the gold button 'Give'. */
export const handle: PageHandle<GoalPageData | { kind: 'campaign' }> = {
  cached: [],
  gives: (page) => page.kind === 'goal' && page.goal?.wallet != null,
}

/** Search engines must not list the preview campaigns, which are made up. */
export const meta: MetaFunction<typeof loader> = (args) => {
  const { i18n, formats } = languageOf(args.matches)
  const { campaign: slug = '' } = args.params
  const campaign = args.data?.kind === 'campaign' && findCampaign(slug)
  if (campaign) {
    const title = i18n._(campaign.title)
    const description = i18n._(campaign.description)
    return pageMeta({
      title: i18n._(msg`${title} (preview)`),
      description: i18n._(msg`A preview of Community FundMe with mockup data. ${description}`),
      path: `/giveback/${campaign.id}`,
      noindex: true,
    })(args)
  }
  if (args.data?.kind !== 'goal') return []
  const { goal } = args.data
  const title = goal?.title ?? i18n._(msg`A goal`)
  const [received, target] = [formats.dollars(goal?.receivedUsd ?? 0), formats.dollars(goal?.targetUsd ?? 0)]
  return pageMeta({
    title: goal ? msg`${title}: ${received} of ${target}` : title,
    description: msg`A goal of a member: what the money is for, each gift with its proof on the blockchain, and what it bought.`,
    path: `/giveback/${slug}`,
    feed: ledgerFeeds(title, { pool: slug }),
    noindex: !goal || goal.frozen || goal.stage === 'annulled',
  })(args)
}

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { campaign: slug } = params
  if (context.config.FUNDME_OPEN) {
    const page = await readGoalPage(context, slug)
    return respond(page, page.goal ? 200 : 503)
  }
  if (!findCampaign(slug)) throw notFound()
  return respond({ kind: 'campaign' as const })
}

/** While FundMe is open, no page sends a form to this route. */
export async function action(args: ActionFunctionArgs) {
  const { campaign: slug } = args.params
  if (args.context.config.FUNDME_OPEN)
    throw isGoalSlug(slug) ? redirect(`/giveback/${slug}`, 303) : notFound()
  return refuseWhileClosed(args)
}

export default function CampaignPage() {
  const page = useLoaderData<typeof loader>()
  if (useActionData<typeof action>()?.closed) return <ComingSoon />
  return page.kind === 'goal' ? <GoalPage page={page} /> : <CampaignPreview />
}
