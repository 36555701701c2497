import * as z from 'zod/mini'
import { acceptedTokens } from '../ledger/accepted'
import { accountName, isTreasury } from '../ledger/accounts'
import { listReconciliations } from '../ledger/reconciliations.server'
import { listWallets } from '../ledger/wallets'
import { findPool } from '../platform/impact-pools'
import type { Cents } from '../platform/money'
import { integerColumn, moneyColumn, timestampColumn } from '../platform/server/columns.server'
import { type Data, rowsPerCall } from '../platform/server/data.server'
import type { Config } from '../platform/server/env.server'
import { dollarsOf, dollarsTyped } from './order-texts'
import { type History, type Paid, type Warning, warningsFor } from './order-warnings'
import { listOrders, type Order, readOrderClock } from './orders.server'

/** A recipient that an order may name, with what a wallet paid to it before. */
export interface Payee {
  address: string
  kind: 'pool' | 'goal' | 'named'
  /** The name of a wallet, the title of a goal, or the name of a pool in English. */
  name: string
  times: number
  last: Paid | null
}

const nameRow = z.object({ id: integerColumn, address: z.string(), name: z.string() })
const namingRow = z.object({ madeId: z.nullable(integerColumn) })
const goalRow = z.object({ wallet: z.string(), title: z.nullable(z.string()), slug: z.string() })
const paidRow = z.pipe(
  z.object({
    account: z.string(),
    toAddress: z.string(),
    amountUsd: z.nullable(moneyColumn),
    occurredAt: timestampColumn,
  }),
  z.transform(
    ({ account, toAddress, amountUsd, occurredAt }): Paid => ({
      ...{ account, to: toAddress, usd: amountUsd, at: occurredAt },
    }),
  ),
)

/** The newest payments of our wallets: of an account, or to an address; null if they cannot be read. */
function listPaid(data: Data, column: 'account' | 'to_address', value: string): Promise<Paid[] | null> {
  return data.rows('published_transactions', paidRow, (query) =>
    query
      .eq(column, value)
      .eq('direction', 'out')
      .order('occurred_at', { ascending: false })
      .limit(rowsPerCall),
  )
}

/** The recipients of `private.recipient_of`, those first that the account paid last; null if they cannot be read. */
export async function listPayees(data: Data, config: Config, account: string): Promise<Payee[] | null> {
  const [names, namings, goals, paid] = await Promise.all([
    data.rows('published_names', nameRow, (query) => query.not('name', 'is', null).limit(rowsPerCall)),
    data.rows('published_acts', namingRow, (query) =>
      query.eq('act', 'name').not('second', 'is', null).order('id', { ascending: false }).limit(rowsPerCall),
    ),
    config.FUNDME_OPEN
      ? data.rows('published_goals', goalRow, (query) => query.not('wallet', 'is', null).limit(rowsPerCall))
      : [],
    listPaid(data, 'account', account),
  ])
  if (!names || !namings || !goals || !paid) return null
  const ours = listWallets(config).map((wallet) => ({ ...wallet, address: wallet.address.toLowerCase() }))
  const byTwo = new Set(namings.map(({ madeId }) => madeId))
  const known = [
    ...ours.flatMap(({ slug, address, name }) =>
      findPool(slug) && slug !== account ? [{ address, name, kind: 'pool' as const }] : [],
    ),
    ...goals.map(({ wallet, title, slug }) => ({
      address: wallet,
      name: title ?? slug,
      kind: 'goal' as const,
    })),
    ...names.flatMap(({ id, address, name }) =>
      byTwo.has(id) && !ours.some((wallet) => wallet.address === address)
        ? [{ address, name, kind: 'named' as const }]
        : [],
    ),
  ]
  return known
    .map((payee) => {
      const before = paid.filter(({ to }) => to === payee.address)
      return { ...payee, times: before.length, last: before[0] ?? null }
    })
    .sort(
      (a, b) =>
        (b.last?.at.getTime() ?? 0) - (a.last?.at.getTime() ?? 0) || a.name.localeCompare(b.name, 'en'),
    )
}

/** The type of an order, as the ledger classifies its payment (perform_order); null where the operator decides. */
export function typeOfOrder(account: string, kind: Payee['kind']): string | null {
  if (!isTreasury(account)) return kind === 'pool' ? 'move' : 'spending'
  return kind === 'pool' ? 'donation' : kind === 'goal' ? 'dream' : null
}

/** The dollars of a wallet, as the ledger compared them last, and what its open orders take of them. */
export interface Balance {
  account: string
  /** Null if nothing was compared. */
  usd: Cents | null
  ordered: Cents
}

/** The dollars of each wallet that can pay an order; null if they cannot be read. */
export async function listBalances(data: Data, config: Config): Promise<Balance[] | null> {
  const [compared, open] = await Promise.all([
    listReconciliations(data),
    listOrders(data, { group: 'coming', account: null }, null, 100),
  ])
  if (!compared || !open) return null
  const symbols = acceptedTokens(config).flatMap(({ symbol, priced }) => (priced === 'usd' ? [symbol] : []))
  return listWallets(config).map(({ slug, address }) => {
    const held = compared.filter(
      ({ wallet, chainAmount: { symbol } }) => wallet === address.toLowerCase() && symbols.includes(symbol),
    )
    const orders = open.rows.filter((order) => order.account === slug)
    return {
      account: slug,
      usd: held.length > 0 ? sum(held.map(({ chainAmount }) => dollarsOf(chainAmount))) : null,
      ordered: sum(orders.map(({ tokens }) => (tokens ? dollarsOf(tokens) : 0))),
    }
  })
}

const sum = (all: Cents[]) => all.reduce((one, other) => one + other, 0)

/** What our wallets paid to an address, and an account to all, with the open orders to it; null if unread. */
async function listHistory(data: Data, account: string, to: string): Promise<History | null> {
  const [byAccount, toAddress, orders, unreceived] = await Promise.all([
    listPaid(data, 'account', account),
    listPaid(data, 'to_address', to),
    listOrders(data, { group: 'coming', account: null }, null, 100),
    data.rows('published_arrivals', z.object({ id: integerColumn }), (query) =>
      query.eq('to_address', to).eq('state', 'no').order('id', { ascending: false }).limit(1),
    ),
  ])
  if (!byAccount || !toAddress || !orders || !unreceived) return null
  const ordered = orders.rows.flatMap(({ account: from, toAddress, tokens, announcedAt }: Order): Paid[] =>
    tokens && toAddress === to ? [{ account: from, to, usd: dollarsOf(tokens), at: announcedAt }] : [],
  )
  return {
    paid: [...byAccount, ...toAddress.filter((each) => each.account !== account)],
    ordered,
    notArrived: unreceived[0]?.id,
  }
}

/** What an operator must see before an order is confirmed. */
export interface OrderCheck {
  account: string
  to: string
  usd: Cents
  payee: Payee | undefined
  /** Undefined without a configured wallet, or if it cannot be read. */
  balance: Balance | undefined
  warnings: Warning[]
}

/** What is known about the values of an order; null if the amount or the wallet is wrong, or if it cannot be read. */
export async function checkOrder(
  data: Data,
  config: Config,
  { from: account = '', to = '', amount }: Record<string, string>,
): Promise<OrderCheck | null> {
  const usd = dollarsTyped(amount)
  if (usd === null || !accountName(account)) return null
  const [payees, balances, history] = await Promise.all([
    listPayees(data, config, account),
    listBalances(data, config),
    listHistory(data, account, to),
  ])
  if (!payees || !history) return null
  return {
    ...{ account, to, usd },
    payee: payees.find(({ address }) => address === to),
    balance: balances?.find((each) => each.account === account),
    warnings: warningsFor({ account, to, usd }, history, readOrderClock(config)),
  }
}
