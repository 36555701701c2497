import { acceptedTokens } from '../ledger/accepted'
import { readGoalTitles } from '../ledger/goal-names.server'
import { readRate } from '../ledger/rates.server'
import { type Cents, centsAt } from '../platform/money'
import { readClock } from '../platform/server/clock.server'
import type { Data } from '../platform/server/data.server'
import type { Config } from '../platform/server/env.server'
import type { TokenAmount } from '../platform/tokens'
import type { Order } from './orders.server'

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

/** The orders with their values in dollars and the titles of their goals. */
export async function valueOrders<Orders extends readonly Order[] | null>(
  data: Data,
  config: Config,
  orders: Orders,
): Promise<Orders> {
  if (!orders || orders.length === 0) return orders
  const goals = orders.flatMap(({ recipient, recipientAccount }) =>
    recipient === 'goal' && recipientAccount ? [recipientAccount] : [],
  )
  const [dollarsOf, titles] = await Promise.all([
    readValues(
      data,
      config,
      orders.map(({ tokens }) => tokens?.symbol),
    ),
    readGoalTitles(data, config.FUNDME_OPEN ? goals : []),
  ])
  return orders.map((order) => ({
    ...order,
    amountUsd: order.amountUsd ?? dollarsOf(order.tokens),
    goalTitle: titles[order.recipientAccount ?? ''] ?? null,
  })) as unknown as Orders
}
