import * as z from 'zod/mini'
import { impactPools } from '~/platform/impact-pools'
import { moneyColumn } from '~/platform/server/columns.server'
import type { Data } from '~/platform/server/data.server'

/** Maximum number of months on the page: the latest of a longer ledger. */
const maxMonths = 120

/** A month with a verified payment, in verified dollars. */
const monthRow = z.object({
  /** The first day of the month, 'YYYY-MM-DD'. */
  month: z.string().check(z.regex(/^\d{4}-\d\d-\d\d/)),
  /** Moved from outside into our wallets. */
  receivedUsd: moneyColumn,
  /** Moved between our wallets. */
  movedUsd: moneyColumn,
  /** Moved out of our wallets. */
  paidUsd: moneyColumn,
  /** The money in all our wallets at the end of the month. */
  heldUsd: moneyColumn,
  /** The parts of `paidUsd`, by use (ledger/uses.ts). */
  uses: z.pipe(
    z.nullable(z.record(z.string(), moneyColumn)),
    z.transform((uses) => uses ?? {}),
  ),
})
export type MonthRow = z.infer<typeof monthRow>

/** A month with or without payments. */
export type Month = Omit<MonthRow, 'month'> & {
  /** The first day of the month, UTC. */
  start: Date
}

/**
 * All months from the first to the last with a verified payment, oldest first, but no more than the latest
 * `maxMonths`; null if the months can't be read.
 */
export async function listMonths(data: Data): Promise<Month[] | null> {
  const rows = await data.rows('ledger_months', monthRow, (query) =>
    query.order('month', { ascending: false }).limit(maxMonths),
  )
  return rows && toMonths(rows)
}

/** Sorts `rows` by month, and adds the months between them that have no row. */
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

/** The uses of money in these months: the pools, then other causes, then the rest. */
export function usesOf(months: Month[]): string[] {
  const found = new Set(months.flatMap(({ uses }) => Object.keys(uses)))
  const first = [...impactPools.map(({ slug }) => slug), 'other-causes']
  return [
    ...first.filter((use) => found.has(use)),
    ...[...found].filter((use) => !first.includes(use)).sort(),
  ]
}

const nothing = { receivedUsd: 0, movedUsd: 0, paidUsd: 0, uses: {} }

function monthAfter(start: Date): Date {
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1))
}
