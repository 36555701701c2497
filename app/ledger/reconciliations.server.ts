import * as z from 'zod'
import { timestampColumn } from '../server/columns.server'
import type { Api as Backend } from '../server/data.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'
import type { Reconciliation } from './reconciliations'

const number = z.coerce.number().int()

const row = z.object({
  id: number,
  wallet: z.string(),
  block_number: number,
  block_time: timestampColumn,
  token_symbol: z.string(),
  token_decimals: number,
  chain_amount: z.coerce.bigint(),
  ledger_amount: z.coerce.bigint(),
  gas_paid: z.coerce.bigint().nullable(),
  difference: z.coerce.bigint().nullable(),
  unlisted: z.array(
    z.object({ tx_hash: z.string(), direction: z.enum(['in', 'out']), amount: z.coerce.bigint() }),
  ),
})

/** Returns the latest reconciliation of each wallet and token, or null if the read fails. */
export async function listReconciliations(backend: Backend, log: Log): Promise<Reconciliation[] | null> {
  const query = backend
    .from('published_reconciliations')
    .select(
      'id, wallet, block_number, block_time, token_symbol, token_decimals, chain_amount, ledger_amount, gas_paid, difference, unlisted',
    )
    .order('id')
  const rows = await readRows(query, z.array(row), log, 'reconciliations.not-loaded')
  if (!rows) return null
  return rows.map((found) => {
    const tokens = (amount: bigint) => ({
      amount,
      symbol: found.token_symbol,
      decimals: found.token_decimals,
    })
    return {
      id: found.id,
      wallet: found.wallet,
      blockNumber: found.block_number,
      blockTime: found.block_time,
      onChain: tokens(found.chain_amount),
      inLedger: tokens(found.ledger_amount),
      gasPaid: found.gas_paid === null ? null : tokens(found.gas_paid),
      difference: found.difference === null ? null : tokens(found.difference),
      unlisted: found.unlisted.map((transfer) => ({
        txHash: transfer.tx_hash,
        direction: transfer.direction,
        tokens: tokens(transfer.amount),
      })),
    }
  })
}
