import * as z from 'zod/mini'
import { storedTransaction } from '../chain/stored-transaction.server.ts'
import type { Service } from '../platform/server/service.server.ts'
import { ledgerLog } from './ledger-log.ts'

const stored = z.extend(storedTransaction, {
  /** The result of the latest check: sent, pending or lost; null before the first check. */
  status: z.nullable(z.string()),
})
const anchor = z.object({
  id: z.number(),
  size: z.number(),
  root: z.string(),
  nonce: z.number(),
  recorded_at: z.string(),
})
const anchorState = z.object({
  open: z.nullable(z.extend(anchor, { transactions: z.array(stored) })),
  latest: z.nullable(anchor),
  day_count: z.number(),
  next_nonce: z.nullable(z.number()),
})
export type AnchorState = z.infer<typeof anchorState>
export type OpenAnchor = NonNullable<AnchorState['open']>

/**
 * The anchors of the ledger's log on this chain: the open anchor (neither final nor lost), the newest anchor
 * (each null if the log has no such anchor), and the number of anchors in the last 24 hours. `next_nonce` is
 * the highest stored nonce of `address` (in lower case) plus 1; null if no anchor of that address is stored.
 */
export function readAnchorState(service: Service, chain: number, address: string): Promise<AnchorState> {
  return service.call('anchor_state', anchorState, { log: ledgerLog, chain, address })
}
