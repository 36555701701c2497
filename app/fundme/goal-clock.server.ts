import { readClock } from '../server/clock.server'
import type { Config } from '../server/env.server'
import type { Stage } from './stages'

/**
 * How long after the end of a goal its member can still write the report and the job still looks for gifts,
 * in milliseconds. The database has the same time in `report_due_at`; a test compares the two.
 */
export const reportTime = 90 * 24 * 60 * 60_000

type Clock = Pick<Config, 'CLOCK_RATE' | 'CLOCK_START' | 'DEMO' | 'DEMO_DAY'>

/**
 * The current time for goals, in milliseconds. In the demonstration, it is the last day of the
 * demonstration's rows.
 */
export function readGoalClock(config: Clock): number {
  return (config.DEMO && config.DEMO_DAY) || readClock(config)
}

/**
 * The current time for one goal. A goal that the operators of the demonstration opened lives in real time,
 * because the database opened it by its own clock: it is the only goal that ends in the future.
 */
export function clockOf({ endsAt }: { endsAt: Date }, config: Clock): number {
  const real = readClock(config)
  return endsAt.getTime() > real ? real : readGoalClock(config)
}

interface Dated {
  stage: Stage
  endedAt: Date | null
  isOverdue: boolean
  isWatched?: boolean
}

function isReportLate(endedAt: Date, config: Clock): boolean {
  return endedAt.getTime() + reportTime < readGoalClock(config)
}

/**
 * Returns the goals that are overdue at the time of `readGoalClock`, which the database does not know: it
 * knows only the real time.
 */
export function overdueAsOfGoalClock<Goal extends { endedAt: Date }>(
  queue: { count: number; items: Goal[] },
  config: Clock,
): { count: number; items: Goal[] } {
  if (!config.DEMO || !config.DEMO_DAY) return queue
  const items = queue.items.filter(({ endedAt }) => isReportLate(endedAt, config))
  return { count: items.length, items }
}

/**
 * Returns a goal in its state at the time of `readGoalClock`, which the database does not know: it knows only
 * the real time.
 */
export function asOfGoalClock<Goal extends Dated>(goal: Goal, config: Clock): Goal {
  if (!config.DEMO || !config.DEMO_DAY) return goal
  const isLate = goal.endedAt !== null && isReportLate(goal.endedAt, config)
  return {
    ...goal,
    isOverdue: goal.stage === 'ended' && isLate,
    ...(goal.isWatched !== undefined && { isWatched: goal.stage !== 'annulled' && !isLate }),
  }
}
