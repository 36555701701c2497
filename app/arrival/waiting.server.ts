import * as z from 'zod/mini'
import { integerColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { answers } from './strengths'

const waiting = z.nullable(
  z.array(
    z.object({
      id: integerColumn,
      /** The id of the row of the ledger. */
      row: integerColumn,
      answer: z.enum(answers),
      recorded_at: timestampColumn,
      name: z.nullable(z.string()),
      words: z.nullable(z.string()),
    }),
  ),
)
export type WaitingAnswer = NonNullable<z.infer<typeof waiting>>[number]

/** The answers whose name or words wait for an operator, the oldest first; null if they cannot be read. */
export function waitingAnswers(data: Data): Promise<WaitingAnswer[] | null> {
  return data.call('waiting_answers', waiting, {}, { get: true })
}
