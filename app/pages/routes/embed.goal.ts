import { msg } from '@lingui/core/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { readPublicGoal } from '~/goals/public-goals.server'
import { framedPage } from '~/pages/embed.server'
import type { PageHandle } from '~/platform/rendering/handle'
import { requireFundMe } from '~/platform/server/fundme-guard.server'
import { found, notFound } from '~/platform/server/outage.server'

export const handle: PageHandle = { cached: [], translated: true, fundMe: true }

/** A goal of a member for other sites' pages: what it received of its target. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  requireFundMe(context)
  const { i18n, formats } = context.language
  const goal = found(await readPublicGoal(context.publicData(), params.goal ?? ''))
  if (goal.title === null) throw notFound()
  const received = formats.roundDollars(goal.receivedUsd)
  const target = formats.roundDollars(goal.targetUsd)
  return framedPage(context, {
    title: goal.title,
    path: `/giveback/${goal.slug}`,
    donate: `/giveback/${goal.slug}`,
    lines: [i18n._(msg`${received} of ${target} given`)],
  })
}
