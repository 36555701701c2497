import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { CallRefused, ReorgDetected, Unreachable } from '../app/chain/chain-errors.ts'
import type { Chain } from '../app/chain/rpc.ts'
import { readGoals, walletsOfGoals } from '../app/goals/goal-wallets.server.ts'
import { checkRows } from '../app/ledger/job/checks.ts'
import { scanCoins, startBefore } from '../app/ledger/job/coin-scan.ts'
import {
  append,
  appendCoins,
  appendUnread,
  type Row,
  record,
  rowsAfter,
  rowsOf,
} from '../app/ledger/job/ledger-store.server.ts'
import type { NewRow } from '../app/ledger/job/new-row.ts'
import { type Position, requireBlock, scanSteps } from '../app/ledger/job/scan.ts'
import { tokenOf, walletsOf } from '../app/ledger/job/watch.ts'
import { listWords } from '../app/platform/list.ts'
import { plural } from '../app/platform/plural.ts'
import { integerColumn } from '../app/platform/server/columns.server.ts'
import { blockFrom, type Operator, UsageError } from './ledger-operator.ts'
import { duration, showProgress } from './progress.ts'

const mostAttempts = 6
const rowsAtOnce = 50

const statusRow = z.object({
  size: z.nullable(integerColumn),
  signed_size: z.nullable(integerColumn),
  chain_id: z.nullable(integerColumn),
  block_number: z.nullable(integerColumn),
  block_time: z.nullable(z.string()),
  scanned_at: z.nullable(z.string()),
  unread_count: integerColumn,
})
const totalsRow = z.object({
  transactions_count: integerColumn,
  verified_count: integerColumn,
  pending_count: integerColumn,
  disputed_count: integerColumn,
  unvalued_count: integerColumn,
})

const sourceRow = z.object({
  source: z.string(),
  well_at: z.nullable(z.string()),
  fault: z.nullable(z.string()),
  fault_since: z.nullable(z.string()),
})

/**
 * Prints the ledger's counts, the last block that was read, the sources of statements, the newest block of
 * the blockchain and the faults of the endpoints.
 */
export async function showStatus({ config, service, chain }: Operator): Promise<void> {
  const status = await service.row('ledger_status', statusRow)
  const totals = await service.row('ledger_totals', totalsRow)
  const line = (name: string, value: unknown) => console.log(`${name.padEnd(14)} ${value}`)
  line('entries', status.size ?? 'none')
  line('published', totals.transactions_count)
  for (const count of ['verified', 'pending', 'disputed', 'unvalued'] as const)
    line(count, totals[`${count}_count`])
  line('signed', status.signed_size ? `${status.signed_size} entries` : 'never')
  line('read', status.block_number ? `chain ${status.chain_id} up to block ${status.block_number}` : 'never')
  if (status.unread_count) line('unread', `${status.unread_count} transactions`)
  if (status.block_time) line('', `of ${status.block_time}, read at ${status.scanned_at}`)
  const sources = await service.rows('source_states', sourceRow, (query) => query.order('source'))
  for (const { source, well_at, fault, fault_since } of sources) {
    line('source', `${source}, last read ${well_at ?? 'never'}`)
    if (fault) line('', `since ${fault_since}: ${fault}`)
  }
  if (config.CHAIN_RPC_URLS.length === 0) return line('chain', 'none is configured')
  const { head, faults } = await chain()
  line('chain head', head)
  if (status.block_number) line('behind', `${Math.max(0, head - status.block_number)} blocks`)
  for (const [name, fault] of Object.entries(faults)) line(name, fault)
}

/**
 * Records the transfers of a range of blocks. Writes each step before the next read and skips known rows, so
 * the command can be stopped at any point. After a failure of the endpoints, waits and tries again, with at
 * most `mostAttempts` attempts for each step. If the range begins at or before `CHAIN_START_BLOCK` and all
 * coin transfers of a wallet were read, the command recounts the wallet's gas fees, and the job then reads
 * the wallet's coin transfers from the last block of the range.
 */
export async function backfill(
  operator: Operator,
  from: string | undefined,
  to: string | undefined,
): Promise<void> {
  const goals = operator.config.FUNDME_OPEN ? await readGoals(operator.service) : []
  const watch = { ...operator.watch(), goals: walletsOfGoals(goals) }
  let chain = await operator.chain()
  const first = blockFrom('--from', from)
  const last = blockFrom('--to', to)
  if (first > last) throw new UsageError('--from must be lower than --to.')
  if (last > chain.head) throw new UsageError(`The blockchain is only at block ${chain.head}.`)
  await operator.confirm(`Blocks ${first} to ${last} of chain ${watch.chainId}.`)
  const progress = showProgress(last - first + 1, 'block')
  let next = first
  let begun: Position['begun'] = null
  let added = 0
  const wallets = tokenOf(watch, null) ? walletsOf(watch) : []
  for (let attempt = 1; next <= last || wallets.length > 0; ) {
    try {
      for await (const { newRows, unread, read } of scanSteps(chain, watch, next, last, begun)) {
        added += await write(operator, chain, newRows)
        if (unread.length > 0) await appendUnread(operator.service, watch.chainId, [], unread)
        for (const { tx_hash, fault } of unread)
          console.log(`Not read, and tried again later: ${tx_hash} (${fault})`)
        next = read.block.number + 1
        begun = read.begun
        attempt = 1
        progress(next - first, `${added} new rows`)
      }
      for (let wallet = wallets[0]; wallet; wallet = wallets[0]) {
        added += await backfillCoins(operator, chain, wallet, { first, last })
        wallets.shift()
        attempt = 1
      }
    } catch (error) {
      if (error instanceof CallRefused)
        throw new UsageError(
          `The endpoints have no state of block ${last}, so coin transfers can't be found.`,
        )
      if (!(error instanceof Unreachable || error instanceof ReorgDetected)) throw error
      if (attempt === mostAttempts)
        throw new UsageError(
          `${error.message}\nStopped. To continue: npm run ledger -- backfill --from ${next <= last ? next : first} --to ${last}`,
        )
      await sleep(1_000 * 2 ** attempt)
      attempt += 1
      chain = await operator.chain().catch(() => chain)
    }
  }
  console.log(plural(added, { one: 'Done: # new row.', other: 'Done: # new rows.' }))
  await operator.tellSite()
}

/** Appends rows and checks them against the blockchain. Returns the number of new rows. */
async function write({ service, watch }: Operator, chain: Chain, newRows: NewRow[]): Promise<number> {
  if (newRows.length === 0) return 0
  const { chainId, confirmations } = watch()
  const { added } = await append(service, newRows)
  const hashes = newRows.map(({ tx_hash }) => tx_hash)
  const rows = await rowsOf(service, chainId, hashes)
  await record(service, rows, await checkRows(chain, confirmations, rows))
  return added
}

/**
 * Records the coin transfers of a wallet. Prints the blocks that could not be read, and the changes of the
 * balance that no transfer explains. Returns the number of new rows.
 */
async function backfillCoins(
  operator: Operator,
  chain: Chain,
  wallet: string,
  { first, last }: { first: number; last: number },
): Promise<number> {
  const watch = operator.watch()
  const start = startBefore(first, wallet, 0n)
  // The command reads up to the newest final block, as the job does. The job finds later transfers.
  const until = Math.min(last, chain.head - watch.confirmations + 1)
  const { hash: block_hash } = await requireBlock(chain, until)
  const coins = await scanCoins(chain, watch, start, until)
  if ((await requireBlock(chain, until)).hash !== block_hash) throw new ReorgDetected()
  const added = await write(operator, chain, coins.newRows)
  if (first <= watch.startBlock && coins.unread.length === 0) {
    const balance = { ...coins.last, block_hash, after: start.block_number }
    await appendCoins(operator.service, watch.chainId, [], [balance])
  }
  for (const line of coins.unread)
    console.log(`Not read, because the endpoints have no state of these blocks: ${line}`)
  for (const line of coins.unexplained) console.log(`Coins moved by a contract: ${line}`)
  return added
}

/**
 * Checks the rows of the given transactions against the blockchain, and records the results. Checks all rows
 * if no transactions are given. Returns false if a row does not match the blockchain or could not be checked.
 * Throws a UsageError if a given transaction has no row.
 */
export async function verify(operator: Operator, txHashes: string[]): Promise<boolean> {
  const { service } = operator
  const watch = operator.watch()
  const chain = await operator.chain()
  const total = txHashes.length > 0 ? txHashes.length : await countRows(operator)
  const progress = showProgress(total, 'row')
  const counts: Record<string, number> = {}
  const disputed: string[] = []
  const startedAt = Date.now()
  let done = 0
  for (let after = 0; ; ) {
    const rows: Row[] =
      txHashes.length > 0
        ? await rowsOf(
            service,
            watch.chainId,
            txHashes.map((hash) => hash.toLowerCase()),
          )
        : await rowsAfter(service, watch.chainId, after, rowsAtOnce)
    const absent = txHashes.filter((hash) => !rows.some((row) => row.tx_hash === hash.toLowerCase()))
    if (absent.length > 0) throw new UsageError(`The ledger has no row of ${listWords(absent, 'or')}.`)
    const checks = await checkRows(chain, watch.confirmations, rows)
    await record(service, rows, checks)
    for (const { transaction_id, status, reason } of checks) {
      counts[status] = (counts[status] ?? 0) + 1
      const row = rows.find(({ id }) => id === transaction_id)
      if (status === 'mismatch' || status === 'reorganised')
        disputed.push(`${row?.tx_hash} ${row?.ordinal}: ${status}, ${reason}`)
    }
    done += rows.length
    progress(
      done,
      Object.entries(counts)
        .map(([status, count]) => `${count} ${status}`)
        .join(', ') || 'none',
    )
    after = rows.at(-1)?.id ?? after
    if (txHashes.length > 0 || rows.length < rowsAtOnce) break
  }
  for (const line of disputed) console.log(line)
  console.log(
    `Checked ${plural(done, { one: '# row', other: '# rows' })} in ${duration(Date.now() - startedAt)}.`,
  )
  await operator.tellSite()
  return disputed.length === 0 && !counts.unreachable
}

async function countRows({ service }: Operator): Promise<number> {
  const totals = await service.row('ledger_totals', totalsRow)
  return totals.transactions_count
}
