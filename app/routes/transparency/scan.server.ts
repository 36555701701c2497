import * as z from 'zod'
import { timestampColumn } from '~/server/columns.server'
import type { Api as Backend } from '~/server/data.server'
import type { Log } from '~/server/log.server'
import { readRows } from '~/server/read-rows.server'
import type { Scan } from './scan'

const number = z.coerce.number().int()

const row = z.object({
  chain_id: number.nullable(),
  block_number: number.nullable(),
  block_time: timestampColumn.nullable(),
  scanned_at: timestampColumn.nullable(),
})

/** The last block that was read from a chain; null if no block was read yet or the backend fails. */
export async function readScan(backend: Backend, log: Log): Promise<Scan | null> {
  const query = backend
    .from('ledger_status')
    .select('chain_id, block_number, block_time, scanned_at')
    .single()
  const status = await readRows(query, row, log, 'scan.not-loaded')
  if (!status) return null
  const {
    chain_id: chainId,
    block_number: blockNumber,
    block_time: blockTime,
    scanned_at: scannedAt,
  } = status
  if (chainId === null || blockNumber === null || !blockTime || !scannedAt) return null
  return { chainId, blockNumber, blockTime, scannedAt }
}
