import * as z from 'zod'
import { integerColumn, timestampColumn } from '~/server/columns.server'
import type { Data } from '~/server/data.server'

/** The last block of a chain that was read: each column is null if none was read yet. */
const scanRow = z
  .object({
    chainId: integerColumn.nullable(),
    blockNumber: integerColumn.nullable(),
    blockTime: timestampColumn.nullable(),
    scannedAt: timestampColumn.nullable(),
  })
  .transform(({ chainId, blockNumber, blockTime, scannedAt }) =>
    chainId !== null && blockNumber !== null && blockTime && scannedAt
      ? { chainId, blockNumber, blockTime, scannedAt }
      : null,
  )
export type Scan = NonNullable<z.infer<typeof scanRow>>

/** The last block that was read from a chain; null if no block was read yet or the backend fails. */
export function readScan(data: Data): Promise<Scan | null> {
  return data.row('ledger_status', scanRow)
}
