import type { Config } from './env.server'

/** Milliseconds since the epoch. Only tests set CLOCK_RATE, for a day in a minute with their backend. */
export function readClock({ CLOCK_RATE, CLOCK_START }: Pick<Config, 'CLOCK_RATE' | 'CLOCK_START'>): number {
  return CLOCK_RATE === 1 ? Date.now() : CLOCK_START + (Date.now() - CLOCK_START) * CLOCK_RATE
}
