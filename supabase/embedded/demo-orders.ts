import { impactPools } from '../../app/impact-pools.ts'
import { chainId, daysBefore, fakeAddress, hour, lastDay, type Row } from './demo-rows.ts'

const [education = '', relief = '', animals = ''] = impactPools.map(({ slug }) => slug)
const token = {
  token_address: fakeAddress('DEMOUSD'),
  token_symbol: 'DEMOUSD',
  token_decimals: 18,
}

/** The reason of the stop. */
export const stopReason = 'The partner told us that the pump costs less now.'

/** The settings of payments that the scheduled work stores on a real site. `wallets`: the address of each account. */
export function demoPaymentSettings(walletOf: (account: string) => string) {
  const accounts = ['treasury', 'donation-wallet', ...impactPools.map(({ slug }) => slug)]
  return {
    chain_id: chainId,
    notice_hours: 24,
    limit_tokens: 5000,
    wallets: accounts.map((account) => ({ account, address: walletOf(account) })),
    tokens: [{ symbol: 'DEMOUSD', address: token.token_address, decimals: 18 }],
  }
}

/** Hours before (negative) or after the last day. */
const at = (hours: number) => new Date(lastDay + hours * hour).toISOString()

/**
 * The orders, and their changes in the order of the log. There is one order in each state that needs no payer, two
 * that come, and two that rows of the ledger paid.
 */
export function demoOrders(
  walletOf: (account: string) => string,
  transfers: readonly Row[],
): { orders: Row[]; changes: Row[] } {
  const isPaid = (row: Row, type: string) =>
    row.type === type &&
    row.revision === 0 &&
    row.token_symbol === 'DEMOUSD' &&
    String(row.occurred_at) < daysBefore(45)
  const moved = transfers.findLast((row) => isPaid(row, 'donation') && row.counter_account === relief)
  const spent = transfers.findLast((row) => isPaid(row, 'spending') && row.account === education)
  const coming = (
    account: string,
    to: string,
    dollars: number,
    type: string,
    purpose: string,
    announced: number,
    more: Row = {},
  ): Row => ({
    account,
    recipient: 'named',
    recipient_account: null,
    from_address: walletOf(account),
    to_address: to,
    token_amount: `${dollars}${'0'.repeat(18)}`,
    type,
    pool_slug: null,
    purpose,
    announced_at: at(announced),
    ...more,
  })
  const past = (row: Row | undefined, purpose: string, more: Row): Row => ({
    account: row?.account,
    recipient: 'named',
    recipient_account: null,
    from_address: row?.from_address,
    to_address: row?.to_address,
    token_amount: row?.token_amount,
    type: row?.type,
    pool_slug: null,
    purpose,
    announced_at: new Date(Date.parse(String(row?.occurred_at)) - 30 * hour).toISOString(),
    state: 'paid',
    tx_hash: row?.tx_hash,
    ordinal: row?.ordinal,
    revision: 1,
    ...more,
  })
  const ended = (state: string) => ({ state, revision: 1 })
  const partner = (pool: string, number: number) => fakeAddress(`${pool} partner ${number}`)
  const planned = [
    past(spent, 'The second order of the term.', {}),
    past(moved, 'Winter relief.', { recipient: 'pool', recipient_account: relief }),
    coming(
      relief,
      partner(relief, 2),
      910,
      'spending',
      'A pump for two villages',
      -21 * 24,
      ended('stopped'),
    ),
    coming(
      animals,
      partner(animals, 2),
      330,
      'spending',
      'Straw for the kennels',
      -20 * 24,
      ended('expired'),
    ),
    coming(relief, partner(relief, 3), 480, 'spending', 'Blankets for the coast', -31, {}),
    coming(education, partner(education, 2), 620, 'spending', 'Books for the summer term', -9, {}),
    coming('treasury', walletOf(animals), 1200, 'donation', 'Winter food and vets', -2, {
      recipient: 'pool',
      recipient_account: animals,
    }),
  ]
  const orders = planned.map((order): Row => {
    const announced = Date.parse(String(order.announced_at))
    return {
      state: 'announced',
      revision: 0,
      tx_hash: null,
      ordinal: null,
      statement: null,
      chain_id: chainId,
      ...order,
      ...token,
      due_at: new Date(announced + 24 * hour).toISOString(),
      expires_at: new Date(announced + 8 * 24 * hour).toISOString(),
    }
  })
  const changes = orders.flatMap((order, place) => {
    const number = place + 1
    const first = {
      number,
      revision: 0,
      state: 'announced',
      tx_hash: null,
      ordinal: null,
      recorded_at: order.announced_at,
    }
    if (order.state === 'announced') return [first]
    const later =
      order.state === 'stopped' ? 5 * hour : order.state === 'expired' ? 8 * 24 * hour + 60_000 : 30.2 * hour
    const recorded_at = new Date(Date.parse(String(order.announced_at)) + later).toISOString()
    return [
      first,
      {
        number,
        revision: 1,
        state: order.state,
        tx_hash: order.tx_hash,
        ordinal: order.ordinal,
        recorded_at,
      },
    ]
  })
  return { orders, changes }
}
