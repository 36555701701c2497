import { keccak256, parseTransaction, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test, vi } from 'vitest'
import type * as z from 'zod/mini'
import { Refused } from '../../app/chain/chain-errors.ts'
import type { Service } from '../../app/chain/ledger-store.server.ts'
import { payOrders } from '../../app/chain/payer.server.ts'
import type { Chain } from '../../app/chain/rpc.ts'
import { drawFrom } from '../support/draw.ts'
import { addOperator, nameByTwo } from '../support/operators.ts'
import { insertOrder } from '../support/orders.ts'
import { clientOf, startTemporary, transaction } from '../support/temporary-backend.ts'

const backend = await startTemporary()
afterAll(() => backend.close())
await addOperator(backend, 'ada')
await addOperator(backend, 'bob')
const [treasury, partner, token] = [`0x${'7'.repeat(40)}`, `0x${'9'.repeat(40)}`, `0x${'d'.repeat(40)}`]
await nameByTwo(backend, partner, 'Riverside Books')
const one = 10n ** 18n
await backend.sql('select public.keep_orders($1)', [
  JSON.stringify({
    ...{ chain_id: 56, notice_hours: 24, limit_tokens: 100 },
    wallets: [{ account: 'treasury', address: treasury }],
    tokens: [{ symbol: 'USDX', address: token, decimals: 18 }],
  }),
])

const confirmations = 3
class Killed extends Error {}

interface Sent {
  hash: string
  nonce: number
  to: string
  amount: bigint
}

/** A chain with one sender, in memory: blocks, transactions that wait, and an allowance. */
class ModelChain {
  blocks: { hash: string; mined: (Sent & { succeeded: boolean })[] }[] = []
  waiting = new Map<string, Sent>()
  allowance: bigint
  readonly #draw: () => number

  constructor(draw: () => number, allowance: bigint) {
    this.#draw = draw
    this.allowance = allowance
    for (let block = 0; block < 5; block++) this.mine()
  }

  nonce(at = this.blocks.length - 1): number {
    return this.blocks.slice(0, at + 1).reduce((sum, { mined }) => sum + mined.length, 0)
  }

  get all() {
    return this.blocks.flatMap(({ mined }) => mined)
  }

  get moved(): bigint {
    return this.all.reduce((sum, { succeeded, amount }) => sum + (succeeded ? amount : 0n), 0n)
  }

  mine(): void {
    const next = [...this.waiting.values()].filter(({ nonce }) => nonce === this.nonce())
    const chosen = next[Math.floor(this.#draw() * next.length)]
    const hash = keccak256(
      `0x${Math.floor(this.#draw() * 2 ** 48)
        .toString(16)
        .padStart(12, '0')}`,
    )
    const succeeded = chosen !== undefined && this.moved + chosen.amount <= this.allowance
    this.blocks.push({ hash, mined: chosen ? [{ ...chosen, succeeded }] : [] })
  }

  /** Replaces the last block. Its transaction waits again, or is lost by the endpoints. */
  reorganise(): void {
    const [removed] = this.blocks.splice(-1)
    for (const sent of removed?.mined ?? []) if (this.#draw() < 0.5) this.waiting.set(sent.hash, sent)
    this.mine()
  }

  final() {
    return this.blocks.slice(0, -confirmations + 1).flatMap(({ mined }) => mined)
  }
}

/**
 * What a run sees of the chain. `step` is called before each call, and may end the run. `behind`: seconds by which the
 * time of blocks differs from now.
 */
function viewOf(model: ModelChain, step: () => void, behind = 0): Chain {
  const time = Math.floor(Date.now() / 1000) + behind
  const head = model.blocks.length - 1
  const stepped =
    <Given extends unknown[], Value>(read: (...given: Given) => Value) =>
    async (...given: Given) => {
      step()
      return read(...given)
    }
  const wordAt = (data: string, at: number) => BigInt(`0x${data.slice(10 + at * 64, 74 + at * 64)}`)
  return {
    ...{ id: 56, head, faults: {}, calls: 0, parallel: 1 },
    nonce: stepped((_: string, at: number) => model.nonce(at)),
    gasPrice: stepped(() => 1n),
    balance: stepped(() => one),
    block: stepped((number: number) => ({
      number,
      hash: model.blocks[number]?.hash ?? '0x',
      timestamp: time,
    })),
    receipt: stepped((hash: string) => {
      const number = model.blocks.findIndex(({ mined }) => mined.some((each) => each.hash === hash))
      const found = model.blocks[number]?.mined[0]
      if (!found) return null
      const pad = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
      const log = {
        address: token,
        topics: ['0x', pad(treasury), pad(partner)],
        data: `0x${found.amount.toString(16).padStart(64, '0')}`,
      }
      return {
        ...{
          transactionHash: hash,
          blockNumber: number,
          blockHash: model.blocks[number]?.hash,
          from: '',
          to: token,
        },
        ...{ status: found.succeeded ? '0x1' : '0x0', logs: found.succeeded ? [log] : [] },
      }
    }),
    call: stepped(
      (_: string, data: string) =>
        `0x${(data.startsWith('0xdd62ed3e') ? model.allowance - model.moved : 1_000n * one).toString(16)}`,
    ),
    simulate: stepped((_: string, __: string, data: string) => {
      if (wordAt(data, 2) > model.allowance - model.moved) throw new Refused('eth_call is refused')
      return '0x1'
    }),
    send: stepped((raw: `0x${string}`) => {
      const { nonce = 0, data = '0x' } = parseTransaction(raw)
      const hash = keccak256(raw)
      const sent = { hash, nonce, to: `0x${data.slice(98, 138)}`, amount: wordAt(data, 2) }
      if (!model.all.some((each) => each.hash === hash)) model.waiting.set(hash, sent)
      return 1
    }),
  } as unknown as Chain
}

/** Calls the functions of the database directly. */
function serviceOf(step: () => void): Service {
  const call = async (name: string, schema: z.ZodMiniType, given: Record<string, unknown>) => {
    step()
    const names = Object.keys(given)
    const values = Object.values(given).map((value) =>
      typeof value === 'object' ? JSON.stringify(value) : value,
    )
    const places = names.map((each, at) => `${each} => $${at + 1}`)
    const [row] = await backend.sql<{ value: unknown }>(`select public.${name}(${places}) as value`, values)
    const value = schema.parse(row?.value)
    step()
    return value
  }
  return { call } as unknown as Service
}

/** Records final transfers in the ledger, as the job does. */
async function record(model: ModelChain): Promise<void> {
  for (const { hash, to, amount, succeeded } of model.final()) {
    if (!succeeded) continue
    const row = transaction({
      ...{ occurred_at: new Date().toISOString(), type: 'other', direction: 'out', from_address: treasury },
      ...{ to_address: to, token_address: token, token_symbol: 'USDX', token_decimals: 18, tx_hash: hash },
      token_amount: `${amount}`,
    })
    await backend.sql('select public.append_ledger($1)', [JSON.stringify([row])])
    await backend.sql(
      `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations)
       select max(id), 'verified', 9, $1::text, 20 from public.transactions where tx_hash = $1::text
       having max(revision) = 0`,
      [hash],
    )
  }
}

/** The states of the orders from a number on, so that a later history does not read those of all before it. */
const states = async (first = 0) =>
  new Map(
    (
      await backend.sql<{ id: number; state: string }>(
        'select id::int, state from public.orders where id >= $1',
        [first],
      )
    ).map(({ id, state }) => [id, state]),
  )
const move = (number: number, state: string) =>
  backend.sql('select private.move_order($1, $2)', [number, state]).catch(() => {})
const hold = (isHeld: boolean) =>
  backend.sql("insert into private.payment_holds (is_held, cause) values ($1, 'operator')", [isHeld])

/** A history: orders of each kind, and steps in a random order. Returns what became of each order. */
async function play(seed: number): Promise<void> {
  const draw = drawFrom(seed)
  const chance = (share: number) => draw() < share
  const key = keccak256(`0x${(seed + 1).toString(16).padStart(64, '0')}`)
  const allowance = BigInt(3 + Math.floor(draw() * 30)) * one
  const model = new ModelChain(draw, allowance)
  const orders = new Map<number, { amount: bigint; isAllowed: boolean }>()
  for (let count = 2 + Math.floor(draw() * 3); count > 0; count--) {
    const kind = draw()
    // Amounts differ, so that each payment belongs to one order.
    const amount =
      (kind < 0.1 ? 200n * one : BigInt(1 + Math.floor(draw() * 9)) * one) + BigInt(seed * 10 + count)
    const number = await insertOrder(backend, {
      ...{ chain: 56, from: treasury, to: partner, token, amount },
      hours: kind >= 0.1 && kind < 0.2 ? 20 : kind >= 0.2 && kind < 0.25 ? 200 : 30,
      people: kind >= 0.25 && kind < 0.35 ? ['ada', null] : ['ada', 'bob'],
    })
    orders.set(number, { amount, isAllowed: kind >= 0.35 })
  }
  const [first = 0] = orders.keys()
  const stopped = new Set<number>()
  const run = async (mayDie: boolean) => {
    let left = mayDie && chance(0.5) ? Math.floor(draw() * 14) : Number.POSITIVE_INFINITY
    const step = () => {
      if (left-- <= 0) throw new Killed()
    }
    await payOrders(serviceOf(step), viewOf(model, step), key, { confirmations, wallets: [treasury] }).catch(
      (error: unknown) => {
        if (!(error instanceof Killed)) throw error
      },
    )
  }
  for (let step = 0; step < 16; step++) {
    const what = draw()
    if (what < 0.4) await run(true)
    else if (what < 0.5) await Promise.all([run(true), run(true)])
    else if (what < 0.75) model.mine()
    else if (what < 0.83) model.reorganise()
    else if (what < 0.9) await record(model)
    else if (what < 0.93) await hold(chance(0.5))
    // The owners end the allowance, perhaps after an order was signed, and give it again.
    else if (what < 0.96) model.allowance = chance(0.5) ? model.moved : allowance
    else {
      const [number = 0] = [...orders.keys()].slice(Math.floor(draw() * orders.size))
      const before = (await states(number)).get(number)
      await move(number, 'stopped')
      if (before === 'announced' && (await states(number)).get(number) === 'stopped') stopped.add(number)
    }
  }
  await hold(false)
  for (let round = 0; round < 30; round++) {
    await run(false)
    for (let block = 0; block < confirmations; block++) model.mine()
    await record(model)
    if (![...(await states(first)).values()].includes('sent') && model.waiting.size <= model.all.length) break
  }
  const now = await states(first)
  const paid = [...orders].filter(([number]) => now.get(number) === 'paid')
  expect(model.moved).toBe(paid.reduce((sum, [, { amount }]) => sum + amount, 0n))
  for (const [number, { amount, isAllowed }] of orders) {
    const payments = model.all.filter((each) => each.succeeded && each.amount === amount)
    expect([seed, number, payments.length]).toEqual([seed, number, now.get(number) === 'paid' ? 1 : 0])
    if (!isAllowed || stopped.has(number)) expect([seed, number, payments]).toEqual([seed, number, []])
    expect([seed, number, now.get(number)]).not.toEqual([seed, number, 'sent'])
    await move(number, 'stopped')
  }
}

test('the secret key binds no order by any call of a function, in any order', async () => {
  await hold(false)
  const service = clientOf(backend, backend.secretKey)
  const key = keccak256('0x01')
  const payer = privateKeyToAccount(key).address.toLowerCase()
  const raws = (amount: bigint, to = partner) =>
    `0x23b872dd${treasury.slice(2).padStart(64, '0')}${to.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`
  const bind = async (number: number, changes: object = {}) => {
    const payment = {
      ...{ payer, nonce: 0, tx_hash: keccak256(`0x${number.toString(16).padStart(8, '0')}`), gas_price: '1' },
      ...{ raw: raws(5n), block_time: new Date().toISOString(), ...changes },
    }
    const { data, error } = await service.rpc('bind_order' as never, { of_order: number, payment } as never)
    return error?.message ?? data
  }
  const order = (more = {}) =>
    insertOrder(backend, { ...{ chain: 56, from: treasury, to: partner, token, amount: 5n }, ...more })
  expect(await bind(999_999)).toBe('state')
  expect(await bind(await order({ people: ['ada', null] }))).toBe('approval')
  expect(await bind(await order({ people: ['ada', 'bob'], hours: 23 }))).toBe('notice')
  expect(await bind(await order({ hours: 193 }))).toBe('expired')
  expect(await bind(await order({ amount: 101n * one }))).toBe('limit')
  expect(await bind(await order({ to: `0x${'8'.repeat(40)}` }))).toBe('recipient')
  expect(await bind(await order({ from: `0x${'6'.repeat(40)}` }))).toBe('wallet')
  const good = await order()
  expect(await bind(good, { block_time: '2020-01-01T00:00:00Z' })).toBe('notice')
  expect(await bind(good, { raw: raws(6n) })).toBe('bytes')
  expect(await bind(good, { raw: raws(5n, treasury) })).toBe('bytes')
  await hold(true)
  expect(await bind(good)).toBe('held')
  await hold(false)
  for (const table of ['order_payments', 'payment_holds'])
    expect((await service.from(table as never).select()).error).not.toBeNull()
  const release = { kind: 'payments-release', subject: null, arguments: {}, reason: 'The key is safe.' }
  await hold(true)
  expect((await service.rpc('act_with_key' as never, release as never)).error?.message).toBe('operators_only')
  await hold(false)
  expect(await bind(good)).toBe('bound')
  expect(await bind(good, { nonce: 1 })).toBe('state')
  expect(await bind(await order(), { nonce: 1 })).toBe('another is sent')
  await move(good, 'failed')
  for (const [number, state] of await states()) if (state === 'announced') await move(number, 'stopped')
})

test('a hostile worker that calls the functions with the secret key in a random order binds no order that two operators did not approve', async () => {
  const draw = drawFrom(Number(process.env.SEED ?? 1))
  const pick = <Value>(...values: [Value, ...Value[]]) => values[Math.floor(draw() * values.length)] as Value
  const service = clientOf(backend, backend.secretKey)
  const payer = privateKeyToAccount(keccak256('0x02')).address.toLowerCase()
  const make = (more = {}) =>
    insertOrder(backend, { ...{ chain: 56, from: treasury, to: partner, token, amount: 5n }, ...more })
  const good = await make()
  const forbidden = [
    await make({ people: ['ada', null] }),
    await make({ people: ['ada', null], amount: 6n }),
    await make({ hours: 20 }),
    await make({ to: `0x${'8'.repeat(40)}` }),
  ]
  const [number, hash] = [
    () => pick(good, ...forbidden),
    () => keccak256(`0x${draw().toString(16).slice(2, 14)}`),
  ]
  const pad = (hex: string) => hex.padStart(64, '0')
  const raw = () => {
    const to = pick(partner, partner, payer)
    return `0x23b872dd${pad(treasury.slice(2))}${pad(to.slice(2))}${pad(pick('5', '5', '6'))}`
  }
  const order = { from: 'treasury', to: payer, token: 'USDX', amount: '5', type: 'cost', purpose: 'Rent' }
  type Call = () => [name: string, given: object]
  const calls: [Call, ...Call[]] = [
    () => [
      'bind_order',
      {
        of_order: number(),
        payment: {
          ...{ payer, nonce: pick(0, 1, 2), raw: raw(), tx_hash: hash(), gas_price: '1' },
          block_time: pick(new Date().toISOString(), '2099-01-01T00:00:00Z'),
        },
      },
    ],
    () => ['replace_order_transaction', { of_order: number(), raw: raw(), tx_hash: hash(), gas_price: 2 }],
    () => ['end_payment', { of_order: number(), outcome: pick('failed', 'lost'), tx: hash() }],
    () => ['record_gap', { gap: { chain_id: 56, payer, nonce: pick(0, 5) }, senders: [] }],
    () => ['record_payer', { sight: { chain_id: 56, payer, gas: '1', payment_gas: '1', means: [] } }],
    () => ['allocate_tax', { chain: 56 }],
    () => [
      'act_with_key',
      {
        kind: pick('order', 'standing-order', 'stop', 'payments-release', 'payer-acceptance', 'name'),
        subject: pick(null, `${number()}`, payer),
        arguments: pick<object>(order, {}, { address: payer, name: 'Me' }),
        reason: 'The worker wants it.',
      },
    ],
  ]
  for (let call = 0; call < 150; call++) {
    const [name, given] = pick(...calls)()
    await service.rpc(name as never, given as never)
    // A hold, which only operators end, would hide other faults.
    await hold(false)
  }
  // Whatever it called, the approved order can be bound, once.
  const payment = {
    ...{ payer, nonce: 0, raw: `0x23b872dd${pad(treasury.slice(2))}${pad(partner.slice(2))}${pad('5')}` },
    ...{ tx_hash: hash(), gas_price: '1', block_time: new Date().toISOString() },
  }
  await service.rpc('bind_order' as never, { of_order: good, payment } as never)
  const bound = await backend.sql<{ id: number }>(
    'select order_id::int as id from private.order_payments where order_id = any($1::bigint[])',
    [[good, ...forbidden]],
  )
  expect(bound).toEqual([{ id: good }])
  await move(good, 'failed')
  for (const [each, state] of await states()) if (state === 'announced') await move(each, 'stopped')
})

test.each([
  ['an hour ahead', 3_600, 23.5, 0],
  ['an hour behind', -3_600, 24.5, 0],
  ['right, and final blocks are two hours old', 0, 25, -7_200],
])(
  'the notice counts by the time of the database and of final blocks: the clock of the worker is %s',
  async (_, shift, hours, behind) => {
    await hold(false)
    const model = new ModelChain(drawFrom(7), 100n * one)
    const service = serviceOf(() => {})
    const key = keccak256(toHex(`clock ${shift} ${behind}`))
    const number = await insertOrder(backend, {
      ...{ chain: 56, from: treasury, to: partner, token, amount: 5n, hours },
    })
    const run = async (behind: number) => {
      const chain = viewOf(model, () => {}, behind)
      vi.useFakeTimers({ now: Date.now() + shift * 1000, toFake: ['Date'] })
      const report = await payOrders(service, chain, key, { confirmations, wallets: [treasury] })
      vi.useRealTimers()
      return report
    }
    const isDue = hours > 24 && behind === 0
    expect((await run(behind)).sent).toBe(isDue ? number : undefined)
    expect((await states(number)).get(number)).toBe(isDue ? 'sent' : 'announced')
    if (hours > 24 && !isDue) expect((await run(0)).sent).toBe(number)
    await move(number, (await states(number)).get(number) === 'sent' ? 'failed' : 'stopped')
  },
)

// A history takes 40 ms on PostgreSQL, and 200 ms on PGlite.
const few = process.env.TEST_POSTGRES_URL ? 500 : 100
const histories = process.env.DEEP === '1' ? 20_000 : few
test(`in ${histories} histories of kills, overlaps, reorganisations, stops and holds, what left the wallet is what the paid orders say`, async () => {
  const first = Number(process.env.SEED ?? 1)
  const from = Math.max(0, ...(await states()).keys()) + 1
  for (let seed = first; seed < first + histories; seed++) await play(seed)
  const counts = new Map<string, number>()
  for (const state of (await states(from)).values()) counts.set(state, 1 + (counts.get(state) ?? 0))
  // The histories reach the states that they are about.
  expect(Math.min(...['paid', 'failed', 'stopped'].map((state) => counts.get(state) ?? 0))).toBeGreaterThan(0)
  expect(counts.get('paid')).toBeGreaterThan(histories / 2)
}, 3_600_000)
