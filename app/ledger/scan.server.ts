import * as z from 'zod/mini'
import { integerColumn, objectsColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'

/** The last block of the blockchain that the job has read; each column is null before the first read. */
const scanRow = z.pipe(
  z.object({
    chainId: z.nullable(integerColumn),
    blockNumber: z.nullable(integerColumn),
    blockTime: z.nullable(timestampColumn),
    scannedAt: z.nullable(timestampColumn),
    /** The number of transactions that no endpoint returned. The ledger lacks their transfers. */
    unreadCount: integerColumn,
    /** The newest 20 of these transactions. */
    unread: objectsColumn(z.object({ txHash: z.string(), blockTime: timestampColumn })),
  }),
  z.transform(({ chainId, blockNumber, blockTime, scannedAt, ...rest }) =>
    chainId !== null && blockNumber !== null && blockTime && scannedAt
      ? { chainId, blockNumber, blockTime, scannedAt, ...rest }
      : null,
  ),
)
export type Scan = NonNullable<z.infer<typeof scanRow>>

/** The last block that the job has read; null before the first read, or if the backend fails. */
export function readScan(data: Data): Promise<Scan | null> {
  return data.row('ledger_status', scanRow)
}
