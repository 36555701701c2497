import * as z from 'zod/mini'
import { integerColumn, timestampColumn } from '../server/columns.server.ts'
import { Refused, Unreachable } from './chain-errors.ts'
import { checkDue } from './check-job.server.ts'
import { maxCalls } from './job-limits.ts'
import type { LedgerReport } from './ledger-report.ts'
import { append, readCoinBalances, rowsOf, type Service } from './ledger-store.server.ts'
import type { NewRow } from './new-row.ts'
import { judgeRows } from './new-rows.server.ts'
import { type Comparison, differs, reconcile } from './reconciliation.ts'
import type { Block, Chain } from './rpc.ts'
import { readTransaction, requireBlock } from './scan.ts'
import { tokenOf, type Watch, walletsOf } from './watch.ts'

/** Time between two comparisons, in milliseconds. */
const compareAfter = 60 * 60_000

const takenRow = z.object({ taken_at: timestampColumn })
const ledgerBalances = z.array(
  z.object({ wallet: z.string(), token_address: z.nullable(z.string()), amount: z.string() }),
)

/**
 * Compares the balances of our wallets at the newest final block with the ledger, if the last comparison is
 * old enough. Appends and checks the transfers of tokens that explain a difference, and then compares again. Records each
 * result separately: if a balance cannot be read or recorded, the others are recorded anyway.
 */
export async function compareBalances(service: Service, watch: Watch, chain: Chain): Promise<LedgerReport> {
  const at = chain.head - watch.confirmations + 1
  if (at < watch.startBlock || chain.calls > maxCalls || !(await isDue(service, watch))) return {}
  const block = await requireBlock(chain, at)
  let result = await compare(service, watch, chain, block)
  const recovered = await addMissing(service, watch, chain, result.comparisons).catch((error: unknown) => {
    // The comparison itself is complete.
    if (error instanceof Refused || error instanceof Unreachable) return 0
    throw error
  })
  if (recovered > 0) result = await compare(service, watch, chain, block)
  const { comparisons, faults } = result
  for (const comparison of comparisons) {
    const entries = [comparison] as never
    await service.call('record_reconciliations', integerColumn, { entries }).catch((error: Error) => {
      faults.push(`${comparison.token_symbol} of ${comparison.wallet}: ${error.message}`)
    })
  }
  const differences = comparisons.filter(differs).length
  return {
    differences,
    ...(recovered > 0 && { recovered, added: recovered }),
    ...(faults.length > 0 && { notCompared: faults }),
  }
}

async function compare(service: Service, watch: Watch, chain: Chain, block: Block) {
  const given = { chain: watch.chainId, wallets: walletsOf(watch), until_block: block.number }
  const balances = await service.call('ledger_balances', ledgerBalances, given)
  // A wallet's gas is unknown if its coin transfers were read only up to an earlier block.
  const coins = tokenOf(watch, null) ? await readCoinBalances(service, watch.chainId) : []
  const gasOf = (wallet: string) =>
    coins.find((coin) => coin.wallet === wallet && coin.block_hash === block.hash)?.gas_paid ?? null
  const listed = async (hashes: string[]) => {
    const rows = await rowsOf(service, watch.chainId, hashes)
    return new Set(rows.map(({ tx_hash, ordinal }) => `${tx_hash} ${ordinal}`))
  }
  return reconcile(chain, watch, block, balances, gasOf, listed)
}

/** Appends and checks the rows of the transactions that a comparison found. Returns the number of new rows. */
async function addMissing(
  service: Service,
  watch: Watch,
  chain: Chain,
  comparisons: readonly Comparison[],
): Promise<number> {
  const hashes = new Set(comparisons.flatMap(({ unlisted }) => unlisted.map(({ tx_hash }) => tx_hash)))
  const found: NewRow[] = []
  for (const hash of hashes) {
    const receipt = await chain.receipt(hash)
    const block = receipt && (await chain.blockByHash(receipt.blockHash))
    const read = block && (await readTransaction(chain, watch, hash, block))
    if (read && 'newRows' in read) found.push(...read.newRows)
  }
  if (found.length === 0) return 0
  const { newRows } = await judgeRows(service, chain, found)
  const { added } = await append(service, newRows)
  await checkDue(service, watch, chain, await rowsOf(service, watch.chainId, [...hashes]))
  return added
}

async function isDue(service: Service, { chainId }: Watch): Promise<boolean> {
  const [latest] = await service.rows('published_reconciliations', takenRow, (query) =>
    query.eq('chain_id', chainId).order('taken_at', { ascending: false }).limit(1),
  )
  return !latest || Date.now() - latest.taken_at.getTime() >= compareAfter
}
