import * as z from 'zod'
import { type ImpactPool, impactPools } from '../impact-pools'
import { integerColumn, linkColumn, moneyColumn, timestampColumn } from '../server/columns.server'
import type { Data } from '../server/data.server'
import { readPictureLink } from './update-picture'

/** Sums of the rows that are verified on chain and valued, and counts of all rows by status. */
const totalsRow = z.object({
  treasuryUsd: moneyColumn,
  donatedUsd: moneyColumn,
  /** Of `donatedUsd`, what has left our wallets for a cause. */
  spentUsd: moneyColumn,
  /** What waits in the wallets of the pools. */
  waitingUsd: moneyColumn,
  /** Donations without a pool: CZ calls and other causes. */
  donatedElsewhereUsd: moneyColumn,
  dreamsFundedUsd: moneyColumn,
  taxUsd: moneyColumn,
  /** Gifts to the treasury and the donation wallet. */
  giftsUsd: moneyColumn,
  /** Gifts straight to the pools: a part of `donatedUsd`. */
  poolGiftsUsd: moneyColumn,
  otherInUsd: moneyColumn,
  /** Moved back from the wallets of pools. */
  returnedUsd: moneyColumn,
  costsUsd: moneyColumn,
  otherOutUsd: moneyColumn,
  transactionsCount: integerColumn,
  verifiedCount: integerColumn,
  pendingCount: integerColumn,
  disputedCount: integerColumn,
  /** Verified, but not valued in dollars; excluded from every sum. */
  unvaluedCount: integerColumn,
  /** When the newest row was recorded; null for an empty ledger. */
  asOf: timestampColumn.nullable(),
  /** From outside into one of our wallets. */
  receivedUsd: moneyColumn,
  /** Out of our wallets. */
  paidUsd: moneyColumn,
})
export type Totals = z.infer<typeof totalsRow>

/** Sums of a pool's rows that are verified on chain and valued; the counts are of its other rows, each once. */
const poolRow = z
  .object({
    slug: z.string(),
    /** Donations and gifts: Total Donated of the pool. */
    totalUsd: moneyColumn,
    donationsUsd: moneyColumn,
    giftsUsd: moneyColumn,
    /** Donations that went straight to a partner: received and spent. */
    directUsd: moneyColumn,
    spentUsd: moneyColumn,
    leftUsd: moneyColumn,
    pendingCount: integerColumn,
    disputedCount: integerColumn,
    unvaluedCount: integerColumn,
    /** The time of its newest verified donation or gift. */
    lastDonationAt: timestampColumn.nullable(),
    helping: integerColumn.nullable(),
    helpingAt: timestampColumn.nullable(),
    helpingSource: linkColumn,
    picturedText: z.string().nullable(),
    picturedAt: timestampColumn.nullable(),
    picturedLinks: z.string().nullable(),
  })
  .transform(({ helping: count, helpingAt: at, helpingSource: source, ...columns }) => {
    const { picturedText: text, picturedAt, picturedLinks, ...row } = columns
    const [picture] = picturedLinks?.split('\n').flatMap((link) => readPictureLink(link) ?? []) ?? []
    return {
      ...row,
      /** The picture of its newest update with a picture, and the text of that update; null if no update has one. */
      pictured: picture && picturedAt ? { ...picture, text, at: picturedAt } : null,
      /**
       * Moves and other payments into its wallet, minus those out of it. The identity of the view pool_totals: left =
       * received + moved - spent.
       */
      movedUsd: row.leftUsd - row.totalUsd + row.spentUsd,
      /** From the newest update that states how many the pool helps; null if no update states it. */
      helping: count !== null && at ? { count, at, source } : null,
    }
  })
export type PoolTotals = z.infer<typeof poolRow>

/** A pool with its figures; `totals` is null if they can't be read. */
export type PoolWithTotals = ImpactPool & { totals: PoolTotals | null }

/** The figures of the whole ledger; null, and never zeros, if they can't be read. */
export function readTotals(data: Data): Promise<Totals | null> {
  return data.row('ledger_totals', totalsRow)
}

/** Every impact pool, with its figures. */
export async function listPoolsWithTotals(data: Data): Promise<PoolWithTotals[]> {
  const rows = await data.rows('pool_totals', poolRow)
  return impactPools.map((pool) => ({
    ...pool,
    totals: rows?.find(({ slug }) => slug === pool.slug) ?? null,
  }))
}
