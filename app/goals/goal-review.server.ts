import { listUpdates, type PoolUpdate } from '../ledger/updates.server'
import type { Data } from '../platform/server/data.server'
import { type PublicGoal, readPublicGoal } from './public-goals.server'
import { type ReviewedGoal, readGoal } from './reviewed-goals.server'

/** What an operator reads before each decision about a goal. */
export interface GoalReview {
  goal: ReviewedGoal
  /** The final report; null without one, or if it cannot be read. */
  report: PoolUpdate | null
  receivedUsd: PublicGoal['receivedUsd'] | null
}

/** A goal with its final report. 'none' if the goal does not exist, null if it cannot be read. */
export async function readGoalReview(
  data: Data,
  slug: string | undefined,
): Promise<GoalReview | 'none' | null> {
  const goal = await readGoal(data, slug)
  if (!goal || goal === 'none') return goal
  const { report_number: number } = goal
  if (number === null) return { goal, report: null, receivedUsd: null }
  const [updates, shown] = await Promise.all([listUpdates(data, goal.slug), readPublicGoal(data, goal.slug)])
  return {
    goal,
    report: updates?.find((update) => update.number === number) ?? null,
    receivedUsd: shown && shown !== 'none' ? shown.receivedUsd : null,
  }
}
