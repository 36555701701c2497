import type { ImpactPool } from '../impact-pools'
import { type Cents, formatCount, formatDollars } from '../money'
import { brand } from '../site'

/**
 * Sums of the rows that are verified on chain and valued, and counts of all rows by status. `asOf` is the time at which
 * the newest row was recorded, null for an empty ledger.
 */
export interface Totals {
  treasury: Cents
  donated: Cents
  dreamsFunded: Cents
  tax: Cents
  /** Gifts to the treasury and the donation wallet. */
  gifts: Cents
  otherIn: Cents
  /** Moved back from the wallets of pools. */
  returned: Cents
  /** Donations without a pool: CZ calls and other causes. */
  donatedElsewhere: Cents
  costs: Cents
  otherOut: Cents
  transactions: number
  verified: number
  pending: number
  disputed: number
  /** Verified, but without a value in dollars: in no sum. */
  unvalued: number
  asOf: Date | null
}

/** How each figure is computed: the formulas of the views ledger_totals and pool_totals, in words. */
export const formulas = [
  {
    name: 'Treasury Balance',
    text: 'Everything that came into the treasury and the donation wallet, minus everything that went out. We value each payment on the day it moved. This is not what the wallets would sell for today. Money that we moved to a pool’s wallet is no longer included.',
  },
  {
    name: 'Total Donated',
    text: 'Every donation, to an impact pool or to another cause, and every gift that someone sent straight to a pool’s wallet.',
  },
  { name: 'Dreams Funded', text: 'Every payment to a community goal.' },
  {
    name: 'Received by a pool',
    text: 'The donations to the pool and the gifts that people sent straight to its wallet. All pools and other causes together make Total Donated.',
  },
  {
    name: 'Spent by a pool',
    text: 'What its wallet paid for its cause, and the donations that we sent straight to its partner: we count those as received and spent.',
  },
  {
    name: 'Left in a pool',
    text: 'Received minus spent, plus anything else that its wallet received, minus anything else that it paid.',
  },
] as const

/** 'Goodblock: $1,200 donated, $300 in the treasury': the totals in a few words, to share them. */
export function totalsTitle({ donated, treasury }: Pick<Totals, 'donated' | 'treasury'>): string {
  return `${brand}: ${formatDollars(donated)} donated, ${formatDollars(treasury)} in the treasury`
}

/** A pool with its figures; `totals` is null if they can't be read. */
export type PoolWithTotals = ImpactPool & { totals: PoolTotals | null }

/**
 * The figures of a pool: sums of its rows that are verified on chain and valued. `pending`, `disputed` and `unvalued`
 * (verified, but without a value) count its other rows, each once. `lastDonationAt` is the time of its newest donation
 * or gift of any status.
 */
export interface PoolTotals {
  /** Donations and gifts: Total Donated of the pool. */
  total: Cents
  donations: Cents
  gifts: Cents
  spent: Cents
  left: Cents
  /** Moves and other payments into its wallet, minus those out of it. */
  moved: Cents
  /** From the newest update that states how many the pool helps; null without one. */
  helping: { count: number; at: Date; source: string | null } | null
  pending: number
  disputed: number
  unvalued: number
  lastDonationAt: Date | null
}

/** '1,240 students': how many a pool helps, in its own unit. */
export function helpingWords(count: number, { beneficiaries }: Pick<ImpactPool, 'beneficiaries'>): string {
  return `${formatCount(count)} ${beneficiaries.replace(/^\d+ /, '')}`
}
