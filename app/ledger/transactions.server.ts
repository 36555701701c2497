import * as z from 'zod'
import { linkColumn, moneyColumn, timestampColumn } from '../server/columns.server'
import type { Api as Backend } from '../server/data.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'
import { endOfDay, hashOf, type LedgerFilter, partyOf } from './filter'
import { cursorOf, fromPosition, moment, type Page, type Position, readPage } from './keyset.server'
import { type Donation, type FilterSum, maxGifts, type TokenAmount, type Transaction } from './transactions'
import { toVerification, verificationColumns, verificationRow } from './verification-status.server'

const transactionsPerPage = 25
const donationsPerPage = 6
/** Maximum number of listed transfers of one transaction. */
const maxTransfers = 50

const paymentColumns =
  `id, occurred_at, amount_usd, token_amount, token_symbol, token_decimals, tx_hash, pool_slug, proof_url, ${verificationColumns}` as const
const columns =
  `${paymentColumns}, type, account, counter_account, direction, from_address, to_address, note` as const

/** The columns of an amount of a token. */
export const tokenRow = z.object({
  token_amount: z.coerce.bigint().nullable(),
  token_symbol: z.string().nullable(),
  token_decimals: z.coerce.number().int().nullable(),
})

const payment = tokenRow.extend({
  ...verificationRow.shape,
  id: z.coerce.number().int(),
  occurred_at: moment,
  amount_usd: moneyColumn.nullable(),
  tx_hash: z.string(),
  pool_slug: z.string().nullable(),
  proof_url: linkColumn,
})

const transactionRow = payment.extend({
  type: z.string(),
  account: z.string(),
  counter_account: z.string().nullable(),
  direction: z.enum(['in', 'out']),
  party_direction: z.enum(['in', 'out']).optional(),
  from_address: z.string(),
  to_address: z.string(),
  note: z.string().nullable(),
})

/**
 * A query for the published rows that match a filter. A filter by party reads published_party_transactions, which has
 * each row once for each of its parties. `columns` is a string and not a literal type: with a literal type, the type
 * check takes minutes to parse the columns of this view, and readRows checks the shape anyway.
 */
export function queryLedger(backend: Backend, filter: LedgerFilter, columns: string) {
  const party = partyOf(filter)
  const hash = hashOf(filter)
  // Both views have these columns, and the types of one are enough.
  const view = (party ? 'published_party_transactions' : 'published_transactions') as 'published_transactions'
  let query = backend.from(view).select(columns)
  if (party) query = query.eq('party' as 'account', party)
  if (hash) query = query.eq('tx_hash', hash)
  if (filter.status) query = query.eq('status', filter.status)
  if (filter.direction)
    query = query.eq((party ? 'party_direction' : 'direction') as 'direction', filter.direction)
  if (filter.type) query = query.eq('type', filter.type)
  if (filter.pool) query = query.eq('pool_slug', filter.pool)
  if (filter.from) query = query.gte('occurred_at', `${filter.from}T00:00:00Z`)
  if (filter.to) query = query.lt('occurred_at', endOfDay(filter.to))
  return query
}

/** One page of the history, newest first, or null if it can't be read. */
export function listTransactions(
  backend: Backend,
  filter: LedgerFilter,
  position: Position | null,
  log: Log,
): Promise<Page<Transaction> | null> {
  return readPage(position, transactionsPerPage, async (at, limit) => {
    const listed: string = partyOf(filter) ? `${columns}, party_direction` : columns
    const query = fromPosition(queryLedger(backend, filter, listed), 'occurred_at', at, limit)
    const rows = await readRows(query, z.array(transactionRow), log, 'transactions.not-loaded')
    return rows?.map(toTransaction) ?? null
  })
}

/** The first `maxTransfers` rows of one transaction, in the order of its transfers; null if they can't be read. */
export async function listTransfers(
  backend: Backend,
  chainId: number,
  txHash: string,
  log: Log,
): Promise<Transaction[] | null> {
  const query = backend
    .from('published_transactions')
    .select(columns as string)
    .eq('chain_id', chainId)
    .eq('tx_hash', txHash.toLowerCase())
    .order('ordinal')
    .limit(maxTransfers)
  const rows = await readRows(query, z.array(transactionRow), log, 'transfers.not-loaded')
  return rows?.map(toTransaction) ?? null
}

/**
 * The gifts from these wallet addresses to our wallets, with the direction of the giver ('out'), newest first, at most
 * `maxGifts` rows. Null if they cannot be read.
 */
export async function listGiftsFrom(
  backend: Backend,
  addresses: string[],
  log: Log,
): Promise<Transaction[] | null> {
  const query = backend
    .from('published_party_transactions')
    .select(`${columns}, party_direction` as string)
    .in(
      'party',
      addresses.map((address) => address.toLowerCase()),
    )
    .eq('party_direction', 'out')
    .eq('type', 'gift')
    .order('occurred_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(maxGifts)
  const rows = await readRows(query, z.array(transactionRow), log, 'gifts.not-loaded')
  return rows?.map(toTransaction) ?? null
}

/** One page of the donations and gifts to impact pools, newest first, or null if it can't be read. */
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
    account: row.account,
    counterAccount: row.counter_account,
    direction: row.party_direction ?? row.direction,
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
    verification: toVerification(row),
  }
}

/** The token's amount; null unless amount, symbol and decimals are all known. */
export function toTokens(row: z.infer<typeof tokenRow>): TokenAmount | null {
  const { token_amount: amount, token_symbol: symbol, token_decimals: decimals } = row
  return amount !== null && symbol !== null && decimals !== null ? { amount, symbol, decimals } : null
}

const filterSum = z.object({
  count: z.coerce.number().int(),
  in_usd: moneyColumn.nullable(),
  out_usd: moneyColumn.nullable(),
  moved_usd: moneyColumn.nullable(),
  unvalued_count: z.coerce.number().int().nullable(),
  exact: z.boolean(),
})

/**
 * The number and the sums of the rows under a filter, as the function sum_transactions counts them; null if they
 * can't be read. The cost does not grow with the number of rows, except if the filter has an address or a hash: then
 * rows are counted one by one, up to 10,000.
 */
export async function sumTransactions(
  backend: Backend,
  filter: LedgerFilter,
  log: Log,
): Promise<FilterSum | null> {
  const { q: _q, wallet: _wallet, ...rest } = filter
  const party = partyOf(filter)
  const hash = hashOf(filter)
  const query = backend.rpc('sum_transactions', {
    filter: { ...rest, ...(party && { party }), ...(hash && { tx_hash: hash }) },
  })
  const sum = await readRows(query, filterSum, log, 'sum.not-loaded')
  if (!sum) return null
  const { count, in_usd: cameIn, out_usd: wentOut, moved_usd: moved } = sum
  if (!sum.exact || cameIn === null || wentOut === null || moved === null) return { count, sums: null }
  return { count, sums: { cameIn, wentOut, moved, unvalued: sum.unvalued_count ?? 0 } }
}
