import type { AppLoadContext } from '@remix-run/cloudflare'
import { listActsAbout } from '~/acts/published-acts.server'
import { listGoalChanges } from '~/goals/goal-changes.server'
import { asOfGoalClock } from '~/goals/goal-clock.server'
import { readPublicGoal } from '~/goals/public-goals.server'
import { acceptedTokens } from '~/ledger/accepted'
import { readScan } from '~/ledger/scan.server'
import { listDreamsTo, listTransactions } from '~/ledger/transactions.server'
import { listUpdates } from '~/ledger/updates.server'
import { isGoalSlug } from '~/platform/goal-slug'
import { clockOf, readGoalClock } from '~/platform/server/goal-clock.server'
import { notFound } from '~/platform/server/outage.server'
import { readVote } from '~/votes/votes.server'

/** The maximum number of updates of a goal (post_goal_update). */
const mostUpdates = 60

/**
 * The data of the page of a goal; a part that cannot be read is null. Throws the 404 response for an unknown
 * goal. The reads are independent, so the page needs one round trip.
 */
export async function readGoalPage({ config, publicData }: AppLoadContext, slug: string | undefined) {
  if (!isGoalSlug(slug)) throw notFound()
  const data = publicData()
  const [goal, gifts, dreams, updates, changes, acts, scan, vote] = await Promise.all([
    readPublicGoal(data, slug),
    listTransactions(data, { pool: slug, type: 'goal-gift' }, null),
    listDreamsTo(data, slug),
    listUpdates(data, slug, mostUpdates),
    listGoalChanges(data, slug),
    listActsAbout(data, slug),
    readScan(data),
    config.VOTING_OPEN ? readVote(data, slug) : undefined,
  ])
  if (goal === 'none') throw notFound()
  return {
    kind: 'goal' as const,
    goal: goal && asOfGoalClock(goal, config),
    gifts: gifts?.rows ?? null,
    dreams,
    updates,
    changes,
    acts,
    scan,
    /** Undefined while voting is closed. */
    vote,
    /** The tokens in which the job finds transfers to a goal. */
    tokens: acceptedTokens(config).flatMap(({ symbol, address }) => (address ? [symbol] : [])),
    now: goal ? clockOf(goal, config) : readGoalClock(config),
    isDemo: config.DEMO,
  }
}

export type GoalPageData = Awaited<ReturnType<typeof readGoalPage>>
