import * as z from 'zod/mini'
import { integerColumn, timestampColumn } from '../server/columns.server'
import type { Data } from '../server/data.server'
import { operatorsOnly } from './guard.server'

const payerGap = z.object({
  payer: z.string(),
  /** How many transactions the payer has sent. */
  nonce: integerColumn,
  since: timestampColumn,
  /** The number of payments that are not checked yet, or whose sender is unknown so far. */
  unread: integerColumn,
  /** The rows of the payments that the payer sent without an order. */
  unmatched: z.array(integerColumn),
})
export type PayerGap = z.infer<typeof payerGap>

/**
 * What the ledger lacks of the payer's transactions, so that nothing is paid; 'none' if it lacks nothing, null
 * if it cannot be read.
 */
export function readPayerGap(data: Data): Promise<PayerGap | 'none' | null> {
  return data.call('payer_gap', operatorsOnly(payerGap), {}, { get: true })
}
