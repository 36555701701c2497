import { createHash } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { impactPools } from '../../app/platform/impact-pools.ts'
import { toCents } from '../../app/platform/money.ts'
import { chainId, daysBefore, fakeAddress, firstOfMonth, hour, lastDay, type Row } from './demo-rows.ts'

const [education = '', relief = '', animals = ''] = impactPools.map(({ slug }) => slug)
const token = { token_address: fakeAddress('DEMOUSD'), token_symbol: 'DEMOUSD', token_decimals: 18 }

/** The reason of the stop. */
export const stopReason = 'The partner told us that the pump costs less now.'

/** The key of the payer. It is public on purpose. */
export const demoPayerKey =
  `0x${createHash('sha256').update('the payer of the demonstration').digest('hex')}` as const
export const demoPayer = privateKeyToAccount(demoPayerKey).address.toLowerCase()

/** The terms of payments, as the scheduled work of a real site stores them. `walletOf`: the address of each account. */
function demoTerms(walletOf: (account: string) => string): Entry {
  const accounts = ['treasury', 'donation-wallet', ...impactPools.map(({ slug }) => slug)].toSorted()
  return {
    table: 'public.payment_terms',
    row: {
      ...{ chain_id: chainId, payer: demoPayer, notice_hours: 24, limit_tokens: 10_000 },
      wallets: accounts.map((account) => ({ account, address: walletOf(account) })),
      tokens: [{ symbol: 'DEMOUSD', address: fakeAddress('DEMOUSD'), decimals: 18 }],
      recorded_at: at(-400 * 24),
    },
  }
}

/** Hours before (negative) or after the last day. */
const at = (hours: number) => new Date(lastDay + hours * hour).toISOString()

/** The goal that won its vote, and that the standing order of the kind vote could not pay. */
const wonGoal = { slug: 'goal-jnmqrvtb', decided: -18 * 24, lacks: 800, standing: 4 }

/** The link of the statement that a standing order answers. */
export const answeredStatement = 'https://example.org/goodblock-demo/statement/14'

/** The numbers of the orders that standing orders made. */
const madeByStanding = new Set<number>()

export function isMadeByStanding(number: unknown): boolean {
  return madeByStanding.has(Number(number))
}

/** The split of the standing order of the kind allocation, in tenths of a percent. */
const firstSplit = {
  [education]: 300,
  [relief]: 300,
  [animals]: 150,
  'donation-wallet': 100,
  goals: 50,
  reserve: 100,
}
/** The part of the tax that the standing order divides, in tenths of a percent. */
const dividedTax = 400

/**
 * When the standing order of the kind allocation divided the tax of the month before, eight days ago or on the 28th: it was
 * made after the same day of the month before, so this was its first time.
 */
function allocationTime(): Date {
  const eightDaysAgo = new Date(lastDay - 8 * 24 * hour)
  return new Date(eightDaysAgo.getTime() - Math.max(0, eightDaysAgo.getUTCDate() - 28) * 24 * hour)
}

/** What the allocation pays: each account with its amount in cents, and the time of the payment. `rows`: the ledger. */
export function allocatedPayments(rows: readonly Row[]): { account: string; cents: number; at: number }[] {
  const { cents } = allocatedTax(rows)
  return Object.entries(firstSplit)
    .filter(([account]) => account !== 'goals' && account !== 'reserve')
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([account, part], place) => ({
      account,
      cents: Math.floor((cents * dividedTax * part) / 1_000_000),
      at: allocationTime().getTime() + (24.1 + place / 10) * hour,
    }))
}

/** The month before the allocation, and its tax in cents. */
function allocatedTax(rows: readonly Row[]): { month: string; cents: number } {
  const month = firstOfMonth(allocationTime().getTime(), -1)
  const cents = rows
    .filter((row) => row.type === 'tax' && String(row.occurred_at).startsWith(month.slice(0, 7)))
    .reduce((sum, row) => sum + toCents(String(row.amount_usd)), 0)
  return { month, cents }
}

/** The standing orders: one of each kind, and one that is suspended. */
function standingOrders(walletOf: (account: string) => string): Row[] {
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
  const call = (made: number, dollars: number, words: string, purpose: string) =>
    rule('donation-wallet', [dollars, 2 * dollars], made, {
      rule: 'call',
      purpose,
      source: 'https://news.example.org/feed.xml',
      words,
      recipient: 'named',
      to_address: fakeAddress(`${relief} partner 2`),
      every_days: 14,
      token_amount: `${dollars}${'0'.repeat(18)}`,
    })
  return [
    call(-40 * 24, 300, 'donate', 'A donation, as CZ asked'),
    call(-33 * 24, 600, 'clean water\nwells', 'Clean water, as CZ asked'),
    rule('treasury', [10_000, 40_000], (allocationTime().getTime() - lastDay) / hour - 10 * 24, {
      rule: 'allocation',
      purpose: 'The part of the trading tax for our pools',
      percent: dividedTax,
      day: allocationTime().getUTCDate(),
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
 * The orders and standing orders, and their entries in the order of the log: orders to come, paid ones, a stopped one and a
 * failed one, and a standing order of each kind. `late`: the entries that follow the votes.
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
    announced_at: new Date(Date.parse(String(row?.occurred_at)) - 24.1 * hour).toISOString(),
    ended_at: row?.occurred_at,
    state: 'paid',
    tx_hash: row?.tx_hash,
    ordinal: row?.ordinal,
    revision: 2,
    ...more,
  })
  const ended = (state: string) => ({ state, revision: 1 })
  const fake = (name: string) => `0xfa4e${createHash('sha256').update(name).digest('hex').slice(0, 60)}`
  const allocatedAt = allocationTime()
  const { month, cents } = allocatedTax(transfers)
  const standing = standingOrders(walletOf)
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
    coming(relief, partner(relief, 3), 480, 'spending', 'Blankets for the coast', -20, {}),
    coming(education, partner(education, 2), 620, 'spending', 'Books for the summer term', -9, {}),
    coming('treasury', walletOf(animals), 1200, 'donation', 'Winter food and vets', -2, {
      recipient: 'pool',
      recipient_account: animals,
    }),
    ...allocatedPayments(transfers).map(({ account, at: paidAt }) =>
      made(
        3,
        month.slice(0, 7),
        past(
          transfers.find(
            (row) => row.counter_account === account && row.occurred_at === new Date(paidAt).toISOString(),
          ),
          String(standing[2]?.purpose),
          {
            recipient: account === 'donation-wallet' ? 'wallet' : 'pool',
            recipient_account: account,
            announced_at: allocatedAt.toISOString(),
          },
        ),
      ),
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
      wonGoal.standing,
      wonGoal.slug,
      coming(
        'treasury',
        fakeAddress(wonGoal.slug),
        wonGoal.lacks,
        'dream',
        String(standing[3]?.purpose),
        wonGoal.decided + 0.05,
        {
          ...{ recipient: 'goal', recipient_account: wonGoal.slug },
          ...{ state: 'failed', revision: 2, tx_hash: fake('c'), ended_at: at(wonGoal.decided + 24.15) },
        },
      ),
    ),
  ].toSorted((one, other) => String(one.announced_at).localeCompare(String(other.announced_at)))
  madeByStanding.clear()
  for (const [place, { standing: number }] of planned.entries()) if (number) madeByStanding.add(place + 1)
  const orders = planned.map(({ standing: _, occasion: __, ended_at: ___, ...order }, place): Row => {
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
    const { standing: rule, occasion, ended_at } = planned[place] ?? {}
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
    if (state === 'announced') return first
    if (state === 'stopped') return [...first, change(1, state, 5)]
    // The row of the payment is in the ledger two minutes after it.
    const mined = (Date.parse(String(ended_at)) - Date.parse(String(order.announced_at))) / hour
    return [
      ...first,
      change(1, 'sent', mined - 0.01),
      change(2, state, mined + 0.05, state === 'paid' ? { tx_hash, ordinal } : { tx_hash }),
    ]
  }
  const standingEntries = standing.flatMap(({ made_at }, place): Entry[] => [
    ...(place === 2
      ? [
          {
            table: 'public.payment_splits',
            row: {
              from_month: firstOfMonth(Date.parse(String(made_at)), 0),
              cause: 'standing-order 3',
              recorded_at: made_at,
              parts: firstSplit,
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
    tax_usd: (cents / 100).toFixed(2),
    recorded_at: allocatedAt.toISOString(),
  }
  const entriesOfOrders = (isLate: boolean) =>
    orders.flatMap((order, place) =>
      (planned[place]?.standing === wonGoal.standing) === isLate ? entriesOf(order, place) : [],
    )
  return {
    orders,
    standing,
    entries: [
      demoTerms(walletOf),
      ...standingEntries,
      { table: 'public.standing_changes', row: suspended },
      { table: 'public.allocations', row: allocation },
      ...entriesOfOrders(false),
    ],
    late: entriesOfOrders(true),
  }
}
