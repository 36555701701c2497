import { isTreasury } from '~/ledger/accounts'
import type { Cents } from '~/money'
import type { MonthSum } from './months.server'

/** One month of the treasury (with the donation wallet), in verified dollars. */
export interface Month {
  /** Its first day, UTC. */
  start: Date
  cameIn: Cents
  wentOut: Cents
  /** The treasury's balance at the end of the month. */
  balance: Cents
  /** Donations and gifts to each impact pool, by slug. */
  pools: Record<string, Cents>
}

/** Maximum number of months in a chart; for a longer ledger, the latest months are shown. */
const mostMonths = 120

/**
 * Every month from the first to the last with rows, at most the latest `mostMonths`, oldest first. Balances are
 * computed backwards from `treasury`, so the last balance equals the figure of the page.
 */
export function toMonths(sums: MonthSum[], treasury: Cents): Month[] {
  const numbers = sums.map(({ month }) => numberOf(month))
  const last = numbers.reduce((most, number) => Math.max(most, number), Number.NEGATIVE_INFINITY)
  const first = numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY)
  const months: Month[] = []
  let balance = treasury
  for (let number = last; number >= first && months.length < mostMonths; number -= 1) {
    const month: Month = { start: startOf(number), cameIn: 0, wentOut: 0, balance, pools: {} }
    for (const [
      at,
      { account, counterAccount, direction, type, poolSlug: pool, sumUsd: sum },
    ] of sums.entries()) {
      if (numbers[at] !== number) continue
      const from = isTreasury(account)
      const to = isTreasury(counterAccount)
      // A move between the treasury and the donation wallet is neither income nor an expense.
      if (from && !to && direction === 'in') month.cameIn += sum
      else if (from && !to) month.wentOut += sum
      else if (to && !from) month.cameIn += sum
      if (pool && (type === 'donation' || type === 'gift')) month.pools[pool] = (month.pools[pool] ?? 0) + sum
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
