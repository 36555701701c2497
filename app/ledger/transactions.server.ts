import * as z from 'zod'
import type { Backend } from '../server/backend.server'
import { moneyColumn, timestampColumn } from '../server/columns.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'
import { endOfDay, type LedgerFilter } from './filter'
import { cursorOf, fromPosition, moment, type Page, type Position, readPage } from './keyset.server'
import type { Donation, TokenAmount, Transaction } from './transactions'
import { standingColumns, standingRow, toStanding } from './verification-status.server'

const transactionsPerPage = 25
const donationsPerPage = 6
/** The most transfers of one transaction that are listed together. */
const maxTransfers = 50

const paymentColumns =
  `id, occurred_at, amount_usd, token_amount, token_symbol, token_decimals, tx_hash, pool_slug, proof_url, ${standingColumns}` as const
const columns = `${paymentColumns}, type, direction, from_address, to_address, note` as const

/** A link that a row brought: only https is ever a link here, whatever was written. */
export const httpsLink = z
  .url({ protocol: /^https$/ })
  .nullable()
  .catch(null)

/** The columns of an amount of a token. */
export const tokenRow = z.object({
  token_amount: z.coerce.bigint().nullable(),
  token_symbol: z.string().nullable(),
  token_decimals: z.coerce.number().int().nullable(),
})

const payment = tokenRow.extend({
  ...standingRow.shape,
  id: z.coerce.number().int(),
  occurred_at: moment,
  amount_usd: moneyColumn.nullable(),
  tx_hash: z.string(),
  pool_slug: z.string().nullable(),
  proof_url: httpsLink,
})

const transactionRow = payment.extend({
  type: z.string(),
  direction: z.enum(['in', 'out']),
  from_address: z.string(),
  to_address: z.string(),
  note: z.string().nullable(),
})

/**
 * The published rows under a filter. `columns` is no literal type: parsing a list of columns of this view in the type
 * system takes minutes, and readRows checks the shape anyway.
 */
export function queryLedger(backend: Backend, filter: LedgerFilter, columns: string) {
  let query = backend.from('published_transactions').select(columns)
  if (filter.type) query = query.eq('type', filter.type)
  if (filter.pool) query = query.eq('pool_slug', filter.pool)
  if (filter.from) query = query.gte('occurred_at', `${filter.from}T00:00:00Z`)
  if (filter.to) query = query.lt('occurred_at', endOfDay(filter.to))
  return query
}

/** One page of the history, newest first, or null where it can't be read. */
export function listTransactions(
  backend: Backend,
  filter: LedgerFilter,
  position: Position | null,
  log: Log,
): Promise<Page<Transaction> | null> {
  return readPage(position, transactionsPerPage, async (at, limit) => {
    const query = fromPosition(queryLedger(backend, filter, columns), 'occurred_at', at, limit)
    const rows = await readRows(query, z.array(transactionRow), log, 'transactions.not-loaded')
    return rows?.map(toTransaction) ?? null
  })
}

/** The rows of one transaction, in the order of its transfers; null if they can't be read. */
export async function listTransfers(
  backend: Backend,
  chainId: number,
  txHash: string,
  log: Log,
): Promise<Transaction[] | null> {
  const query = backend
    .from('published_transactions')
    .select(columns)
    .eq('chain_id', chainId)
    .eq('tx_hash', txHash.toLowerCase())
    .order('ordinal')
    .limit(maxTransfers)
  const rows = await readRows(query, z.array(transactionRow), log, 'transfers.not-loaded')
  return rows?.map(toTransaction) ?? null
}

/** One page of what the impact pools were given, newest first, or null where it can't be read. */
export function listPoolDonations(
  backend: Backend,
  position: Position | null,
  log: Log,
): Promise<Page<Donation> | null> {
  return readPage(position, donationsPerPage, async (at, limit) => {
    const query = backend.from('published_donations').select(paymentColumns).not('pool_slug', 'is', null)
    const page = fromPosition(query, 'occurred_at', at, limit)
    const rows = await readRows(page, z.array(payment), log, 'donations.not-loaded')
    return rows?.map(toPayment) ?? null
  })
}

function toTransaction(row: z.infer<typeof transactionRow>): Transaction {
  return {
    ...toPayment(row),
    type: row.type,
    direction: row.direction,
    from: row.from_address,
    to: row.to_address,
    note: row.note,
  }
}

function toPayment(row: z.infer<typeof payment>): Donation {
  return {
    id: row.id,
    cursor: cursorOf(row.occurred_at, row.id),
    occurredAt: timestampColumn.parse(row.occurred_at),
    amount: row.amount_usd,
    tokens: toTokens(row),
    txHash: row.tx_hash,
    pool: row.pool_slug,
    proof: row.proof_url,
    standing: toStanding(row),
  }
}

/** A token is known by its amount, its symbol and its digits, or not at all. */
export function toTokens(row: z.infer<typeof tokenRow>): TokenAmount | null {
  const { token_amount: amount, token_symbol: symbol, token_decimals: decimals } = row
  return amount !== null && symbol !== null && decimals !== null ? { amount, symbol, decimals } : null
}
