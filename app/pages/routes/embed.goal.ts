import { msg } from '@lingui/core/macro'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { readPublicGoal } from '~/goals/public-goals.server'
import { framedPage } from '~/pages/embed.server'
import type { PageHandle } from '~/platform/rendering/handle'
import { requireFundMe } from '~/platform/server/fundme-guard.server'
import { notFound } from '~/platform/server/outage.server'
import { brand } from '~/platform/site'

export const handle: PageHandle = { cached: [], translated: true, fundMe: true }

/** A goal of a member for other sites' pages: what it received of its target. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  requireFundMe(context)
  const { i18n, formats } = context.language
  const goal = await readPublicGoal(context.publicData(), params.goal ?? '')
  if (!goal)
    return framedPage(context, {
      ...{ title: brand, path: '/giveback', donate: '/giveback' },
      lines: [i18n._(msg`We can't load the figures right now.`)],
    })
  if (goal === 'none' || goal.title === null) throw notFound()
  const received = formats.roundDollars(goal.receivedUsd)
  const target = formats.roundDollars(goal.targetUsd)
  return framedPage(context, {
    title: goal.title,
    path: `/giveback/${goal.slug}`,
    donate: `/giveback/${goal.slug}`,
    lines: [i18n._(msg`${received} of ${target} given`)],
  })
}
