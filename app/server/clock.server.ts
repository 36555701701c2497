import type { Config } from './env.server'

/**
 * Milliseconds since the epoch, as sessions count them. A test that lives through a day in a minute sets
 * CLOCK_RATE, and its backend the same clock; nothing else does.
 */
export function readClock({ CLOCK_RATE, CLOCK_START }: Pick<Config, 'CLOCK_RATE' | 'CLOCK_START'>): number {
  return CLOCK_RATE === 1 ? Date.now() : CLOCK_START + (Date.now() - CLOCK_START) * CLOCK_RATE
}
