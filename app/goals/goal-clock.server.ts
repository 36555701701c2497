import { type Clock, readGoalClock } from '../platform/server/goal-clock.server'
import type { Stage } from './stages'

/**
 * How long after the end of a goal its member can still write the report and the job still looks for gifts,
 * in milliseconds. The database has the same time in `report_due_at`; a test compares the two.
 */
export const reportTime = 90 * 24 * 60 * 60_000

interface Dated {
  stage: Stage
  endedAt: Date | null
  isOverdue: boolean
  isWatched?: boolean
}

function isReportLate(endedAt: Date, config: Clock): boolean {
  return endedAt.getTime() + reportTime < readGoalClock(config)
}

/** The goals that are overdue at the time of `readGoalClock`; the database knows only the real time. */
export function overdueAsOfGoalClock<Goal extends { endedAt: Date }>(
  queue: { count: number; items: Goal[] },
  config: Clock,
): { count: number; items: Goal[] } {
  if (!config.DEMO || !config.DEMO_DAY) return queue
  const items = queue.items.filter(({ endedAt }) => isReportLate(endedAt, config))
  return { count: items.length, items }
}

/** A goal in its state at the time of `readGoalClock`; the database knows only the real time. */
export function asOfGoalClock<Goal extends Dated>(goal: Goal, config: Clock): Goal {
  if (!config.DEMO || !config.DEMO_DAY) return goal
  const isLate = goal.endedAt !== null && isReportLate(goal.endedAt, config)
  return {
    ...goal,
    isOverdue: goal.stage === 'ended' && isLate,
    ...(goal.isWatched !== undefined && { isWatched: goal.stage !== 'annulled' && !isLate }),
  }
}
