import * as z from 'zod/mini'
import { integerColumn, moneyColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { tokenColumns, withTokens } from './token-columns.server'

/** A verified payment to a cause. A transfer from the treasury to a pool is not such a payment. */
const causePaymentRow = z.pipe(
  z.object({
    ...tokenColumns,
    id: integerColumn,
    occurredAt: timestampColumn,
    account: z.string(),
    poolSlug: z.nullable(z.string()),
    amountUsd: z.nullable(moneyColumn),
    /** What the payment is for; null if no purpose is published. */
    note: z.nullable(z.string()),
    /** Whether a statement whose source is confirmed names the payment. */
    isNamed: z.boolean(),
  }),
  z.transform(withTokens),
)
export type CausePayment = z.infer<typeof causePaymentRow>

/** The newest verified payments to causes, or of one account; null if the payments can't be read. */
export function listCausePayments(
  data: Data,
  limit: number,
  account?: string,
): Promise<CausePayment[] | null> {
  return data.rows('published_cause_payments', causePaymentRow, (query) =>
    (account ? query.eq('account', account) : query)
      .order('occurred_at', { ascending: false })
      .order('id', { ascending: false })
      .limit(limit),
  )
}
