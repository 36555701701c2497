import * as z from 'zod/mini'
import { timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'

const complaintRow = z.object({
  /** The id of the goal. */
  goal: z.string(),
  reason: z.string(),
  text: z.string(),
  madeAt: timestampColumn,
  closedAt: z.nullable(timestampColumn),
  outcome: z.nullable(z.string()),
})

/** The member's complaints, newest first; null if the complaints cannot be read. */
export function listComplaints(data: Data): Promise<z.infer<typeof complaintRow>[] | null> {
  return data.rows('goal_complaints', complaintRow, (query) => query.order('made_at', { ascending: false }))
}
