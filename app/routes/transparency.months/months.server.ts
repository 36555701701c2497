import * as z from 'zod'
import { directionColumn, moneyColumn } from '~/server/columns.server'
import { type Data, rowsPerCall } from '~/server/data.server'

/** The sum of one month for one pair of accounts, direction, type and pool. */
const monthRow = z.object({
  /** Its first day, 'YYYY-MM-DD'. */
  month: z.string().regex(/^\d{4}-\d\d-\d\d/),
  account: z.string(),
  counterAccount: z.string().nullable(),
  direction: directionColumn,
  type: z.string(),
  poolSlug: z.string().nullable(),
  sumUsd: moneyColumn,
})
export type MonthSum = z.infer<typeof monthRow>

/** The sums of each month, newest first: about 80 months with 12 sums each. Null if they can't be read. */
export async function listMonthSums(data: Data): Promise<MonthSum[] | null> {
  const sums = await data.rows('ledger_months', monthRow, (query) =>
    query.order('month', { ascending: false }).limit(rowsPerCall),
  )
  if (!sums || sums.length < rowsPerCall) return sums
  // A full response may end within its oldest month, so that month is dropped.
  return sums.filter(({ month }) => month !== sums.at(-1)?.month)
}
