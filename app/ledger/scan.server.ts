import * as z from 'zod'
import { integerColumn, objectsColumn, timestampColumn } from '../server/columns.server'
import type { Data } from '../server/data.server'

/** The last block of a chain that was read: each column is null if no block was read yet. */
const scanRow = z
  .object({
    chainId: integerColumn.nullable(),
    blockNumber: integerColumn.nullable(),
    blockTime: timestampColumn.nullable(),
    scannedAt: timestampColumn.nullable(),
    /** Number of transactions that no endpoint delivered, so that their transfers are not in the ledger. */
    unreadCount: integerColumn,
    /** The newest 20 of these. */
    unread: objectsColumn(z.object({ txHash: z.string(), blockTime: timestampColumn })),
  })
  .transform(({ chainId, blockNumber, blockTime, scannedAt, ...rest }) =>
    chainId !== null && blockNumber !== null && blockTime && scannedAt
      ? { chainId, blockNumber, blockTime, scannedAt, ...rest }
      : null,
  )
export type Scan = NonNullable<z.infer<typeof scanRow>>

/** The last block that was read from a chain; null if no block was read yet or the backend fails. */
export function readScan(data: Data): Promise<Scan | null> {
  return data.row('ledger_status', scanRow)
}
