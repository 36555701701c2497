import * as z from 'zod'
import { integerColumn, timestampColumn } from '../server/columns.server.ts'
import { maxCalls } from './job-limits.ts'
import type { LedgerReport } from './ledger-report.ts'
import { readCoinBalances, rowsOf, type Service } from './ledger-store.server.ts'
import { differs, reconcile } from './reconciliation.ts'
import type { Chain } from './rpc.ts'
import { requireBlock } from './scan.ts'
import { tokenOf, type Watch, walletsOf } from './watch.ts'

/** Time between two comparisons, in milliseconds. */
const compareAfter = 60 * 60_000

const takenRow = z.object({ taken_at: timestampColumn })
const ledgerBalances = z.array(
  z.object({ wallet: z.string(), token_address: z.string().nullable(), amount: z.string() }),
)

/**
 * Compares the balances of our wallets at the newest final block with the ledger, if the last comparison is
 * old enough. Records each result separately: if a balance cannot be read or recorded, the others are
 * recorded anyway.
 */
export async function compareBalances(service: Service, watch: Watch, chain: Chain): Promise<LedgerReport> {
  const at = chain.head - watch.confirmations + 1
  if (at < watch.startBlock || chain.calls > maxCalls || !(await isDue(service, watch))) return {}
  const block = await requireBlock(chain, at)
  const given = { chain: watch.chainId, wallets: walletsOf(watch), until_block: at }
  const balances = await service.call('ledger_balances', ledgerBalances, given)
  // A wallet's gas is unknown if its coin transfers were read only up to an earlier block.
  const coins = tokenOf(watch, null) ? await readCoinBalances(service, watch.chainId) : []
  const gasOf = (wallet: string) =>
    coins.find((coin) => coin.wallet === wallet && coin.block_hash === block.hash)?.gas_paid ?? null
  const listed = async (hashes: string[]) => {
    const rows = await rowsOf(service, watch.chainId, hashes)
    return new Set(rows.map(({ tx_hash, ordinal }) => `${tx_hash} ${ordinal}`))
  }
  const { comparisons, faults } = await reconcile(chain, watch, block, balances, gasOf, listed)
  for (const comparison of comparisons) {
    const entries = [comparison] as never
    await service.call('record_reconciliations', integerColumn, { entries }).catch((error: Error) => {
      faults.push(`${comparison.token_symbol} of ${comparison.wallet}: ${error.message}`)
    })
  }
  const differences = comparisons.filter(differs).length
  return { differences, ...(faults.length > 0 && { notCompared: faults }) }
}

async function isDue(service: Service, { chainId }: Watch): Promise<boolean> {
  const [latest] = await service.rows('published_reconciliations', takenRow, (query) =>
    query.eq('chain_id', chainId).order('taken_at', { ascending: false }).limit(1),
  )
  return !latest || Date.now() - latest.taken_at.getTime() >= compareAfter
}
