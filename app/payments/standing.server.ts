import * as z from 'zod/mini'
import type { Cents } from '../platform/money'
import { integerColumn, moneyColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import type { Config } from '../platform/server/env.server'
import type { TokenAmount } from '../platform/tokens'
import { readValues } from './order-values.server'

const units = z.coerce.bigint()

/** An amount; on pages for givers with its value in dollars, null without a price. */
export type Valued = TokenAmount & { amountUsd?: Cents | null }

const standingRow = z.pipe(
  z.object({
    /** The number of the standing order. */
    id: integerColumn,
    state: z.enum(['active', 'suspended']),
    rule: z.enum(['call', 'allocation', 'vote']),
    account: z.string(),
    tokenSymbol: z.string(),
    tokenDecimals: integerColumn,
    orderLimit: units,
    monthLimit: units,
    madeAt: timestampColumn,
    endsAt: timestampColumn,
    /** Null if the text was withdrawn; so are `words` and the names. */
    purpose: z.nullable(z.string()),
    source: z.nullable(z.string()),
    words: z.nullable(z.string()),
    recipient: z.nullable(z.enum(['named', 'pool'])),
    recipientAccount: z.nullable(z.string()),
    recipientName: z.nullable(z.string()),
    toAddress: z.nullable(z.string()),
    tokenAmount: z.nullable(units),
    everyDays: z.nullable(integerColumn),
    /** In tenths of a percent, as the parts of `split`. */
    percent: z.nullable(integerColumn),
    day: z.nullable(integerColumn),
    split: z.nullable(z.record(z.string(), z.number())),
    approvedBy: z.nullable(z.string()),
    approvedSecond: z.nullable(z.string()),
    suspendedBy: z.nullable(z.string()),
    suspensionReason: z.nullable(z.string()),
    /** When it reached its state. */
    movedAt: timestampColumn,
    logIndex: z.nullable(integerColumn),
    /** How many orders it made, and what those that are paid moved together. */
    orders: integerColumn,
    paid: units,
    /** The last month whose tax it divided, with the tax then and now. */
    allocatedMonth: z.nullable(z.string()),
    allocatedTaxUsd: z.nullable(moneyColumn),
    allocatedNowUsd: z.nullable(moneyColumn),
  }),
  z.transform(({ id, tokenSymbol: symbol, tokenDecimals: decimals, ...row }) => {
    const tokens = (amount: bigint): Valued => ({ amount, symbol, decimals })
    return {
      ...row,
      number: id,
      orderLimit: tokens(row.orderLimit),
      monthLimit: tokens(row.monthLimit),
      paid: tokens(row.paid),
      amount: row.tokenAmount === null ? null : tokens(row.tokenAmount),
    }
  }),
)
export type StandingOrder = z.infer<typeof standingRow>

/** Maximum number of standing orders on a page. */
const maxStanding = 50

/** The standing orders, newest first; null if they cannot be read. */
export function listStanding(data: Data): Promise<StandingOrder[] | null> {
  return data
    .optional()
    .rows('published_standing_orders', standingRow, (query) =>
      query.order('id', { ascending: false }).limit(maxStanding),
    )
}

/** The standing orders with the values of their amounts in dollars. */
export async function valueStanding(
  data: Data,
  config: Config,
  standing: StandingOrder[],
): Promise<StandingOrder[]> {
  const dollarsOf = await readValues(
    data,
    config,
    standing.map(({ paid }) => paid.symbol),
  )
  const valued = (amount: Valued) => ({ ...amount, amountUsd: dollarsOf(amount) })
  return standing.map((each) => ({
    ...each,
    orderLimit: valued(each.orderLimit),
    monthLimit: valued(each.monthLimit),
    paid: valued(each.paid),
    amount: each.amount && valued(each.amount),
  }))
}

/** The standing orders that answer posts now; empty without one, or if they cannot be read. */
export async function listAnswering(data: Data, now: number): Promise<StandingOrder[]> {
  const rows = await data
    .optional()
    .rows('published_standing_orders', standingRow, (query) =>
      query.eq('rule', 'call').eq('state', 'active').order('id'),
    )
  return rows?.filter(({ endsAt }) => endsAt.getTime() > now) ?? []
}
