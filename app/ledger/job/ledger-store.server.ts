import * as z from 'zod/mini'
import { timeOf } from '../../chain/rpc.ts'
import {
  directionColumn,
  integerColumn,
  timestampColumn,
  unitsColumn,
} from '../../platform/server/columns.server.ts'
import { rowsPerCall } from '../../platform/server/data.server.ts'
import type { Service } from '../../platform/server/service.server.ts'
import { type TransactionType, transactionTypes } from '../transaction-types.ts'
import type { Check } from './checks.ts'
import type { NewRow } from './new-row.ts'
import type { Position, UnreadTransaction } from './scan.ts'

// The keys of these rows are the column names, because the job writes most of these columns again.

const publishedRow = z.object({
  id: integerColumn,
  occurred_at: timestampColumn,
  account: z.string(),
  counter_account: z.nullable(z.string()),
  type: z.enum(Object.keys(transactionTypes) as [TransactionType, ...TransactionType[]]),
  direction: directionColumn,
  amount_usd: z.nullable(z.coerce.string()),
  rate_usd: z.nullable(z.string()),
  rate_source: z.nullable(z.string()),
  token_amount: z.nullable(unitsColumn),
  token_symbol: z.nullable(z.string()),
  token_decimals: z.nullable(integerColumn),
  token_address: z.nullable(z.string()),
  from_address: z.string(),
  to_address: z.string(),
  tx_hash: z.string(),
  chain_id: integerColumn,
  ordinal: integerColumn,
  revision: integerColumn,
  pool_slug: z.nullable(z.string()),
  proof_url: z.nullable(z.string()),
  note: z.nullable(z.string()),
  status: z.string(),
  unreachable_at: z.nullable(z.string()),
  block_number: z.nullable(integerColumn),
  block_hash: z.nullable(z.string()),
})

/** A published row, with the columns that a check or a correction needs. */
export type Row = z.infer<typeof publishedRow>

const factColumns = z.pick(publishedRow, {
  account: true,
  counter_account: true,
  type: true,
  direction: true,
  pool_slug: true,
  token_address: true,
  from_address: true,
  to_address: true,
  tx_hash: true,
  chain_id: true,
  ordinal: true,
  proof_url: true,
})

/** The columns of a row that a correction of the row's time does not change. */
export function factsOf(row: Row): z.infer<typeof factColumns> {
  return factColumns.parse(row)
}

/** Maximum number of rows, or of checks, in one call, so that the call ends within its timeout. */
const rowsPerWrite = 500

/** Writes checks; of 'unreachable' results only the first is stored, until an endpoint responds. */
export async function record(
  service: Service,
  rows: readonly Row[],
  checks: readonly Check[],
): Promise<void> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const news = checks.filter(({ transaction_id: id, status }) => {
    const before = byId.get(id)
    return status !== 'unreachable' || !(before?.unreachable_at || before?.status === 'unreachable')
  })
  for (let at = 0; at < news.length; at += rowsPerWrite) {
    const part = news.slice(at, at + rowsPerWrite)
    await service.call('record_checks', integerColumn, { checks: part })
  }
}

const appended = z.object({ added: integerColumn, size: integerColumn })
/** The number of rows that the ledger lacked, and the size of the log afterwards. */
type Appended = z.infer<typeof appended>

/** Appends rows, in several calls if there are more than `rowsPerWrite`. */
export function append(service: Service, newRows: readonly NewRow[]): Promise<Appended> {
  return appendInParts(service, newRows, (entries) => service.call('append_ledger', appended, { entries }))
}

/**
 * Appends the rows of a step. The database transaction that appends the last rows also stores the step's
 * unread transactions and the position after the step. `before` is the position that was stored when the step
 * began, or null. Throws ServiceFailure with the code `overtaken` if another run has moved the position.
 */
export function appendStep(
  service: Service,
  chain: number,
  before: { number: number; index: number | null } | null,
  { newRows, unread, read }: { newRows: NewRow[]; unread: UnreadTransaction[]; read: Position },
): Promise<Appended> {
  const scan = {
    chain_id: chain,
    after: before?.number ?? null,
    after_index: before?.index ?? null,
    block_number: read.block.number,
    block_hash: read.block.hash,
    block_time: timeOf(read.block),
    begun_hash: read.begun?.hash ?? null,
    begun_index: read.begun?.index ?? null,
    unread,
  }
  return appendInParts(service, newRows, (entries) =>
    service.call('append_ledger', appended, { entries, scan }),
  )
}

/**
 * Appends rows. The database transaction that appends the last rows also stores which transactions were read
 * (those without a fault) and which were not.
 */
export function appendUnread(
  service: Service,
  chain: number,
  newRows: readonly NewRow[],
  results: readonly (UnreadTransaction | { tx_hash: string })[],
): Promise<Appended> {
  return appendInParts(service, newRows, (entries) =>
    service.call('append_unread', appended, { chain, entries, results }),
  )
}

/** Appends all rows except the last `rowsPerWrite`, and passes the last rows to `last`. */
async function appendInParts(
  service: Service,
  newRows: readonly NewRow[],
  last: (entries: readonly NewRow[]) => Promise<Appended>,
): Promise<Appended> {
  let added = 0
  let at = 0
  for (; newRows.length - at > rowsPerWrite; at += rowsPerWrite) {
    const entries = newRows.slice(at, at + rowsPerWrite)
    added += (await service.call('append_ledger', appended, { entries })).added
  }
  const ending = await last(newRows.slice(at))
  return { ...ending, added: added + ending.added }
}

const unreadRows = z.array(
  z.object({ tx_hash: z.string(), block_number: integerColumn, block_hash: z.string() }),
)

/** Up to `most` transactions that could not be read before and are due for another try. */
export function unreadDue(
  service: Service,
  chain: number,
  most: number,
): Promise<z.infer<typeof unreadRows>> {
  return service.call('unread_due', unreadRows, { chain, most })
}

const coinBalances = z.array(
  z.object({
    wallet: z.string(),
    block_number: z.number(),
    block_hash: z.string(),
    amount: unitsColumn,
    nonce: z.number(),
    gas_paid: z.nullable(unitsColumn),
  }),
)
/** A wallet's balance, nonce and paid gas after the last block of which coin transfers were read. */
type StoredBalance = z.infer<typeof coinBalances>[number]
/** A balance after a scan from the block `after` on; it replaces the wallet's balances of later blocks. */
export type NewBalance = StoredBalance & { after: number }

/** The stored balances of all wallets (the latest ten of each), newest block first. */
export function readCoinBalances(service: Service, chain: number): Promise<StoredBalance[]> {
  return service.call('coin_balances', coinBalances, { chain })
}

/** Appends coin transfers and, in the same transaction, the balance up to which each wallet was read. */
export function appendCoins(
  service: Service,
  chain: number,
  newRows: readonly NewRow[],
  balances: readonly NewBalance[],
): Promise<{ added: number }> {
  const texts = balances.map(({ amount, gas_paid, ...balance }) => ({
    ...balance,
    amount: amount.toString(),
    gas_paid: gas_paid?.toString() ?? null,
  }))
  const added = z.object({ added: integerColumn })
  return service.call('append_coins', added, { chain, entries: newRows, balances: texts })
}

const dueRows = z.array(z.object({ id: integerColumn }))

/**
 * The rows that are due for a check, at most `most`: open rows (pending or unreachable) first, then rows
 * whose last check was before `settledBefore`.
 */
export async function rowsDue(
  service: Service,
  chain: number,
  settledBefore: Date,
  most: number,
): Promise<Row[]> {
  const settled_before = settledBefore.toISOString()
  const due = await service.call('transactions_due', dueRows, { chain, settled_before, most })
  if (due.length === 0) return []
  const ids = due.map(({ id }) => id)
  const rows = await service.rows('published_transactions', publishedRow, (query) => query.in('id', ids))
  const places = new Map(ids.map((id, at) => [id, at]))
  return rows.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
}

/** The number of transactions whose rows are read in one call. */
const hashesPerCall = 50

/** The published rows of the transactions with these hashes, at most `most`. */
export async function rowsOf(
  service: Service,
  chain: number,
  txHashes: readonly string[],
  most = Number.POSITIVE_INFINITY,
): Promise<Row[]> {
  const hashes = [...new Set(txHashes)]
  const all: Row[] = []
  for (let at = 0; at < hashes.length && all.length < most; at += hashesPerCall) {
    const some = hashes.slice(at, at + hashesPerCall)
    // A transaction may have thousands of rows.
    for (let after = 0, isFull = true; isFull && all.length < most; ) {
      const part = await service.rows('published_transactions', publishedRow, (query) =>
        query.eq('chain_id', chain).in('tx_hash', some).gt('id', after).order('id').limit(rowsPerCall),
      )
      all.push(...part)
      after = part.at(-1)?.id ?? after
      isFull = part.length === rowsPerCall
    }
  }
  return all.slice(0, most)
}

/** The hash of the oldest verified transaction of the chain, or null. */
export async function oldestHash(service: Service, chain: number): Promise<string | null> {
  const [oldest] = await service.rows(
    'published_transactions',
    z.pick(publishedRow, { tx_hash: true }),
    (query) => query.eq('chain_id', chain).eq('status', 'verified').order('occurred_at').limit(1),
  )
  return oldest?.tx_hash ?? null
}

/** All published rows of a type, newest first. */
export async function* rowsOfType(service: Service, type: string): AsyncGenerator<Row> {
  for (let before = Number.MAX_SAFE_INTEGER, isFull = true; isFull; ) {
    const part = await service.rows('published_transactions', publishedRow, (query) =>
      query.eq('type', type).lt('id', before).order('id', { ascending: false }).limit(rowsPerCall),
    )
    yield* part
    before = part.at(-1)?.id ?? before
    isFull = part.length === rowsPerCall
  }
}

/** At most `most` rows that the latest check found in this block or later, in the order of their ids. */
export function rowsFrom(service: Service, chain: number, block: number, most: number): Promise<Row[]> {
  return service.rows('published_transactions', publishedRow, (query) =>
    query.eq('chain_id', chain).gte('block_number', block).order('id').limit(most),
  )
}

/** Up to `most` rows of the chain with an id above `id`, in the order of their ids. */
export function rowsAfter(service: Service, chain: number, id: number, most: number): Promise<Row[]> {
  return service.rows('published_transactions', publishedRow, (query) =>
    query.eq('chain_id', chain).gt('id', id).order('id').limit(most),
  )
}
