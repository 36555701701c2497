import { readClock } from '../server/clock.server'
import type { Config } from '../server/env.server'
import type { Stage } from './stages'

/** How long a member of an ended goal has for the report, and how long gifts to it are found, in milliseconds. */
const reportTime = 90 * 24 * 60 * 60_000

type Clock = Pick<Config, 'CLOCK_RATE' | 'CLOCK_START' | 'DEMO' | 'DEMO_DAY'>

/** The time at which goals are shown, in milliseconds: in the demonstration, the last day of its rows. */
export function readGoalClock(config: Clock): number {
  return (config.DEMO && config.DEMO_DAY) || readClock(config)
}

interface Dated {
  stage: Stage
  endedAt: Date | null
  isOverdue: boolean
  isWatched?: boolean
}

/** A goal as on that day: the database knows the real day only. */
export function asOfGoalClock<Goal extends Dated>(goal: Goal, config: Clock): Goal {
  if (!config.DEMO || !config.DEMO_DAY) return goal
  const isLate = goal.endedAt !== null && goal.endedAt.getTime() + reportTime < config.DEMO_DAY
  return {
    ...goal,
    isOverdue: goal.stage === 'ended' && isLate,
    ...(goal.isWatched !== undefined && { isWatched: goal.stage !== 'annulled' && !isLate }),
  }
}
