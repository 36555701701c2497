import * as z from 'zod'
import { type ImpactPool, impactPools } from '../impact-pools'
import type { Backend } from '../server/backend.server'
import { moneyColumn, timestampColumn } from '../server/columns.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'
import type { PoolTotals, PoolWithTotals, Totals } from './totals'

const count = z.coerce.number().int()

const totalsRow = z.object({
  treasury_usd: moneyColumn,
  donated_usd: moneyColumn,
  dreams_funded_usd: moneyColumn,
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
  pending_count: count,
  disputed_count: count,
  unvalued_count: count,
  last_donation_at: timestampColumn.nullable(),
})

/** The figures of the whole ledger, or null where they can't be read: never a zero that nobody counted. */
export async function readTotals(backend: Backend, log: Log): Promise<Totals | null> {
  const query = backend
    .from('ledger_totals')
    .select(
      'treasury_usd, donated_usd, dreams_funded_usd, transactions_count, verified_count, pending_count, disputed_count, unvalued_count, as_of',
    )
    .single()
  const row = await readRows(query, totalsRow, log, 'totals.not-loaded')
  if (!row) return null
  return {
    treasury: row.treasury_usd,
    donated: row.donated_usd,
    dreamsFunded: row.dreams_funded_usd,
    transactions: row.transactions_count,
    verified: row.verified_count,
    pending: row.pending_count,
    disputed: row.disputed_count,
    unvalued: row.unvalued_count,
    asOf: row.as_of,
  }
}

/** Every pool with its figures. The pools stand whatever the ledger answers. */
export async function listPoolsWithTotals(backend: Backend, log: Log): Promise<PoolWithTotals[]> {
  const query = backend
    .from('pool_totals')
    .select('slug, total_usd, pending_count, disputed_count, unvalued_count, last_donation_at')
  const rows = (await readRows(query, z.array(poolRow), log, 'pool-totals.not-loaded')) ?? []
  return impactPools.map((pool) => ({ ...pool, totals: totalsOf(pool, rows) }))
}

function totalsOf({ slug }: ImpactPool, rows: z.infer<typeof poolRow>[]): PoolTotals | null {
  const row = rows.find((candidate) => candidate.slug === slug)
  if (!row) return null
  return {
    total: row.total_usd,
    pending: row.pending_count,
    disputed: row.disputed_count,
    unvalued: row.unvalued_count,
    lastDonationAt: row.last_donation_at,
  }
}
