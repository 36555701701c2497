import * as z from 'zod/mini'
import { CallRefused, Unreachable } from '../../chain/chain-errors.ts'
import { maxCalls } from '../../chain/job-limits.ts'
import type { Block, Chain } from '../../chain/rpc.ts'
import { integerColumn, timestampColumn, unitsColumn } from '../../platform/server/columns.server.ts'
import type { Service } from '../../platform/server/service.server.ts'
import { checkDue } from './check-job.server.ts'
import { readCoinsAgain } from './coin-job.server.ts'
import type { LedgerReport } from './ledger-report.ts'
import { append, readCoinBalances, rowsOf } from './ledger-store.server.ts'
import type { NewRow } from './new-row.ts'
import { judgeRows } from './new-rows.server.ts'
import { type Comparison, differs, reconcile } from './reconciliation.ts'
import { readTransaction, requireBlock } from './scan.ts'
import { changesWithoutTransfers, noteChanges } from './token-check.ts'
import { tokenOf, type Watch, walletsOf } from './watch.ts'

/** Time between two comparisons, in milliseconds. */
const compareAfter = 60 * 60_000

const latestRow = z.object({
  taken_at: timestampColumn,
  wallet: z.string(),
  token_address: z.nullable(z.string()),
  block_number: integerColumn,
  block_hash: z.string(),
  gas_paid: z.nullable(unitsColumn),
  token_supply: z.nullable(z.string()),
  difference: z.nullable(z.string()),
})
/** The last comparison of a wallet and token. */
type Latest = z.infer<typeof latestRow>
const ledgerBalances = z.array(
  z.object({ wallet: z.string(), token_address: z.nullable(z.string()), amount: z.string() }),
)

/**
 * Compares the balances of our wallets at the newest final block with the ledger, if the last comparison is
 * old enough. Appends and checks the transfers that explain a difference, and then compares again. Records each
 * result separately: if a balance cannot be read or recorded, the others are recorded anyway.
 */
export async function compareBalances(service: Service, watch: Watch, chain: Chain): Promise<LedgerReport> {
  const at = chain.head - watch.confirmations + 1
  if (at < watch.startBlock || chain.calls > maxCalls) return {}
  const latest = await readLatest(service, watch)
  if (latest.some(({ taken_at }) => Date.now() - taken_at.getTime() < compareAfter)) return {}
  const block = await requireBlock(chain, at)
  let result = await compare(service, watch, chain, block, latest)
  let recovered = 0
  for (const add of [addMissing, addMissingCoins])
    recovered += await add(service, watch, chain, result.comparisons, latest).catch((error: unknown) => {
      // The comparison itself is complete.
      if (error instanceof CallRefused || error instanceof Unreachable) return 0
      throw error
    })
  if (recovered > 0) result = await compare(service, watch, chain, block, latest)
  const { comparisons, changing, untold, faults } = result
  const tokens = watch.tokens.filter(({ address }) => changing.some((each) => each.token_address === address))
  for (const { address } of watch.tokens)
    if (address)
      noteChanges(
        chain,
        address,
        tokens.some((token) => token.address === address),
      )
  for (const comparison of comparisons) {
    const entries = [comparison]
    await service.call('record_reconciliations', integerColumn, { entries }).catch((error: Error) => {
      faults.push(`${comparison.token_symbol} of ${comparison.wallet}: ${error.message}`)
    })
  }
  const differences = comparisons.filter(differs).length
  return {
    differences,
    ...(recovered > 0 && { recovered, added: recovered }),
    ...(faults.length > 0 && { notCompared: faults }),
    ...(tokens.length + untold.length > 0 && { tokens: [...tokens.map(changesWithoutTransfers), ...untold] }),
  }
}

async function compare(
  service: Service,
  watch: Watch,
  chain: Chain,
  block: Block,
  latest: readonly Latest[],
) {
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
  const matched = (wallet: string, token: string | null) =>
    latest.find((each) => each.wallet === wallet && each.token_address === token && each.difference === '0')
  return reconcile(chain, watch, block, balances, gasOf, listed, matched)
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

/**
 * Reads the coin transfers of each wallet again since its last comparison if the difference of its coins has changed.
 * Returns the number of new rows.
 */
async function addMissingCoins(
  service: Service,
  watch: Watch,
  chain: Chain,
  comparisons: readonly Comparison[],
  latest: readonly Latest[],
): Promise<number> {
  let added = 0
  for (const { wallet, difference } of comparisons.flatMap((each) => differenceOfCoins(each) ?? [])) {
    const before = latest.find((each) => each.wallet === wallet && each.token_address === null)
    if (!before?.difference || before.gas_paid === null || BigInt(before.difference) === difference) continue
    const { block_number, gas_paid } = before
    if ((await chain.block(block_number))?.hash !== before.block_hash) continue
    const rows = await readCoinsAgain(service, watch, chain, wallet, { block_number, gas_paid })
    const hashes = rows.map(({ tx_hash }) => tx_hash)
    if (rows.length > 0) await checkDue(service, watch, chain, await rowsOf(service, watch.chainId, hashes))
    added += rows.length
  }
  return added
}

/** The difference of a wallet's coins; null for a token, or if the gas is unknown. */
function differenceOfCoins({ wallet, token_address, chain_amount, ledger_amount, gas_paid }: Comparison) {
  if (token_address !== null || gas_paid === null) return null
  return { wallet, difference: BigInt(chain_amount) - BigInt(ledger_amount) + BigInt(gas_paid) }
}

/** The last comparison of each wallet and token. */
function readLatest(service: Service, { chainId }: Watch): Promise<Latest[]> {
  return service.rows('published_reconciliations', latestRow, (query) => query.eq('chain_id', chainId))
}
