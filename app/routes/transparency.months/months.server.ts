import * as z from 'zod'
import { moneyColumn } from '~/server/columns.server'
import type { Api as Backend } from '~/server/data.server'
import type { Log } from '~/server/log.server'
import { readRows } from '~/server/read-rows.server'
import type { MonthSum } from './months'

/** The API returns at most this many rows: about 80 months with 12 sums each. */
const maxRows = 1_000

const row = z.object({
  month: z.string().regex(/^\d{4}-\d\d-\d\d/),
  account: z.string(),
  counter_account: z.string().nullable(),
  direction: z.enum(['in', 'out']),
  type: z.string(),
  pool_slug: z.string().nullable(),
  sum_usd: moneyColumn,
})

/** The sums of each month by both accounts, direction, type and pool, newest first; null if they can't be read. */
export async function listMonthSums(backend: Backend, log: Log): Promise<MonthSum[] | null> {
  const query = backend
    .from('ledger_months')
    .select('month, account, counter_account, direction, type, pool_slug, sum_usd')
    .order('month', { ascending: false })
    .limit(maxRows)
  const rows = await readRows(query, z.array(row), log, 'months.not-loaded')
  if (!rows) return null
  const sums = rows.map(({ counter_account: counterAccount, pool_slug: pool, sum_usd: sum, ...row }) => ({
    ...row,
    counterAccount,
    pool,
    sum,
  }))
  // A full response may end within its oldest month, so that month is dropped.
  return sums.length < maxRows ? sums : sums.filter(({ month }) => month !== sums.at(-1)?.month)
}
