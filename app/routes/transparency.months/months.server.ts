import * as z from 'zod'
import { moneyColumn } from '~/server/columns.server'
import type { Data } from '~/server/data.server'

/** Maximum number of months in a chart; for a longer ledger, the latest months are shown. */
const maxMonths = 120

/** One month with a verified payment, in verified dollars. */
const monthRow = z.object({
  /** Its first day, 'YYYY-MM-DD'. */
  month: z.string().regex(/^\d{4}-\d\d-\d\d/),
  /** From outside into one of our wallets. */
  receivedUsd: moneyColumn,
  /** Between two of our wallets. */
  movedUsd: moneyColumn,
  /** Out of our wallets. */
  paidUsd: moneyColumn,
  /** In all our wallets at the end of the month. */
  heldUsd: moneyColumn,
  /** What each impact pool received, by slug. */
  pools: z
    .record(z.string(), moneyColumn)
    .nullable()
    .transform((pools) => pools ?? {}),
})
export type MonthRow = z.infer<typeof monthRow>

/** One month, with or without payments. */
export type Month = Omit<MonthRow, 'month'> & {
  /** Its first day, UTC. */
  start: Date
}

/**
 * Every month from the first to the last with a verified payment, at most the latest `maxMonths`, oldest first; null if
 * they can't be read.
 */
export async function listMonths(data: Data): Promise<Month[] | null> {
  const rows = await data.rows('ledger_months', monthRow, (query) =>
    query.order('month', { ascending: false }).limit(maxMonths),
  )
  return rows && toMonths(rows)
}

/** The months of `rows`, which are in any order, and the months between them. */
export function toMonths(rows: MonthRow[]): Month[] {
  const months: Month[] = []
  for (const { month, ...figures } of rows.toSorted((a, b) => (a.month < b.month ? -1 : 1))) {
    const start = new Date(`${month.slice(0, 7)}-01T00:00:00Z`)
    for (let last = months.at(-1); last && monthAfter(last.start) < start; last = months.at(-1))
      months.push({ ...nothing, start: monthAfter(last.start), heldUsd: last.heldUsd })
    months.push({ start, ...figures })
  }
  return months.slice(-maxMonths)
}

const nothing = { receivedUsd: 0, movedUsd: 0, paidUsd: 0, pools: {} }

function monthAfter(start: Date): Date {
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
}
