import { acceptedTokens } from '../ledger/accepted'
import { readGoalTitles } from '../ledger/goal-names.server'
import { readRate } from '../ledger/rates.server'
import { type Cents, centsAt } from '../platform/money'
import { readClock } from '../platform/server/clock.server'
import type { Data } from '../platform/server/data.server'
import type { Config } from '../platform/server/env.server'
import type { TokenAmount } from '../platform/tokens'
import { mostComing, mostEnded } from './order-list'
import { listComing, listEnded, type Order, readOrderClock } from './orders.server'

/** The value of an amount at the price of now; null for a token without a price. */
export type DollarsOf = (tokens: TokenAmount | null) => Cents | null

/** The value of amounts of these tokens: of a stablecoin one to one, of others by the stored price. */
export async function readValues(
  data: Data,
  config: Config,
  symbols: readonly (string | undefined)[],
): Promise<DollarsOf> {
  const tokens = acceptedTokens(config).filter(({ symbol, priced }) => priced && symbols.includes(symbol))
  const prices = await Promise.all(
    tokens.map(async ({ symbol, priced }) => {
      const price =
        priced === 'usd' ? '1' : (await readRate(data, config.CHAIN_ID, symbol, readClock(config)))?.rateUsd
      const [whole = '', fraction = ''] = price?.split('.') ?? []
      return [symbol, price ? { units: BigInt(whole + fraction), decimals: fraction.length } : null] as const
    }),
  )
  const priceOf = new Map(prices)
  return (amount) => {
    const price = amount && priceOf.get(amount.symbol)
    return price ? Number(centsAt(amount.amount, amount.decimals, price)) : null
  }
}

/** The orders with their values in dollars. */
export async function valueOrders<Orders extends readonly Order[] | null>(
  data: Data,
  config: Config,
  orders: Orders,
): Promise<Orders> {
  if (!orders || orders.length === 0) return orders
  const dollarsOf = await readValues(
    data,
    config,
    orders.map(({ tokens }) => tokens?.symbol),
  )
  return orders.map((order) => ({
    ...order,
    amountUsd: order.amountUsd ?? dollarsOf(order.tokens),
  })) as unknown as Orders
}

/** The same with the titles of their goals, for a page that names the recipients. */
export async function valueNamedOrders<Orders extends readonly Order[] | null>(
  data: Data,
  config: Config,
  orders: Orders,
): Promise<Orders> {
  const goals = (orders ?? []).flatMap(({ recipient, recipientAccount }) =>
    recipient === 'goal' && recipientAccount ? [recipientAccount] : [],
  )
  const [valued, titles] = await Promise.all([
    valueOrders(data, config, orders),
    readGoalTitles(data, config.FUNDME_OPEN ? goals : []),
  ])
  return (valued?.map((order) => ({ ...order, goalTitle: titles[order.recipientAccount ?? ''] ?? null })) ??
    valued) as Orders
}

/** What the strip 'Coming next' shows, and the time for it; each part is null if it cannot be read. */
export async function readStrip(data: Data, config: Config) {
  const valued = (orders: Order[] | null) => valueOrders(data, config, orders)
  const [coming, ended] = await Promise.all([
    listComing(data, mostComing).then(valued),
    listEnded(data, mostEnded + 1).then(valued),
  ])
  return { coming, ended, orderClock: readOrderClock(config) }
}
