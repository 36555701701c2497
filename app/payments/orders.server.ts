import * as z from 'zod/mini'
import { tokenColumns, withTokens } from '../ledger/token-columns.server.ts'
import { readClock } from '../platform/server/clock.server.ts'
import { integerColumn, linkColumn, moneyColumn, timestampColumn } from '../platform/server/columns.server.ts'
import type { Data } from '../platform/server/data.server.ts'
import type { Config } from '../platform/server/env.server.ts'
import { type OrderFilter, orderGroups } from './groups.ts'
import { orderStates } from './states.ts'

/** Maximum number of orders on a page of the list. */
const ordersPerPage = 20

const orderRow = z.pipe(
  z.object({
    ...tokenColumns,
    /** The number of the order: 1 for the first one. */
    id: integerColumn,
    state: z.enum(orderStates),
    revision: integerColumn,
    /** The slug of the account that pays. */
    account: z.string(),
    recipient: z.enum(['named', 'pool', 'goal', 'wallet']),
    /** The slug of a pool, a goal or the donation wallet; null for a named wallet. */
    recipientAccount: z.nullable(z.string()),
    /** Null for a pool or a goal, and if the name was withdrawn. */
    recipientName: z.nullable(z.string()),
    chainId: integerColumn,
    fromAddress: z.string(),
    toAddress: z.string(),
    tokenAddress: z.string(),
    type: z.string(),
    poolSlug: z.nullable(z.string()),
    /** Null if the text was withdrawn. */
    purpose: z.nullable(z.string()),
    /** The link of the statement that the payment answers. */
    statement: linkColumn,
    announcedAt: timestampColumn,
    dueAt: timestampColumn,
    expiresAt: timestampColumn,
    approvedBy: z.nullable(z.string()),
    approvedSecond: z.nullable(z.string()),
    /** Who pays it by hand; null if the site may pay it. */
    takenBy: z.nullable(z.string()),
    stoppedBy: z.nullable(z.string()),
    /** Null if its stop has no reason; `stopReason` is null too if the reason was withdrawn. */
    stopReasonHash: z.nullable(z.string()),
    stopReason: z.nullable(z.string()),
    /** When the order reached its state. */
    movedAt: timestampColumn,
    logIndex: z.nullable(integerColumn),
    txHash: z.nullable(z.string()),
    /** The row of the ledger that paid the order. */
    transactionId: z.nullable(integerColumn),
    paidAt: z.nullable(timestampColumn),
    /** Whether a reorganisation removed its payment from the chain: the site sends again what it sent. */
    isRemoved: z.boolean(),
    /** What it was worth when it was paid; before, and on pages for givers, what it is worth (order-values.server.ts). */
    amountUsd: z.nullable(moneyColumn),
    /** The number of the standing order that made it. Its operators are then those of the standing order. */
    standing: z.nullable(integerColumn),
    /** What the standing order answered: a statement, the month of a tax ('2026-11'), or the slug of a goal. */
    occasion: z.nullable(z.string()),
  }),
  z.transform(({ id, ...columns }) => ({ ...withTokens(columns), number: id })),
)
export type Order = z.infer<typeof orderRow> & {
  /** The title of the goal that receives the payment; null if it is hidden. */
  goalTitle?: string | null
}

/**
 * One page of the orders below number `before`, newest first, with the number for the older page; null if
 * they cannot be read.
 */
export async function listOrders(
  data: Data,
  filter: OrderFilter,
  before: number | null,
  size = ordersPerPage,
) {
  const rows = await data.rows('published_orders', orderRow, (query) => {
    let narrowed = query.order('id', { ascending: false }).limit(size + 1)
    if (filter.group) narrowed = narrowed.in('state', [...orderGroups[filter.group]])
    if (filter.account) narrowed = narrowed.eq('account', filter.account)
    return before === null ? narrowed : narrowed.lt('id', before)
  })
  if (!rows) return null
  return { rows: rows.slice(0, size), older: rows.length > size ? (rows[size - 1]?.number ?? null) : null }
}

/**
 * The payments to come, the next one first, at most `most`; of a pool if its slug is given. Null if they cannot be read.
 */
export function listComing(data: Data, most: number, pool?: string): Promise<Order[] | null> {
  return data.rows('published_orders', orderRow, (query) => {
    const coming = query
      .in('state', [...orderGroups.coming])
      .order('due_at')
      .order('id')
      .limit(most)
    return pool ? coming.or(`account.eq.${pool},recipient_account.eq.${pool},pool_slug.eq.${pool}`) : coming
  })
}

/** The newest orders that ended without a payment, at most `most`; null if they cannot be read. */
export function listEnded(data: Data, most: number): Promise<Order[] | null> {
  return data.optional().rows('published_orders', orderRow, (query) =>
    query
      .in('state', [...orderGroups.ended])
      .order('moved_at', { ascending: false })
      .order('id', { ascending: false })
      .limit(most),
  )
}

/** The newest orders that these standing orders made, at most `most`; null if they cannot be read. */
export async function listMadeBy(
  data: Data,
  standing: readonly number[],
  most: number,
): Promise<Order[] | null> {
  if (standing.length === 0) return []
  return data.optional().rows('published_orders', orderRow, (query) =>
    query
      .in('standing', [...standing])
      .order('id', { ascending: false })
      .limit(most),
  )
}

/** These orders, the next one first; null if they cannot be read. */
export function readOrders(data: Data, numbers: readonly number[]): Promise<Order[] | null> {
  return data.rows('published_orders', orderRow, (query) =>
    query
      .in('id', [...numbers])
      .order('due_at')
      .order('id'),
  )
}

/** The newest orders whose transaction failed, was lost, or moved another amount; null if they cannot be read. */
export function listWrong(data: Data): Promise<Order[] | null> {
  return data.rows('published_orders', orderRow, (query) =>
    query.in('state', ['failed', 'mismatched', 'lost']).order('id', { ascending: false }).limit(101),
  )
}

/** The order that a transfer of the ledger paid; null without one, or if it cannot be read. */
export async function findOrderOf(
  data: Data,
  { chainId, txHash, ordinal }: { chainId: number; txHash: string; ordinal: number },
): Promise<Order | null> {
  const rows = await data
    .optional()
    .rows('published_orders', orderRow, (query) =>
      query.eq('chain_id', chainId).eq('tx_hash', txHash).eq('ordinal', ordinal),
    )
  return rows?.[0] ?? null
}

/** The newest order for each of these statements, by the link of the statement. */
export async function findOrdersFor(data: Data, links: readonly string[]): Promise<Map<string, Order>> {
  if (links.length === 0) return new Map()
  const rows = await data
    .optional()
    .rows('published_orders', orderRow, (query) => query.in('statement', [...links]).order('id'))
  return new Map(rows?.map((order) => [order.statement ?? '', order]))
}

/**
 * The current time for orders, in milliseconds. If the day of the demonstration is fixed, it is the last day of its rows.
 */
export function readOrderClock(
  config: Pick<Config, 'CLOCK_RATE' | 'CLOCK_START' | 'DEMO' | 'DEMO_DAY'>,
): number {
  return (config.DEMO && config.DEMO_DAY) || readClock(config)
}
