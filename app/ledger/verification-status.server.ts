import * as z from 'zod'
import { timestampColumn } from '../server/columns.server'
import { statuses } from './statuses'
import type { VerificationStatus } from './verification-status'

/** The columns of a verification status in the published views. */
export const verificationColumns = 'status, checked_at, unreachable_at'

export const verificationRow = z.object({
  status: z.enum(statuses),
  checked_at: timestampColumn.nullable(),
  unreachable_at: timestampColumn.nullable(),
})

export function toVerification(row: z.infer<typeof verificationRow>): VerificationStatus {
  return { status: row.status, checkedAt: row.checked_at, unreachableAt: row.unreachable_at }
}
