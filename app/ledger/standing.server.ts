import * as z from 'zod'
import { instant } from '../rows.server'
import { type Standing, statuses } from './standing'

/** How a published row stands, as a query names it. */
export const standingColumns = 'status, checked_at, unreachable_at'

export const standingRow = z.object({
  status: z.enum(statuses),
  checked_at: instant.nullable(),
  unreachable_at: instant.nullable(),
})

export function toStanding(row: z.infer<typeof standingRow>): Standing {
  return { status: row.status, checkedAt: row.checked_at, unreachableAt: row.unreachable_at }
}
