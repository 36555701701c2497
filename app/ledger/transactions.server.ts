import * as z from 'zod/mini'
import type { Cents } from '../platform/money'
import {
  directionColumn,
  integerColumn,
  linkColumn,
  moneyColumn,
  type RowSchema,
  timestampColumn,
} from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { endOfDay, hashOf, type LedgerFilter, notChecked, partyOf, withoutPool } from './filter'
import type { RowGoal } from './goal-names.server'
import { cursorOf, fromPosition, type KeysetPage, moment, type Position, readPage } from './keyset.server'
import { type TokenColumns, tokenColumns, withTokens } from './token-columns.server'
import { technicalTypes } from './transaction-types'
import { maxGifts } from './transactions'
import { verificationColumns } from './verification-status.server'

const transactionsPerPage = 25
/** The newest rows of the history, before the visitor asks for older ones. */
const newestTransactions = 10
/** Maximum number of unchecked rows that are summed. */
const maxUnchecked = 200
const donationsPerPage = 6
/** The newest donations, before the visitor asks for older ones. */
const newestDonations = 3
/** Maximum number of listed transfers of one transaction. */
const maxTransfers = 50

/** Adds the slugs of our accounts on both sides; null where not ours. `direction`: seen from `account`. */
export function withSides<
  Row extends { account: string; counterAccount: string | null; direction: 'in' | 'out' },
>({ account, counterAccount, ...row }: Row) {
  const [fromAccount, toAccount] =
    row.direction === 'out' ? [account, counterAccount] : [counterAccount, account]
  return { ...row, fromAccount, toAccount }
}

/** A row of a list that is sorted by time. */
function listed<Row extends TokenColumns & { id: number; occurredAt: string }>(columns: Row) {
  const { occurredAt, ...row } = columns
  return {
    ...withTokens(row as Omit<Row, 'occurredAt'> & TokenColumns),
    occurredAt: timestampColumn.parse(occurredAt),
    cursor: cursorOf(occurredAt, columns.id),
  }
}

const donationColumns = {
  ...tokenColumns,
  ...verificationColumns,
  id: integerColumn,
  occurredAt: moment,
  /** Null if the dollar value is unknown. */
  amountUsd: z.nullable(moneyColumn),
  txHash: z.string(),
  poolSlug: z.nullable(z.string()),
  proofUrl: linkColumn,
}

const transactionColumns = {
  ...donationColumns,
  type: z.string(),
  account: z.string(),
  /** The account on the other side; null if the other side is not an account of the ledger. */
  counterAccount: z.nullable(z.string()),
  /** The direction seen from `account`, or from the party that the filter names. */
  direction: directionColumn,
  fromAddress: z.string(),
  toAddress: z.string(),
  note: z.nullable(z.string()),
  rateSource: z.nullish(z.string()),
  /** Our name for the wallet on the other side; null if the wallet is ours or has no name. */
  counterName: z.nullable(z.string()),
  noteWithdrawn: z.boolean(),
}

/** A donation or a gift to a pool. */
const donationRow = z.pipe(z.object(donationColumns), z.transform(listed))
/** A row of the history. */
const transactionRow = z.pipe(
  z.object(transactionColumns),
  z.transform((row) => withSides(listed(row))),
)
/** A row of published_party_transactions. */
const partyRow = z.pipe(
  z.object({ ...transactionColumns, partyDirection: directionColumn }),
  z.transform(({ partyDirection, ...row }) => ({ ...withSides(listed(row)), direction: partyDirection })),
)

/** A gift for a statement: with the unrounded price of a whole token in dollars. */
const statedRow = z.pipe(
  z.object({ ...transactionColumns, rateUsd: z.nullable(z.string()) }),
  z.transform((row) => withSides(listed(row))),
)
export type StatedGift = z.infer<typeof statedRow>

export type Donation = z.infer<typeof donationRow>
/** `goal` is the goal that received the row's payment, on pages that name goals (goal-names.server.ts). */
export type Transaction = z.infer<typeof transactionRow> & { goal?: RowGoal }

/**
 * The view with the rows that match a filter. The view of the parties has each row once for each party. The
 * view of the unchecked rows finds its rows by an index, even in a long ledger. Both views have the columns
 * of 'published_transactions', so that view's type is correct for all three.
 */
function viewOf(filter: LedgerFilter): 'published_transactions' {
  if (partyOf(filter)) return 'published_party_transactions' as 'published_transactions'
  if (filter.status === notChecked) return 'published_unchecked_transactions' as 'published_transactions'
  return 'published_transactions'
}

/**
 * The published rows that match a filter, newest first, at most `limit` rows from `position`; null if the
 * rows can't be read. `short`: without the rows of `technicalTypes`.
 */
export function readLedger<Row>(
  data: Data,
  schema: RowSchema<Row>,
  filter: LedgerFilter,
  position: Position | null,
  limit: number,
  short = false,
): Promise<Row[] | null> {
  const party = partyOf(filter)
  const hash = hashOf(filter)
  return data.rows(viewOf(filter), schema, (all) => {
    let query = all
    if (party) query = query.eq('party' as 'account', party)
    if (hash) query = query.eq('tx_hash', hash)
    if (filter.status && filter.status !== notChecked) query = query.eq('status', filter.status)
    if (filter.direction)
      query = query.eq((party ? 'party_direction' : 'direction') as 'direction', filter.direction)
    if (filter.type) query = query.eq('type', filter.type)
    if (short) query = query.not('type', 'in', `(${technicalTypes.join()})`)
    if (filter.pool === withoutPool) query = query.is('pool_slug', null)
    else if (filter.pool) query = query.eq('pool_slug', filter.pool)
    if (filter.from) query = query.gte('occurred_at', `${filter.from}T00:00:00Z`)
    if (filter.to) query = query.lt('occurred_at', endOfDay(filter.to))
    const either = filter.status === notChecked ? ['status.neq.verified', 'amount_usd.is.null'] : []
    return fromPosition(query, 'occurred_at', position, limit, either)
  })
}

/** The sum of the rows with a value that no total includes; null if the rows can't be read. */
export async function sumUnchecked(data: Data): Promise<Cents | null> {
  const row = z.object({ type: z.string(), amountUsd: z.nullable(moneyColumn) })
  // Without an order: sorting would read all unchecked rows, even if there are a million.
  const rows = await data.rows('published_unchecked_transactions', row, (query) =>
    query.limit(maxUnchecked + 1),
  )
  // If there are this many unchecked rows, the checks are failing, and the sum would be misleading.
  if (!rows || rows.length > maxUnchecked) return null
  // Gifts to goals go to members' wallets, so no total includes them.
  return rows.reduce((all, { type, amountUsd }) => (type === 'goal-gift' ? all : all + (amountUsd ?? 0)), 0)
}

/** One page of the rows that match a filter, newest first; null if they can't be read. */
export function listTransactions(
  data: Data,
  filter: LedgerFilter,
  position: Position | null,
): Promise<KeysetPage<Transaction> | null> {
  const row: RowSchema<Transaction> = partyOf(filter) ? partyRow : transactionRow
  return readPage(position, transactionsPerPage, (at, limit) => readLedger(data, row, filter, at, limit))
}

/**
 * One page of what was given and spent, newest first: the history without the rows of `technicalTypes`, and a
 * short first page. Null if the rows can't be read.
 */
export function listGivenAndSpent(
  data: Data,
  position: Position | null,
): Promise<KeysetPage<Transaction> | null> {
  return readPage(position, position ? transactionsPerPage : newestTransactions, (at, limit) =>
    readLedger(data, transactionRow, {}, at, limit, true),
  )
}

/** A transaction's first `maxTransfers` rows, in the order of its transfers; null if unreadable. */
export function listTransfers(data: Data, chainId: number, txHash: string): Promise<Transaction[] | null> {
  return data.rows('published_transactions', transactionRow, (query) =>
    query.eq('chain_id', chainId).eq('tx_hash', txHash.toLowerCase()).order('ordinal').limit(maxTransfers),
  )
}

/** The newest dreams, and spending of pools, paid to the wallet of a goal; null if the rows can't be read. */
export function listDreamsTo(data: Data, goal: string): Promise<Transaction[] | null> {
  return data.rows('published_goal_rows', transactionRow, (query) =>
    query
      .eq('goal', goal)
      .in('type', ['dream', 'spending'])
      .order('occurred_at', { ascending: false })
      .order('id', { ascending: false })
      .limit(transactionsPerPage),
  )
}

/**
 * The gifts from these wallet addresses to our wallets, newest first, at most `maxGifts` rows. The direction
 * is seen from the giver ('out'). Null if the gifts cannot be read.
 */
export function listGiftsFrom(data: Data, addresses: string[]): Promise<Transaction[] | null> {
  const parties = addresses.map((address) => address.toLowerCase())
  return data.rows('published_party_transactions', partyRow, (query) =>
    query
      .in('party', parties)
      .eq('party_direction', 'out')
      .eq('type', 'gift')
      .order('occurred_at', { ascending: false })
      .order('id', { ascending: false })
      .limit(maxGifts),
  )
}

/** Maximum number of gifts in the statement of a year. */
export const maxStated = 999

/** The gifts of a year (UTC) from these wallets, oldest first, up to `maxStated` + 1; null: unreadable. */
export function listGiftsOfYear(data: Data, addresses: string[], year: number): Promise<StatedGift[] | null> {
  return data.rows('published_party_transactions', statedRow, (query) =>
    query
      .in(
        'party',
        addresses.map((address) => address.toLowerCase()),
      )
      .eq('party_direction', 'out')
      .eq('type', 'gift')
      .gte('occurred_at', `${year}-01-01T00:00:00Z`)
      .lt('occurred_at', `${year + 1}-01-01T00:00:00Z`)
      .order('occurred_at')
      .order('id')
      .limit(maxStated + 1),
  )
}

/** One page of the donations and gifts to impact pools, newest first; null if the page can't be read. */
export function listPoolDonations(
  data: Data,
  position: Position | null,
): Promise<KeysetPage<Donation> | null> {
  return readPage(position, position ? donationsPerPage : newestDonations, (at, limit) =>
    data.rows('published_donations', donationRow, (query) =>
      fromPosition(query.not('pool_slug', 'is', null), 'occurred_at', at, limit),
    ),
  )
}

/** One month of the rows that match a filter: counts, and the sums of the verified rows. */
const monthSum = z.pipe(
  z.object({
    /** The first day of the month, 'YYYY-MM-DD'. */
    month: z.pipe(
      z.string().check(z.regex(/^\d{4}-\d\d-01$/)),
      z.transform((day) => new Date(`${day}T00:00:00Z`)),
    ),
    count: integerColumn,
    /** The number of rows that are verified and valued. */
    checked_count: integerColumn,
    received_usd: moneyColumn,
    moved_usd: moneyColumn,
    paid_usd: moneyColumn,
  }),
  z.transform(
    ({
      month: start,
      checked_count: countedCount,
      received_usd: receivedUsd,
      moved_usd: movedUsd,
      paid_usd: paidUsd,
      count,
    }) => ({ start, count, countedCount, receivedUsd, movedUsd, paidUsd }),
  ),
)
export type MonthSum = z.infer<typeof monthSum>

/** Count and sums of a filter's rows. Above 10,000 rows of a search, `sums` is null, `count` too low. */
const filterSum = z.pipe(
  z.object({
    count: integerColumn,
    verified_count: z.nullable(integerColumn),
    pending_count: z.nullable(integerColumn),
    disputed_count: z.nullable(integerColumn),
    unvalued_count: z.nullable(integerColumn),
    goal_count: z.nullable(integerColumn),
    received_usd: z.nullable(moneyColumn),
    moved_usd: z.nullable(moneyColumn),
    paid_usd: z.nullable(moneyColumn),
    months: z.nullable(z.array(monthSum)),
    uses: z.nullable(z.record(z.string(), moneyColumn)),
    exact: z.boolean(),
  }),
  z.transform(
    ({
      count,
      exact,
      received_usd: receivedUsd,
      moved_usd: movedUsd,
      paid_usd: paidUsd,
      months,
      uses,
      ...counts
    }) => ({
      count,
      sums:
        exact && receivedUsd !== null && movedUsd !== null && paidUsd !== null && months && uses
          ? {
              verifiedCount: counts.verified_count ?? 0,
              pendingCount: counts.pending_count ?? 0,
              disputedCount: counts.disputed_count ?? 0,
              /** The number of verified rows without a dollar value. No sum includes them. */
              unvaluedCount: counts.unvalued_count ?? 0,
              /** Gifts to members' goals, which no other count and no sum includes. */
              goalGiftsCount: counts.goal_count ?? 0,
              receivedUsd,
              movedUsd,
              paidUsd,
              /** The months, newest first. */
              months,
              /** `paidUsd` by use. A use is the slug of a pool, 'other-causes', or a type. */
              uses,
            }
          : null,
    }),
  ),
)
export type FilterSum = z.infer<typeof filterSum>

/**
 * The number of the rows that match a filter, and the sums of the verified rows, from the function
 * sum_transactions; null if the sums can't be read. The cost does not depend on the number of rows, unless
 * the filter has an address or a hash: in that case, the function counts the rows one by one, up to 10,000.
 */
export function sumTransactions(data: Data, filter: LedgerFilter): Promise<FilterSum | null> {
  const { q: _q, wallet: _wallet, ...rest } = filter
  const party = partyOf(filter)
  const hash = hashOf(filter)
  return data.call('sum_transactions', filterSum, {
    filter: { ...rest, ...(party && { party }), ...(hash && { tx_hash: hash }) },
  })
}
