import * as z from 'zod/mini'
import { maxCalls } from '../../chain/job-limits.ts'
import type { Chain } from '../../chain/rpc.ts'
import { integerColumn } from '../../platform/server/columns.server.ts'
import type { Service } from '../../platform/server/service.server.ts'
import { findForkPoint } from './fork-point.server.ts'
import { countRows, type LedgerReport } from './ledger-report.ts'
import {
  append,
  appendStep,
  appendUnread,
  type Row,
  rowsFrom,
  rowsOf,
  unreadDue,
} from './ledger-store.server.ts'
import type { NewRow } from './new-row.ts'
import { judgeRows } from './new-rows.server.ts'
import { type Position, readTransaction, requireBlock, scanSteps, type UnreadTransaction } from './scan.ts'
import type { Watch } from './watch.ts'

/** The time in milliseconds after which a run begins no further step: the rest of it needs time too. */
const scanTimeout = 25_000
/**
 * With a single endpoint, the number of blocks after which each block is read a second time, some minutes later: a node
 * that was behind returned nothing for it, and no other endpoint said otherwise.
 */
const readAgainAfter = 600
/** How many unread transactions a run tries again at most, and the time after which it tries no more. */
const maxUnread = 20
const unreadTimeout = 10_000
/** Maximum number of new rows that a run checks; later runs check the other rows when they are due. */
const maxChecksOfNew = 2_000
/** Maximum number of rows of replaced blocks that a run checks. */
const maxChecksAfterReorg = 200

const positionRow = z.object({
  chain_id: z.nullable(integerColumn),
  block_number: z.nullable(integerColumn),
  block_hash: z.nullable(z.string()),
  begun_hash: z.nullable(z.string()),
  begun_index: z.nullable(integerColumn),
})

/** The stored position of the scan; null before the first step. */
interface StoredPosition {
  number: number
  hash: string
  begun: Position['begun']
}

/**
 * Reads the chain after the stored position, within the limits of a run; after a reorganisation, from the
 * fork point. Returns the rows to check and the number of blocks that are still to be read. The rows to check
 * are those of the transactions that were read and, after a reorganisation, up to `maxChecksAfterReorg` rows
 * of the blocks from the fork point.
 */
export async function followTokens(
  service: Service,
  watch: Watch,
  chain: Chain,
  report: (part: LedgerReport) => void,
): Promise<{ rows: Row[]; behind: number }> {
  const stored = await readPosition(service, watch)
  const fork = stored && (await findFork(service, watch, chain, stored))
  const first = fork ?? (stored ? stored.number + 1 : watch.startBlock)
  const rows = fork === null ? [] : await rowsFrom(service, watch.chainId, fork, maxChecksAfterReorg)
  if (fork !== null) report({ reorganisedAt: fork })

  let before = stored && { number: stored.number, index: stored.begun?.index ?? null }
  let next = first
  let unread = 0
  const hashes: string[] = []
  const startedAt = Date.now()
  let late = 0
  try {
    const begun = fork === null ? (stored?.begun ?? null) : null
    for await (const found of scanSteps(chain, watch, first, chain.head, begun)) {
      const { newRows, outsized } = await judgeRows(service, chain, found.newRows)
      if (outsized.length > 0) report({ outsized })
      const step = { ...found, newRows }
      const { added } = await appendStep(service, watch.chainId, before, step)
      report(countRows(step.newRows, added))
      unread += step.unread.length
      hashes.push(...step.newRows.map(({ tx_hash }) => tx_hash))
      const { block, begun } = step.read
      before = { number: block.number, index: begun?.index ?? null }
      next = block.number + 1
      if (chain.calls > maxCalls || Date.now() - startedAt > scanTimeout) break
    }
    if (chain.isSingle) {
      const from = Math.max(watch.startBlock, first - readAgainAfter)
      const again = await readRange(service, watch, chain, from, next - 1 - readAgainAfter)
      late = again.added
      hashes.push(...again.hashes)
    }
  } finally {
    const behind = Math.max(0, chain.head - (next - 1))
    report({
      ...(next > first && { scanned: `${first}-${next - 1}` }),
      ...(unread > 0 && { unread }),
      ...(late > 0 && { late, added: late }),
      behind,
    })
  }
  rows.push(...(await rowsOf(service, watch.chainId, hashes, maxChecksOfNew)))
  return { rows, behind: Math.max(0, chain.head - (next - 1)) }
}

/** Appends a range's missing rows, apart from the scan. `next`: where it ended early, or null. */
export async function readRange(
  service: Service,
  watch: Watch,
  chain: Chain,
  from: number,
  to: number,
): Promise<{ added: number; hashes: string[]; next: number | null }> {
  let added = 0
  const hashes: string[] = []
  for await (const step of scanSteps(chain, watch, from, to)) {
    const { newRows } = await judgeRows(service, chain, step.newRows)
    added += (await append(service, newRows)).added
    hashes.push(...newRows.map(({ tx_hash }) => tx_hash))
    if (step.unread.length > 0) await appendUnread(service, watch.chainId, [], step.unread)
    const last = step.read.block.number
    if (chain.calls > maxCalls && last < to) return { added, hashes, next: last + 1 }
  }
  return { added, hashes, next: null }
}

async function readPosition(service: Service, { chainId }: Watch): Promise<StoredPosition | null> {
  const { chain_id, block_number, block_hash, begun_hash, begun_index } = await service.row(
    'ledger_status',
    positionRow,
  )
  if (chain_id !== chainId || block_number === null || block_hash === null) return null
  const begun = begun_hash !== null && begun_index !== null ? { hash: begun_hash, index: begun_index } : null
  return { number: block_number, hash: block_hash, begun }
}

/** The first block to read again if the block of the stored position was replaced, otherwise null. */
async function findFork(
  service: Service,
  watch: Watch,
  chain: Chain,
  { number, hash }: StoredPosition,
): Promise<number | null> {
  if (number > chain.head) return null
  const block = await requireBlock(chain, number)
  return block.hash === hash ? null : findForkPoint(service, watch, chain, number)
}

/**
 * Tries again to read transactions that no endpoint delivered before. Returns the rows of the transactions
 * that were read. Forgets a transaction whose block was replaced, because the scan reads the new block.
 */
export async function readUnread(
  service: Service,
  watch: Watch,
  chain: Chain,
  report: (part: LedgerReport) => void,
): Promise<Row[]> {
  const found: NewRow[] = []
  const results: (UnreadTransaction | { tx_hash: string })[] = []
  const startedAt = Date.now()
  for (const { tx_hash, block_number, block_hash } of await unreadDue(service, watch.chainId, maxUnread)) {
    if (Date.now() - startedAt > unreadTimeout) break
    const block = await requireBlock(chain, block_number)
    const read =
      block.hash === block_hash ? await readTransaction(chain, watch, tx_hash, block) : { newRows: [] }
    results.push('unread' in read ? read.unread : { tx_hash })
    if ('newRows' in read) found.push(...read.newRows)
  }
  if (results.length === 0) return []
  const { newRows, outsized } = await judgeRows(service, chain, found)
  if (outsized.length > 0) report({ outsized })
  const { added } = await appendUnread(service, watch.chainId, newRows, results)
  if (newRows.length === 0) return []
  report(countRows(newRows, added))
  const hashes = newRows.map(({ tx_hash }) => tx_hash)
  return rowsOf(service, watch.chainId, hashes, maxChecksOfNew)
}
