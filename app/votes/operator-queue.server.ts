import * as z from 'zod/mini'
import { operatorsOnly } from '../acts/guard.server'
import { integerColumn, moneyColumn, objectsColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'

const title = z.nullable(z.string())

const voteQueues = operatorsOnly(
  z.object({
    /** The goals whose vote the schedule could not draw, open or count. */
    waits: z.object({
      count: integerColumn,
      items: objectsColumn(z.object({ goal: z.string(), title, reason: z.string(), since: timestampColumn })),
    }),
    /** The goals that won and that the treasury has not paid. */
    unpaid: z.object({
      count: integerColumn,
      items: objectsColumn(
        z.object({
          goal: z.string(),
          title,
          decidedAt: timestampColumn,
          targetUsd: moneyColumn,
          receivedUsd: moneyColumn,
          frozen: z.boolean(),
          wallet: z.string(),
          /** Whether an order to it waits to be paid. */
          ordered: z.boolean(),
        }),
      ),
    }),
  }),
)
export type VoteQueues = Exclude<z.infer<typeof voteQueues>, 'none'>

/** What waits for operators about votes; null if it cannot be read. */
export async function readVoteQueues(data: Data): Promise<VoteQueues | null> {
  const found = await data.call('votes_overview', voteQueues, {}, { get: true })
  return found === 'none' ? null : found
}
