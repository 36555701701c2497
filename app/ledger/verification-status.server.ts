import * as z from 'zod'
import { timestampColumn } from '../server/columns.server'
import { statuses } from './statuses'
import type { VerificationStatus } from './verification-status'

/** The columns of a verification status in the published views. */
export const standingColumns = 'status, checked_at, unreachable_at'

export const standingRow = z.object({
  status: z.enum(statuses),
  checked_at: timestampColumn.nullable(),
  unreachable_at: timestampColumn.nullable(),
})

export function toStanding(row: z.infer<typeof standingRow>): VerificationStatus {
  return { status: row.status, checkedAt: row.checked_at, unreachableAt: row.unreachable_at }
}
