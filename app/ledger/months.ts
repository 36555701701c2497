import type { Cents } from '../money'

/** What one month moved, in verified dollars. */
export interface Month {
  /** Its first day, UTC. */
  start: Date
  cameIn: Cents
  wentOut: Cents
  /** What the treasury held when it ended. */
  balance: Cents
  /** What each impact pool was given in it, by slug. */
  pools: Record<string, Cents>
}

/** The sums of one month, kind by kind, as the ledger keeps them: 'month' is 'YYYY-MM-DD', of its first day. */
export interface MonthSum {
  month: string
  direction: 'in' | 'out'
  pool: string | null
  sum: Cents
}

/** No chart has more; a ledger that is longer shows its latest. */
const mostMonths = 120

/**
 * Every month from the first to the last that has rows, the empty ones between them included. Balances are
 * counted back from what the treasury holds now, so that the last one is the figure that the page shows.
 */
export function toMonths(sums: MonthSum[], treasury: Cents): Month[] {
  const numbers = sums.map(({ month }) => numberOf(month))
  const last = numbers.reduce((most, number) => Math.max(most, number), Number.NEGATIVE_INFINITY)
  const first = numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY)
  const months: Month[] = []
  let balance = treasury
  for (let number = last; number >= first && months.length < mostMonths; number -= 1) {
    const month: Month = { start: startOf(number), cameIn: 0, wentOut: 0, balance, pools: {} }
    for (const [at, { direction, pool, sum }] of sums.entries()) {
      if (numbers[at] !== number) continue
      if (direction === 'in') month.cameIn += sum
      else month.wentOut += sum
      if (pool) month.pools[pool] = (month.pools[pool] ?? 0) + sum
    }
    balance -= month.cameIn - month.wentOut
    months.unshift(month)
  }
  return months
}

function numberOf(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1
}

function startOf(number: number): Date {
  return new Date(Date.UTC(Math.floor(number / 12), number % 12, 1))
}
