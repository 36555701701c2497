import * as z from 'zod'
import { type TransactionType, transactionTypes } from '../ledger/transaction-types.ts'
import { directionColumn, integerColumn, timestampColumn } from '../server/columns.server.ts'
import { createApi, Reader } from '../server/data.server.ts'
import type { Check, Claim } from './checks.ts'
import type { NewRow } from './scan.ts'

/**
 * The data API with the secret key, for scheduled work and the operator's commands; no request uses it. A call that
 * fails throws a ServiceFailure.
 */
export class Service extends Reader<never> {
  protected override fail(source: string, fault: { code: string; message: string }): never {
    throw new ServiceFailure(source, fault)
  }
}

export function createService(url: string, secretKey: string, fetch: typeof globalThis.fetch): Service {
  return new Service(createApi(url, secretKey, fetch))
}

/**
 * The backend refused a call, did not respond, or returned data of another shape. `code` is the SQLSTATE or the code of
 * PostgREST; it is empty without a response, and 'shape' for data of another shape.
 */
export class ServiceFailure extends Error {
  readonly code: string

  constructor(what: string, { code, message }: { code: string; message: string }) {
    super(`${what}: ${code || 'no response'} ${message}`.slice(0, 300))
    this.code = code
  }
}

// The keys of these rows are the names of the columns: the job writes most of them again.

const publishedRow = z.object({
  id: integerColumn,
  occurred_at: timestampColumn,
  account: z.string(),
  counter_account: z.string().nullable(),
  type: z.enum(Object.keys(transactionTypes) as [TransactionType, ...TransactionType[]]),
  direction: directionColumn,
  amount_usd: z.coerce.string().nullable(),
  rate_usd: z.string().nullable(),
  rate_source: z.string().nullable(),
  token_amount: z.string().transform(BigInt).nullable(),
  token_symbol: z.string().nullable(),
  token_decimals: integerColumn.nullable(),
  token_address: z.string().nullable(),
  from_address: z.string(),
  to_address: z.string(),
  tx_hash: z.string(),
  chain_id: integerColumn,
  ordinal: integerColumn,
  revision: integerColumn,
  pool_slug: z.string().nullable(),
  proof_url: z.string().nullable(),
  note: z.string().nullable(),
  status: z.string(),
  unreachable_at: z.string().nullable(),
  block_number: integerColumn.nullable(),
  block_hash: z.string().nullable(),
})

/** A published row, with what a check or a correction needs. */
export type Row = z.infer<typeof publishedRow>

/** Writes checks. Skips repeated 'unreachable' results: one is stored until an endpoint responds. */
export async function record(
  service: Service,
  rows: readonly Row[],
  checks: readonly Check[],
): Promise<void> {
  const news = checks.filter(({ transaction_id: id, status }) => {
    const before = rows.find((each) => each.id === id)
    return status !== 'unreachable' || !(before?.unreachable_at || before?.status === 'unreachable')
  })
  if (news.length > 0) await service.call('record_checks', integerColumn, { checks: news as never })
}

/**
 * Appends rows, and in the same database transaction moves the scan's position if `scan` is given. Returns the number
 * of rows that the ledger lacked, and the size of the log afterwards. Throws ServiceFailure with the code 40001 if
 * another run has moved the position.
 */
export function append(
  service: Service,
  newRows: readonly NewRow[],
  scan: Record<string, string | number | null> | null,
): Promise<{ added: number; size: number }> {
  return service.call('append_ledger', z.object({ added: integerColumn, size: integerColumn }), {
    entries: newRows as never,
    ...(scan && { scan }),
  })
}

const coinBalances = z.array(
  z.object({
    wallet: z.string(),
    block_number: z.number(),
    block_hash: z.string(),
    amount: z.string().transform(BigInt),
    nonce: z.number(),
    gas_paid: z.string().transform(BigInt).nullable(),
  }),
)
/** The state of a wallet after a block up to which its coin transfers were read, and what it has paid for gas. */
type StoredBalance = z.infer<typeof coinBalances>[number]
/** A balance after a scan that began after the block `after`. It replaces the wallet's balances of all later blocks. */
export type NewBalance = StoredBalance & { after: number }

/** The stored balances of all wallets (the latest ten of each), newest block first. */
export function readCoinBalances(service: Service, chain: number): Promise<StoredBalance[]> {
  return service.call('coin_balances', coinBalances, { chain })
}

/** Appends coin transfers, and in the same database transaction stores the balance up to which each wallet was read. */
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
  const entries = newRows as never
  return service.call('append_coins', z.object({ added: integerColumn }), { chain, entries, balances: texts })
}

/** The facts of a row that can be checked on chain. */
export function toClaim({ id, tx_hash, ordinal, token_address, token_amount, ...more }: Row): Claim {
  const { from_address, to_address } = more
  return { id, tx_hash, ordinal, token_address, token_amount, from_address, to_address }
}

const dueRows = z.array(z.object({ id: integerColumn }))

/**
 * The rows that are due for a check, at most `most`, in no particular order: open rows (pending or unreachable), and if
 * there are fewer than `most`, also rows whose last check was before `settledBefore`.
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
  return service.rows('published_transactions', publishedRow, (query) => query.in('id', ids))
}

/** The published rows of the transactions with these hashes. */
export async function rowsOf(service: Service, chain: number, txHashes: readonly string[]): Promise<Row[]> {
  const found: Row[] = []
  for (let at = 0; at < txHashes.length; at += 50) {
    const some = [...new Set(txHashes.slice(at, at + 50))]
    found.push(
      ...(await service.rows('published_transactions', publishedRow, (query) =>
        query.eq('chain_id', chain).in('tx_hash', some),
      )),
    )
  }
  return found
}

/** Up to `most` rows whose latest check found them in this block or a later one, in the order of their ids. */
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
