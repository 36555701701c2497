import * as z from 'zod'
import type { Backend } from '../server/backend.server'
import { moneyColumn } from '../server/columns.server'
import type { Log } from '../server/log.server'
import type { MonthSum } from './months'

/** The API answers with no more rows than this: ten years have fewer. */
const mostRows = 1_000

const row = z.object({
  month: z.string().regex(/^\d{4}-\d\d-\d\d/),
  direction: z.enum(['in', 'out']),
  pool_slug: z.string().nullable(),
  sum_usd: moneyColumn,
})

/** What each month moved, newest first, or null where it can't be read. */
export async function listMonthSums(backend: Backend, log: Log): Promise<MonthSum[] | null> {
  const { data, error } = await backend
    .from('ledger_months')
    .select('month, direction, pool_slug, sum_usd')
    .order('month', { ascending: false })
    .limit(mostRows)
    .retry(false)
  const parsed = z.array(row).safeParse(data)
  if (error || !parsed.success) {
    log.error('months.not-loaded', { code: error?.code, reason: error ? 'backend' : 'shape' })
    return null
  }
  const sums = parsed.data.map(({ month, direction, pool_slug: pool, sum_usd: sum }) => ({
    month,
    direction,
    pool,
    sum,
  }))
  // The oldest month of a full answer may be cut.
  return sums.length < mostRows ? sums : sums.filter(({ month }) => month !== sums.at(-1)?.month)
}
