import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Chain, Receipt } from '../../app/chain/rpc.ts'
import { append } from '../../app/ledger/job/ledger-store.server.ts'
import type { NewRow } from '../../app/ledger/job/new-row.ts'
import { judgeRows } from '../../app/ledger/job/new-rows.server.ts'
import { differs, reconcile } from '../../app/ledger/job/reconciliation.ts'
import { rowsOfTransaction } from '../../app/ledger/job/scan.ts'
import type { Watch } from '../../app/ledger/job/watch.ts'
import {
  depositTopic,
  firstWithin,
  type Transfer,
  transferTopic,
  withdrawalTopic,
} from '../../app/ledger/token-transfers.ts'
import { createService } from '../../app/platform/server/service.server.ts'
import { count, holds } from '../support/cases.ts'
import { emptyLedger, startTemporary } from '../support/temporary-backend.ts'

/** The figures of generated transfers, up to the views, equal a model of wallets and cents alone. */
const backend = await startTemporary()
afterAll(() => backend.close())

const treasury = ['treasury', 'giver'] as const
const pools = ['education', 'animals'] as const
/** `pair` and `wrapped` are contracts; `wrapped` is the token of the wrapped coin. */
const strangers = ['pair', 'ann', 'ben', 'wrapped'] as const
type Party = (typeof treasury | typeof pools | typeof strangers)[number] | 'tax' | 'dreamer'
const parties: Party[] = [...treasury, ...pools, ...strangers, 'tax', 'dreamer']
const accounts = {
  treasury: 'treasury',
  giver: 'donation-wallet',
  education: 'education',
  animals: 'animal-welfare',
} as const
type Own = keyof typeof accounts
const own = Object.keys(accounts) as Own[]
const isOwn = (party: Party): party is Own => own.includes(party as Own)
const isPool = (party: Party) => pools.includes(party as never)

const addressOf = (party: Party) => `0x${(parties.indexOf(party) + 1).toString(16).padStart(40, 'ab')}`
const word = (value: bigint | string) =>
  `0x${(typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0')}`
/** The tokens with the price in dollars. The coin has the price of a feed. */
const prices = { USDX: 1, USDY: 1, WBNB: 600, BNB: 600 }
type Symbol = keyof typeof prices
const addressOfToken = {
  USDX: `0x${'d1'.repeat(20)}`,
  USDY: `0x${'d2'.repeat(20)}`,
  WBNB: addressOf('wrapped'),
  BNB: null,
}
const feed = `0x${'fe'.repeat(20)}`

const watch: Watch = {
  chainId: 56,
  urls: [],
  startBlock: 0,
  confirmations: 1,
  tokens: [
    { symbol: 'USDX', address: addressOfToken.USDX, decimals: 18, value: 'usd' },
    { symbol: 'USDY', address: addressOfToken.USDY, decimals: 18, value: 'usd' },
    { symbol: 'WBNB', address: addressOfToken.WBNB, decimals: 18, value: { feed } },
    { symbol: 'BNB', address: null, decimals: 18, value: { feed } },
  ],
  accounts: new Map(own.map((party) => [addressOf(party), accounts[party]])),
  taxSenders: [addressOf('tax')],
  dreamWallets: [addressOf('dreamer')],
  goals: new Map(),
}

/** A transfer in cents. `within`: a contract moved the coins. */
interface Move {
  from: Party
  to: Party
  token: Symbol
  cents: number
}
interface Payment {
  sender: Party
  moves: Move[]
  /** The fee for gas, in base units, which the sender pays and no row contains. */
  fee: bigint
}

const move: fc.Arbitrary<Move> = fc.record({
  from: fc.constantFrom(...parties),
  to: fc.constantFrom(...parties),
  token: fc.constantFrom(...(Object.keys(prices) as Symbol[])),
  cents: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 1_600 })).map((n) => n * 600),
})
/** Coins that become wrapped coins, or wrapped coins that become coins. */
const wrap: fc.Arbitrary<Move[]> = fc.tuple(move, fc.boolean()).map(([{ from: owner, cents }, isIn]) => {
  const [given, taken] = isIn ? (['BNB', 'WBNB'] as const) : (['WBNB', 'BNB'] as const)
  return [
    { from: owner, to: 'wrapped', token: given, cents },
    { from: 'wrapped', to: owner, token: taken, cents },
  ]
})
const payment: fc.Arbitrary<Payment> = fc.record({
  sender: fc.constantFrom(...parties),
  moves: fc
    .array(fc.oneof({ weight: 5, arbitrary: move.map((each) => [each]) }, wrap), {
      minLength: 1,
      maxLength: 5,
    })
    .map((all) => distinct(all.flat())),
  fee: fc.bigInt(1n, 10n ** 16n),
})

/** At most one move of coins from one party to another, because an endpoint's traces are summed by pair. */
function distinct(moves: Move[]): Move[] {
  const seen = new Set<string>()
  return moves.filter(({ from, to, token }) => {
    const pair = `${from} ${to}`
    if (token === 'BNB' && seen.has(pair)) return false
    if (token === 'BNB') seen.add(pair)
    return true
  })
}

/** Base units: all tokens have 18 decimals. */
const unitsOf = ({ token, cents }: Move) => (BigInt(cents) * 10n ** 16n) / BigInt(prices[token])

const chain = {
  id: 56,
  call: (to: string, data: string) =>
    Promise.resolve(
      to !== feed
        ? word(10n ** 40n)
        : data === '0x313ce567'
          ? word(8n)
          : `0x${[1n, 600n * 10n ** 8n, 0n, 2n ** 40n, 1n].map((each) => word(each).slice(2)).join('')}`,
    ),
} as unknown as Chain

/** The wrapped coin emits no transfer when it is made, and when it becomes the coin again. */
function topicsOf({ from, to, token }: Move): string[] {
  if (token === 'WBNB' && from === 'wrapped') return [depositTopic, word(addressOf(to))]
  if (token === 'WBNB' && to === 'wrapped') return [withdrawalTopic, word(addressOf(from))]
  return [transferTopic, word(addressOf(from)), word(addressOf(to))]
}

async function rowsOf({ sender, moves }: Payment, at: number): Promise<NewRow[]> {
  const txHash = word(BigInt(at + 1))
  const coins = moves.filter(({ token }) => token === 'BNB')
  const tokens = moves.filter(({ token }) => token !== 'BNB')
  const receipt: Receipt = {
    transactionHash: txHash,
    blockNumber: at,
    blockHash: word(9n),
    status: '0x1',
    from: addressOf(sender),
    to: null,
    logs: tokens.map((each, logIndex) => ({
      address: addressOfToken[each.token] ?? '',
      topics: topicsOf(each),
      data: word(unitsOf(each)),
      blockNumber: at,
      blockHash: word(9n),
      transactionHash: txHash,
      transactionIndex: 0,
      logIndex,
    })),
  }
  const within = coins.map(
    (each, place): Transfer => ({
      txHash,
      ordinal: firstWithin + place,
      token: null,
      from: addressOf(each.from),
      to: addressOf(each.to),
      amount: unitsOf(each),
    }),
  )
  return rowsOfTransaction(
    chain,
    watch,
    receipt,
    { number: at, hash: word(9n), timestamp: 1_750_000_000 + at },
    within,
    null,
  )
}

/** Appends the payments as runs of the job do, one call for each part, and marks all rows as verified. */
async function record(parts: Payment[][]): Promise<void> {
  const service = createService(backend.url, backend.secretKey, fetch)
  let at = 0
  for (const payments of parts) {
    const rows: NewRow[] = []
    for (const each of payments) rows.push(...(await rowsOf(each, at++)))
    const { newRows, outsized } = await judgeRows(service, chain, rows)
    expect(outsized).toEqual([])
    await append(service, newRows)
  }
  await check('verified', 'true')
}

async function check(status: string, where: string): Promise<void> {
  await backend.sql(
    `select public.record_checks(coalesce(jsonb_agg(jsonb_build_object(
      'transaction_id', id, 'status', '${status}', 'block_number', 9, 'block_hash', '${word(9n)}', 'confirmations', 20
    )), '[]')) from public.published_transactions where ${where}`,
  )
}

type Figures = Record<'treasury' | 'given' | 'spent' | 'left' | 'back', number>

/** What the payments do to the figures, in cents, and to the balance of each wallet and token, in base units. */
function model(parts: Payment[][]): { figures: Figures; balances: Record<string, string> } {
  const figures: Figures = { treasury: 0, given: 0, spent: 0, left: 0, back: 0 }
  const balances = new Map<string, bigint>()
  const paid = new Map<string, { units: bigint; cents: number }>()
  for (const { sender, moves } of parts.flat()) {
    const ours = moves.filter(
      ({ from, to }) => (isOwn(from) || isOwn(to)) && accountOf(from) !== accountOf(to),
    )
    for (const each of ours)
      for (const [party, sign] of [
        [each.from, -1n],
        [each.to, 1n],
      ] as const) {
        if (!isOwn(party)) continue
        const key = `${party} ${each.token}`
        balances.set(key, (balances.get(key) ?? 0n) + sign * unitsOf(each))
      }
    const hold = (party: Own, cents: number) => {
      figures[isPool(party) ? 'left' : 'treasury'] += cents
    }
    const groups = new Map<string, Move[]>()
    for (const each of ours) {
      const { from, to, cents } = each
      if (isOwn(from) && isOwn(to)) {
        hold(from, -cents)
        hold(to, cents)
        if (isPool(to) && !isPool(from)) figures.given += cents
      } else if (isOwn(to) && from === 'tax') hold(to, cents)
      else if (isOwn(from) && !isPool(from) && to === 'dreamer') hold(from, -cents)
      else {
        const group = isOwn(sender) ? 'ours' : isOwn(from) ? from : to
        groups.set(group, [...(groups.get(group) ?? []), each])
      }
    }
    const gifts: Move[] = []
    const spent: Move[] = []
    for (const group of groups.values()) {
      const out = group.filter(({ from }) => isOwn(from))
      const into = group.filter(({ to }) => isOwn(to))
      const kind = kindOf(out, into, isOwn(sender))
      const [lead, follow] = isStable(out) && !isStable(into) ? [out, into] : [into, out]
      const scale = kind === 'exchange' ? sum(lead) / sum(follow) : 1
      for (const each of group) {
        const value = kind === 'exchange' && follow.includes(each) ? each.cents * scale : each.cents
        hold(sideOf(each), isOwn(each.to) ? value : -value)
      }
      if (kind === 'exchange') continue
      spent.push(...out.filter(({ from }) => isPool(from)))
      if (kind === 'gifts') gifts.push(...into.filter(({ to }) => isPool(to)))
      if (kind === 'change')
        for (const each of into)
          if (isPool(each.to) && out.some(({ from }) => from === each.to)) {
            figures.spent -= each.cents
            addTo(paid, each.to, each.from, each, -1)
          }
    }
    for (const each of spent) {
      figures.spent += each.cents
      addTo(paid, each.from, each.to, each, 1)
    }
    for (const each of moves.filter((one) => gifts.includes(one))) {
      const start = `${each.to} ${each.from} `
      const same = paid.get(start + each.token)
      const other = [...paid].find(
        ([key, { cents }]) => key.startsWith(start) && key !== start + each.token && cents >= each.cents,
      )
      if (same && same.units >= unitsOf(each)) addTo(paid, each.to, each.from, each, -1)
      else if (other) other[1].cents -= each.cents
      else {
        figures.given += each.cents
        continue
      }
      figures.spent -= each.cents
    }
  }
  return { figures, balances: Object.fromEntries([...balances].map(([key, units]) => [key, String(units)])) }
}

function accountOf(party: Party): string {
  return isOwn(party) ? accounts[party] : party
}
const sideOf = ({ from, to }: Move) => (isOwn(from) ? from : to) as Own
const sum = (moves: Move[]) => moves.reduce((all, { cents }) => all + cents, 0)
const isStable = (moves: Move[]) => moves.every(({ token }) => token.startsWith('USD'))

function kindOf(out: Move[], into: Move[], isSender: boolean): 'exchange' | 'change' | 'gifts' | 'fetched' {
  if (into.length === 0 || out.length === 0) return isSender ? 'fetched' : 'gifts'
  const net = (token: Symbol) =>
    sum(into.filter((each) => each.token === token)) - sum(out.filter((each) => each.token === token))
  const hasGained = (Object.keys(prices) as Symbol[]).some((token) => net(token) > 0)
  if (!hasGained || sum(into) * 100 < sum(out)) return 'change'
  return sum(out) * 100 < sum(into) ? 'gifts' : 'exchange'
}

function addTo(
  paid: Map<string, { units: bigint; cents: number }>,
  pool: Party,
  party: Party,
  by: Move,
  sign: 1 | -1,
): void {
  const key = `${pool} ${party} ${by.token}`
  const before = paid.get(key) ?? { units: 0n, cents: 0 }
  paid.set(key, { units: before.units + BigInt(sign) * unitsOf(by), cents: before.cents + sign * by.cents })
}

const columns = [
  'treasury_usd',
  'donated_usd',
  'spent_usd',
  'waiting_usd',
  'tax_usd',
  'gifts_usd',
  'pool_gifts_usd',
  'other_in_usd',
  'returned_usd',
  'donated_elsewhere_usd',
  'dreams_funded_usd',
  'costs_usd',
  'other_out_usd',
  'received_usd',
  'paid_usd',
] as const
type Totals = Record<(typeof columns)[number], number>

async function readFigures() {
  const list = columns.map((column) => `(${column} * 100)::float8 as ${column}`)
  const [totals] = await backend.sql<Totals>(`select ${list} from public.ledger_totals`)
  const [pool] = await backend.sql<Record<'total' | 'spent' | 'left', number>>(
    'select (sum(total_usd) * 100)::float8 as total, (sum(spent_usd) * 100)::float8 as spent, (sum(left_usd) * 100)::float8 as left from public.pool_totals',
  )
  const [month] = await backend.sql<{ held: number }>(
    'select (held_usd * 100)::float8 as held from public.ledger_months order by month desc limit 1',
  )
  const wallets = JSON.stringify(own.map(addressOf))
  const [{ balances } = { balances: [] }] = await backend.sql<{
    balances: { wallet: string; token_address: string | null; amount: string }[]
  }>('select public.ledger_balances(56, $1::jsonb, 10) as balances', [wallets])
  return { totals: totals as Totals, pool, month, balances }
}

test('treasury, given, spent, left and returned of any mixture of transfers equal a model, and balances the sum of rows', async () => {
  await holds(
    'figures of transactions',
    count(12, 1_500),
    fc.asyncProperty(
      fc.array(fc.array(payment, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      async (parts) => {
        await emptyLedger(backend)
        await record(parts)
        const expected = model(parts)
        const { totals: is, balances } = await readFigures()
        const { figures } = expected
        expect(
          Object.fromEntries(
            balances.map(({ wallet, token_address, amount }) => [
              `${parties.find((party) => addressOf(party) === wallet)} ${Object.entries(addressOfToken).find(([, address]) => address === token_address)?.[0]}`,
              amount,
            ]),
          ),
        ).toEqual(expected.balances)
        await expectEqualToChain(expected.balances, feesOf(parts), balances)
        expect(is.donated_usd).toBe(figures.given + 0)
        expect(is.spent_usd).toBe(figures.spent + 0)
        // An exchange between two accounts is shared in whole cents.
        expect(Math.abs(is.treasury_usd - figures.treasury)).toBeLessThan(10)
        expect(Math.abs(is.waiting_usd - figures.left)).toBeLessThan(10)
        expect(is.treasury_usd + is.waiting_usd).toBe(Math.round(figures.treasury + figures.left) + 0)
        expect(is.received_usd - is.paid_usd + 0).toBe(is.treasury_usd + is.waiting_usd)
        expectAgreement(await readFigures())
        await check('mismatch', 'id % 3 = 1')
        expectAgreement(await readFigures())
      },
    ),
    [[[[paidAndReturned]]], [[[changeOfAnother]]]],
  )
})

/** The gas that each of our wallets has paid. */
function feesOf(parts: Payment[][]): Map<string, bigint> {
  const fees = new Map<string, bigint>()
  for (const { sender, fee } of parts.flat())
    fees.set(addressOf(sender), (fees.get(addressOf(sender)) ?? 0n) + fee)
  return fees
}

/** The balances on the chain, less the fees, equal the sums of rows for each wallet and token. */
async function expectEqualToChain(
  moved: Record<string, string>,
  fees: ReadonlyMap<string, bigint>,
  ledger: { wallet: string; token_address: string | null; amount: string }[],
) {
  // A wallet had coins and tokens before the first block that was read.
  const before = 10n ** 30n
  const held = (wallet: string, token: string) =>
    before + BigInt(moved[`${parties.find((party) => addressOf(party) === wallet)} ${token}`] ?? 0)
  const balances = {
    ...chain,
    balance: async (wallet: string) => held(wallet, 'BNB') - (fees.get(wallet) ?? 0n),
    call: async (to: string, data: string) =>
      word(held(`0x${data.slice(-40)}`, tokens.find(([, address]) => address === to)?.[0] ?? '')),
    logs: async () => [],
  } as unknown as Chain
  const tokens = Object.entries(addressOfToken)
  const ledgerOf = own.flatMap((party) =>
    tokens.map(([, token_address]) => {
      const found = ledger.find(
        (each) => each.wallet === addressOf(party) && each.token_address === token_address,
      )
      return { wallet: addressOf(party), token_address, amount: String(BigInt(found?.amount ?? 0) + before) }
    }),
  )
  const block = { number: 9, hash: word(9n), timestamp: 1_750_000_000 }
  const feeOf = (wallet: string) => fees.get(wallet) ?? 0n
  const { comparisons, changing } = await reconcile(
    balances,
    watch,
    block,
    ledgerOf,
    feeOf,
    async () => new Set(),
  )
  expect(comparisons).toHaveLength(own.length * tokens.length)
  expect([comparisons.filter(differs), changing]).toEqual([[], []])
}

/** It failed when the rows of a transaction were judged one after the other. */
const paidAndReturned: Payment = {
  sender: 'treasury',
  fee: 1n,
  moves: [
    { from: 'pair', to: 'treasury', token: 'USDX', cents: 355_200 },
    { from: 'ben', to: 'treasury', token: 'USDX', cents: 1_800 },
    { from: 'dreamer', to: 'animals', token: 'USDX', cents: 3_600 },
    { from: 'animals', to: 'dreamer', token: 'USDX', cents: 3_600 },
  ],
}

/** What a pool paid and what came back from another party, in one transaction of a stranger. */
const changeOfAnother: Payment = {
  sender: 'ann',
  fee: 1n,
  moves: [
    { from: 'education', to: 'pair', token: 'USDX', cents: 60_000 },
    { from: 'ben', to: 'education', token: 'USDX', cents: 30_000 },
  ],
}

/** The figures of the pages agree with each other. */
function expectAgreement({ totals: is, pool, month }: Awaited<ReturnType<typeof readFigures>>) {
  expect(month?.held ?? 0).toBe(is.treasury_usd + is.waiting_usd)
  expect(pool).toEqual({
    total: is.donated_usd - is.donated_elsewhere_usd,
    spent: is.spent_usd - is.donated_elsewhere_usd,
    left: is.waiting_usd,
  })
  expect(is.tax_usd + is.gifts_usd + is.pool_gifts_usd + is.other_in_usd + is.returned_usd).toBe(
    is.donated_usd + is.dreams_funded_usd + is.costs_usd + is.other_out_usd + is.treasury_usd,
  )
}
