import { createHash } from 'node:crypto'
import { impactPools } from '../../app/platform/impact-pools.ts'
import { chainId, daysBefore, fakeAddress, hour, lastDay, type Row } from './demo-rows.ts'

const [education = '', relief = '', animals = ''] = impactPools.map(({ slug }) => slug)
const token = {
  token_address: fakeAddress('DEMOUSD'),
  token_symbol: 'DEMOUSD',
  token_decimals: 18,
}

/** The reason of the stop. */
export const stopReason = 'The partner told us that the pump costs less now.'

/**
 * The terms of payments, as the scheduled work of a real site stores them: the first, and those without the token that
 * takes a fee. `walletOf`: the address of each account.
 */
function demoTerms(walletOf: (account: string) => string): Entry[] {
  const accounts = ['treasury', 'donation-wallet', ...impactPools.map(({ slug }) => slug)].toSorted()
  const tokens = ['DEMOUSD', 'FEEUSD'].map((symbol) => ({
    symbol,
    address: fakeAddress(symbol),
    decimals: 18,
  }))
  const terms = (days: number, taken: typeof tokens): Entry => ({
    table: 'public.payment_terms',
    row: {
      ...{ chain_id: chainId, payer: fakeAddress('payer'), notice_hours: 24, limit_tokens: 5000 },
      wallets: accounts.map((account) => ({ account, address: walletOf(account) })),
      tokens: taken,
      recorded_at: at(-days * 24),
    },
  })
  return [terms(400, tokens), terms(50, tokens.slice(0, 1))]
}

/** Hours before (negative) or after the last day. */
const at = (hours: number) => new Date(lastDay + hours * hour).toISOString()

/** The goal that won its vote, and that the standing order of the kind vote could not pay. */
const wonGoal = { slug: 'goal-jnmqrvtb', decided: -18 * 24, lacks: 800 }

/** The link of the statement that a standing order answers. */
export const answeredStatement = 'https://example.org/goodblock-demo/statement/14'

/** The numbers of the orders that standing orders made. */
const madeByStanding = new Set<number>()

export function isMadeByStanding(number: unknown): boolean {
  return madeByStanding.has(Number(number))
}

/** The standing orders: one of each kind, and one that is suspended. */
function standingOrders(walletOf: (account: string) => string, day: number): Row[] {
  const rule = (account: string, limits: [one: number, month: number], made: number, more: Row): Row => ({
    state: 'active',
    revision: 0,
    account,
    chain_id: chainId,
    from_address: walletOf(account),
    ...token,
    order_limit: `${limits[0]}${'0'.repeat(18)}`,
    month_limit: `${limits[1]}${'0'.repeat(18)}`,
    made_at: at(made),
    ends_at: at(made + 360 * 24),
    source: null,
    words_hash: null,
    recipient: null,
    recipient_account: null,
    to_address: null,
    token_amount: null,
    pool_slug: null,
    every_days: null,
    percent: null,
    day: null,
    ...more,
  })
  const call = (made: number, dollars: number, words: string, more: Row = {}) =>
    rule('donation-wallet', [dollars, 2 * dollars], made, {
      rule: 'call',
      purpose: 'What a statement asks for',
      source: 'https://news.example.org/feed.xml',
      words,
      recipient: 'named',
      to_address: fakeAddress(`${relief} partner 2`),
      every_days: 14,
      token_amount: `${dollars}${'0'.repeat(18)}`,
      ...more,
    })
  return [
    call(-40 * 24, 300, 'donate'),
    call(-33 * 24, 600, 'clean water\nwells'),
    rule('treasury', [5000, 12_000], -60 * 24, {
      rule: 'allocation',
      purpose: 'The part of the trading tax for our pools',
      percent: 400,
      day,
    }),
    rule('treasury', [2000, 4000], -45 * 24, { rule: 'vote', purpose: 'Goals that the community chose' }),
  ]
}

/** The reason of the suspension of the first standing order. */
export const suspensionReason = 'The word was in too many posts.'

interface Entry {
  table: string
  row: Row
}

/**
 * The orders and standing orders, and their entries in the order of the log. There are orders in each state, and a
 * standing order of each kind. `late`: the entries that follow the votes.
 */
export function demoOrders(
  walletOf: (account: string) => string,
  transfers: readonly Row[],
): { orders: Row[]; standing: Row[]; entries: Entry[]; late: Entry[] } {
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
  const fake = (name: string) => `0xfa4e${createHash('sha256').update(name).digest('hex').slice(0, 60)}`
  const byPayer = (state: string, name: string) => ({
    state,
    revision: state === 'sent' ? 1 : 2,
    tx_hash: state === 'sent' ? null : fake(name),
  })
  // A payment of the treasury to a pool that its allocation can have ordered: later in the month than the 4th.
  const allocated = transfers.findLast(
    (row) =>
      row.type === 'donation' &&
      row.account === 'treasury' &&
      row.counter_account &&
      row.revision === 0 &&
      row.token_symbol === 'DEMOUSD' &&
      String(row.occurred_at) < daysBefore(4) &&
      new Date(String(row.occurred_at)).getUTCDate() > 4,
  )
  const allocatedAt = new Date(Date.parse(String(allocated?.occurred_at)) - 30 * hour)
  const month = new Date(Date.UTC(allocatedAt.getUTCFullYear(), allocatedAt.getUTCMonth() - 1, 1))
    .toISOString()
    .slice(0, 10)
  const standing = standingOrders(walletOf, allocatedAt.getUTCDate())
  /** An order that a standing order made. */
  const made = (number: number, occasion: string, row: Row): Row => ({ ...row, standing: number, occasion })
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
    coming(
      animals,
      partner(animals, 1),
      240,
      'spending',
      'Vaccines for the shelter',
      -25,
      byPayer('sent', ''),
    ),
    coming(
      relief,
      partner(relief, 1),
      150,
      'spending',
      'Soup for the harbour',
      -55 * 24,
      byPayer('lost', 'a'),
    ),
    coming(relief, partner(relief, 1), 90, 'spending', 'Bread', -58 * 24, {
      ...byPayer('mismatched', 'b'),
      token_address: fakeAddress('FEEUSD'),
      token_symbol: 'FEEUSD',
    }),
    made(
      3,
      month.slice(0, 7),
      past(allocated, String(standing[2]?.purpose), {
        recipient: 'pool',
        recipient_account: allocated?.counter_account,
      }),
    ),
    made(
      2,
      answeredStatement,
      coming(
        'donation-wallet',
        String(standing[1]?.to_address),
        600,
        'donation',
        String(standing[1]?.purpose),
        -5,
        { statement: answeredStatement },
      ),
    ),
    made(
      4,
      wonGoal.slug,
      coming(
        'treasury',
        fakeAddress(wonGoal.slug),
        wonGoal.lacks,
        'dream',
        String(standing[3]?.purpose),
        wonGoal.decided + 0.05,
        { recipient: 'goal', recipient_account: wonGoal.slug, ...byPayer('failed', 'c') },
      ),
    ),
  ]
  madeByStanding.clear()
  for (const [place, { standing: number }] of planned.entries()) if (number) madeByStanding.add(place + 1)
  const orders = planned.map(({ standing: _, occasion: __, ...order }, place): Row => {
    const announced = Date.parse(String(order.announced_at))
    return {
      id: place + 1,
      state: 'announced',
      revision: 0,
      tx_hash: null,
      ordinal: null,
      statement: null,
      chain_id: chainId,
      ...token,
      ...order,
      due_at: new Date(announced + 24 * hour).toISOString(),
      expires_at: new Date(announced + 8 * 24 * hour).toISOString(),
    }
  })
  const entriesOf = (order: Row, place: number): Entry[] => {
    const number = place + 1
    const change = (revision: number, state: unknown, hours: number, more: Row = {}): Entry => ({
      table: 'public.order_changes',
      row: {
        number,
        revision,
        state,
        tx_hash: null,
        ordinal: null,
        ...more,
        recorded_at: new Date(Date.parse(String(order.announced_at)) + hours * hour).toISOString(),
      },
    })
    const { standing: rule, occasion } = planned[place] ?? {}
    const payment = {
      order_id: number,
      standing: rule,
      occasion,
      payee: order.to_address,
      recorded_at: order.announced_at,
    }
    const first = [
      change(0, 'announced', 0),
      ...(rule ? [{ table: 'public.standing_payments', row: payment }] : []),
    ]
    const { state, tx_hash, ordinal } = order
    switch (state) {
      case 'announced':
        return first
      case 'stopped':
        return [...first, change(1, state, 5)]
      case 'expired':
        return [...first, change(1, state, 8 * 24 + 0.02)]
      case 'paid':
        return [...first, change(1, state, 30.2, { tx_hash, ordinal })]
      case 'sent':
        return [...first, change(1, state, 24.8)]
      default:
        return [...first, change(1, 'sent', 24.05), change(2, state, 24.1, { tx_hash })]
    }
  }
  const standingEntries = standing.flatMap(({ made_at }, place): Entry[] => [
    ...(place === 2
      ? [
          {
            table: 'public.payment_splits',
            row: {
              from_month: `${String(made_at).slice(0, 7)}-01`,
              cause: 'standing-order 3',
              recorded_at: made_at,
              parts: {
                [education]: 300,
                [relief]: 300,
                [animals]: 150,
                'donation-wallet': 100,
                goals: 50,
                reserve: 100,
              },
            },
          },
        ]
      : []),
    {
      table: 'public.standing_changes',
      row: { number: place + 1, revision: 0, state: 'active', recorded_at: made_at },
    },
  ])
  const suspended = { number: 1, revision: 1, state: 'suspended', recorded_at: at(-34 * 24) }
  Object.assign(standing[0] ?? {}, { state: 'suspended', revision: 1 })
  const allocation = {
    chain_id: chainId,
    month,
    standing: 3,
    split: 1,
    tax_usd: '12450.00',
    recorded_at: allocatedAt.toISOString(),
  }
  const place = orders.length - 1
  const onItsWay = orders.findIndex(({ state }) => state === 'sent') + 1
  const isEarly = ({ row: { number, state } }: Entry) => number !== onItsWay || state !== 'sent'
  return {
    orders,
    standing,
    entries: [
      ...demoTerms(walletOf),
      ...standingEntries,
      { table: 'public.standing_changes', row: suspended },
      { table: 'public.allocations', row: allocation },
      ...orders.slice(0, place).flatMap((order, at) => entriesOf(order, at).filter(isEarly)),
    ],
    // One order is on its way at a time.
    late: [
      ...entriesOf(orders[place] ?? {}, place),
      ...orders.flatMap(entriesOf).filter((entry) => !isEarly(entry)),
    ],
  }
}
