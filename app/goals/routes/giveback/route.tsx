import { msg } from '@lingui/core/macro'
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { asOfGoalClock } from '~/goals/goal-clock.server'
import { listGoals, parseGoalPosition, readGoalTotals, readReports } from '~/goals/goal-list.server'
import { refuseWhileClosed } from '~/goals/preview/closed.server'
import { ComingSoon } from '~/goals/preview/coming-soon'
import type { PageHandle } from '~/platform/rendering/handle'
import { pageMeta } from '~/platform/rendering/seo'
import { clockOf } from '~/platform/server/goal-clock.server'
import { countBallots, listUnpaid } from '~/votes/votes.server'
import { FundmePreview } from './fundme-preview'
import { GoalList } from './goal-list'

export const handle: PageHandle = { cached: [], whileFundMeOpen: ['after'] }

const title = msg`Community FundMe`
const path = '/giveback'
const previewMeta = pageMeta({
  title,
  description: msg`Coming soon: set a fund goal, let token holders vote, see the winners funded. A preview with mockup data.`,
  path,
})
const openMeta = pageMeta({
  title,
  description: msg`Goals of members: what each needs, what has arrived, and what it bought, with proof on the blockchain.`,
  path,
})

export const meta: MetaFunction<typeof loader> = (args) => (args.data ? openMeta(args) : previewMeta(args))

export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!context.config.FUNDME_OPEN) return null
  const { position, valid } = parseGoalPosition(new URL(request.url).searchParams.get('after'))
  const data = context.publicData()
  const [list, totals, ballots] = await Promise.all([
    listGoals(data, position),
    readGoalTotals(data),
    context.config.VOTING_OPEN ? countBallots(data) : undefined,
  ])
  const ended = list?.goals.filter(({ stage, frozen }) => stage === 'ended' && !frozen) ?? []
  const unpaid = context.config.VOTING_OPEN
    ? await listUnpaid(
        data,
        ended.map(({ slug }) => slug),
      )
    : new Set()
  return {
    list: list && {
      ...list,
      goals: list.goals.map((goal) => ({
        ...asOfGoalClock(goal, context.config),
        isUnpaid: unpaid.has(goal.slug),
        now: clockOf(goal, context.config),
      })),
    },
    reports: await readReports(data, list?.goals ?? []),
    totals,
    ballots,
    paged: position !== null,
    unreadable: !valid,
  }
}

/** While FundMe is open, no page sends a form to this route. */
export async function action(args: ActionFunctionArgs) {
  if (args.context.config.FUNDME_OPEN) throw redirect(path, 303)
  return refuseWhileClosed(args)
}

export default function Giveback() {
  const page = useLoaderData<typeof loader>()
  if (useActionData<typeof action>()?.closed) return <ComingSoon />
  return page ? <GoalList page={page} /> : <FundmePreview />
}
