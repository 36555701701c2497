import * as z from 'zod'
import { type ImpactPool, impactPools } from '../impact-pools'
import { linkColumn, moneyColumn, timestampColumn } from '../server/columns.server'
import type { Api as Backend } from '../server/data.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'
import type { PoolTotals, PoolWithTotals, Totals } from './totals'

const count = z.coerce.number().int()

const totalsRow = z.object({
  treasury_usd: moneyColumn,
  donated_usd: moneyColumn,
  donated_elsewhere_usd: moneyColumn,
  dreams_funded_usd: moneyColumn,
  tax_usd: moneyColumn,
  gifts_usd: moneyColumn,
  other_in_usd: moneyColumn,
  returned_usd: moneyColumn,
  costs_usd: moneyColumn,
  other_out_usd: moneyColumn,
  transactions_count: count,
  verified_count: count,
  pending_count: count,
  disputed_count: count,
  unvalued_count: count,
  as_of: timestampColumn.nullable(),
})

const poolRow = z.object({
  slug: z.string(),
  total_usd: moneyColumn,
  donations_usd: moneyColumn,
  gifts_usd: moneyColumn,
  spent_usd: moneyColumn,
  left_usd: moneyColumn,
  pending_count: count,
  disputed_count: count,
  unvalued_count: count,
  last_donation_at: timestampColumn.nullable(),
  helping: count.nullable(),
  helping_at: timestampColumn.nullable(),
  helping_source: linkColumn,
})

/** The figures of the whole ledger; null, and never zeros, if they can't be read. */
export async function readTotals(backend: Backend, log: Log): Promise<Totals | null> {
  const query = backend.from('ledger_totals').select(Object.keys(totalsRow.shape).join(', ')).single()
  const row = await readRows(query, totalsRow, log, 'totals.not-loaded')
  if (!row) return null
  return {
    treasury: row.treasury_usd,
    donated: row.donated_usd,
    donatedElsewhere: row.donated_elsewhere_usd,
    dreamsFunded: row.dreams_funded_usd,
    tax: row.tax_usd,
    gifts: row.gifts_usd,
    otherIn: row.other_in_usd,
    returned: row.returned_usd,
    costs: row.costs_usd,
    otherOut: row.other_out_usd,
    transactions: row.transactions_count,
    verified: row.verified_count,
    pending: row.pending_count,
    disputed: row.disputed_count,
    unvalued: row.unvalued_count,
    asOf: row.as_of,
  }
}

/** Every impact pool, with its figures; `totals` is null if they can't be read. */
export async function listPoolsWithTotals(backend: Backend, log: Log): Promise<PoolWithTotals[]> {
  const query = backend.from('pool_totals').select(Object.keys(poolRow.shape).join(', '))
  const rows = (await readRows(query, z.array(poolRow), log, 'pool-totals.not-loaded')) ?? []
  return impactPools.map((pool) => ({ ...pool, totals: totalsOf(pool, rows) }))
}

function totalsOf({ slug }: ImpactPool, rows: z.infer<typeof poolRow>[]): PoolTotals | null {
  const row = rows.find((candidate) => candidate.slug === slug)
  if (!row) return null
  return {
    total: row.total_usd,
    donations: row.donations_usd,
    gifts: row.gifts_usd,
    spent: row.spent_usd,
    left: row.left_usd,
    // The identity of the view pool_totals: left = received + moved - spent.
    moved: row.left_usd - row.total_usd + row.spent_usd,
    pending: row.pending_count,
    disputed: row.disputed_count,
    unvalued: row.unvalued_count,
    lastDonationAt: row.last_donation_at,
    helping:
      row.helping !== null && row.helping_at
        ? { count: row.helping, at: row.helping_at, source: row.helping_source }
        : null,
  }
}
