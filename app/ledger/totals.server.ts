import * as z from 'zod/mini'
import { type ImpactPool, impactPools } from '../platform/impact-pools'
import { integerColumn, linkColumn, moneyColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { readPictureLink } from './update-picture'

/** Sums of the rows that are verified on the blockchain and valued, and counts of all rows by status. */
const totalsRow = z.object({
  treasuryUsd: moneyColumn,
  donatedUsd: moneyColumn,
  /** The part of `donatedUsd` that left our wallets for a cause. */
  spentUsd: moneyColumn,
  /** The money left in the wallets of the pools. */
  waitingUsd: moneyColumn,
  /** Donations to CZ Calls and other causes outside the pools. */
  donatedElsewhereUsd: moneyColumn,
  dreamsFundedUsd: moneyColumn,
  taxUsd: moneyColumn,
  /** Gifts to the treasury and the donation wallet. */
  giftsUsd: moneyColumn,
  /** Gifts directly to the pools. They are a part of `donatedUsd`. */
  poolGiftsUsd: moneyColumn,
  otherInUsd: moneyColumn,
  /** The money that came back from the wallets of pools. */
  returnedUsd: moneyColumn,
  costsUsd: moneyColumn,
  otherOutUsd: moneyColumn,
  transactionsCount: integerColumn,
  verifiedCount: integerColumn,
  pendingCount: integerColumn,
  disputedCount: integerColumn,
  /** Rows that are verified but have no dollar value. No sum includes them. */
  unvaluedCount: integerColumn,
  /** When the newest row was recorded; null for an empty ledger. */
  asOf: z.nullable(timestampColumn),
  /** The money that came from outside into our wallets. */
  receivedUsd: moneyColumn,
  /** The money that went out of our wallets. */
  paidUsd: moneyColumn,
})
export type Totals = z.infer<typeof totalsRow>

/** Sums of a pool's verified and valued rows. The counts are of its other rows, each counted once. */
const poolRow = z.pipe(
  z.object({
    slug: z.string(),
    /** Donations and gifts: the pool's Total Donated. */
    totalUsd: moneyColumn,
    donationsUsd: moneyColumn,
    giftsUsd: moneyColumn,
    /** Donations directly to a recipient, counted as received and as spent. */
    directUsd: moneyColumn,
    spentUsd: moneyColumn,
    leftUsd: moneyColumn,
    pendingCount: integerColumn,
    disputedCount: integerColumn,
    unvaluedCount: integerColumn,
    /** The time of the pool's newest verified donation or gift. */
    lastDonationAt: z.nullable(timestampColumn),
    helping: z.nullable(integerColumn),
    helpingAt: z.nullable(timestampColumn),
    helpingSource: linkColumn,
    picturedText: z.nullable(z.string()),
    picturedAt: z.nullable(timestampColumn),
    picturedLinks: z.nullable(z.string()),
  }),
  z.transform(({ helping: count, helpingAt: at, helpingSource: source, ...columns }) => {
    const { picturedText: text, picturedAt, picturedLinks, ...row } = columns
    const [picture] = picturedLinks?.split('\n').flatMap((link) => readPictureLink(link) ?? []) ?? []
    return {
      ...row,
      /** The newest picture of an update, with the update's text; null without one. */
      pictured: picture && picturedAt ? { ...picture, text, at: picturedAt } : null,
      /**
       * Moves and other payments into the pool's wallet, minus moves and other payments out of it. By the
       * identity of the view pool_totals: left = received + moved - spent.
       */
      movedUsd: row.leftUsd - row.totalUsd + row.spentUsd,
      /** How many people or animals the pool helps, by the newest update with a number; null: none. */
      helping: count !== null && at ? { count, at, source } : null,
    }
  }),
)
export type PoolTotals = z.infer<typeof poolRow>

/** A pool with its figures; `totals` is null if they can't be read. */
export type PoolWithTotals = ImpactPool & { totals: PoolTotals | null }

/** The figures of the whole ledger; null, and never zeros, if the figures can't be read. */
export function readTotals(data: Data): Promise<Totals | null> {
  return data.row('ledger_totals', totalsRow)
}

/** All impact pools with their figures. */
export async function listPoolsWithTotals(data: Data): Promise<PoolWithTotals[]> {
  const rows = await data.rows('pool_totals', poolRow)
  return impactPools.map((pool) => ({
    ...pool,
    totals: rows?.find(({ slug }) => slug === pool.slug) ?? null,
  }))
}
