import { readClock } from './clock.server'
import type { Config } from './env.server'

export type Clock = Pick<Config, 'CLOCK_RATE' | 'CLOCK_START' | 'DEMO' | 'DEMO_DAY'>

/** The time for goals, in milliseconds: now, or the last day of a demonstration with a fixed day. */
export function readGoalClock(config: Clock): number {
  return (config.DEMO && config.DEMO_DAY) || readClock(config)
}

/**
 * The current time for one goal. A goal that the operators of a demonstration with a fixed day opened lives in
 * real time, because the database opened it by its own clock: it is the only goal that ends in the future.
 */
export function clockOf({ endsAt }: { endsAt: Date }, config: Clock): number {
  const real = readClock(config)
  return endsAt.getTime() > real ? real : readGoalClock(config)
}
