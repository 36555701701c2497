import { keccak256, toHex } from 'viem'
import { afterAll, expect, test, vi } from 'vitest'
import type * as z from 'zod/mini'
import { addressOf } from '../../app/chain/stored-transaction.server.ts'
import { payOrders } from '../../app/payments/payer.server.ts'
import type { Service } from '../../app/platform/server/service.server.ts'
import { drawFrom } from '../support/draw.ts'
import { addGoal } from '../support/goals.ts'
import { confirmations, ModelChain, viewOf, watchOf } from '../support/model-chain.ts'
import { addOperator, nameByTwo } from '../support/operators.ts'
import { type ApprovedOrder, fillLanes, insertOrder } from '../support/orders.ts'
import { feed, other, payees } from '../support/standing-model.ts'
import {
  type ApprovedRule,
  endVote,
  insertStanding,
  postOf,
  suspendStanding,
} from '../support/standing-orders.ts'
import { clientOf, startTemporary, transaction } from '../support/temporary-backend.ts'

const backend = await startTemporary()
afterAll(() => backend.close())
await addOperator(backend, 'ada')
await addOperator(backend, 'bob')
const [treasury, partner, token] = [`0x${'7'.repeat(40)}`, `0x${'9'.repeat(40)}`, `0x${'d'.repeat(40)}`]
await nameByTwo(backend, partner, 'Riverside Books')
const friend = `0x${'9'.repeat(39)}8`
await nameByTwo(backend, friend, 'Hillside Books')
await backend.sql('select public.claim_sources($1)', [JSON.stringify([feed, other])])
const one = 10n ** 18n
const terms = (changes: object = {}) => ({
  terms: {
    ...{ chain_id: 56, notice_hours: 24, limit_tokens: 1000 },
    wallets: Object.entries({ treasury, ...payees }).map(([account, address]) => ({ account, address })),
    ...{ tokens: [{ symbol: 'USDX', address: token, decimals: 18 }], ...changes },
  },
})
/** Stores the terms with the address of a payer. */
const storeTerms = (payer: string) =>
  backend.sql('select public.store_payment_terms($1)', [JSON.stringify(terms({ payer }).terms)])
await storeTerms(partner)

const watch = watchOf(treasury)

/** Calls the functions of the database directly. */
function serviceOf(calls: string[] = []): Service {
  const call = async (name: string, schema: z.ZodMiniType, given: Record<string, unknown>) => {
    calls.push(name)
    const names = Object.keys(given)
    const values = Object.values(given).map((value) =>
      typeof value === 'object' ? JSON.stringify(value) : value,
    )
    const places = names.map((each, at) => `${each} => $${at + 1}`)
    const [row] = await backend.sql<{ value: unknown }>(`select public.${name}(${places}) as value`, values)
    return schema.parse(row?.value)
  }
  return { call } as unknown as Service
}

/** The states of the orders from a number on, so that a later history does not read those of all before it. */
const states = async (first = 0) =>
  new Map(
    (
      await backend.sql<{ id: number; state: string }>(
        'select id::int, state from public.orders where id >= $1 order by id',
        [first],
      )
    ).map(({ id, state }) => [id, state]),
  )
const move = (number: number, state: string) =>
  backend.sql('select private.move_order($1, $2)', [number, state]).catch(() => {})
const hold = (isHeld: boolean) =>
  backend.sql("insert into private.payment_holds (is_held, cause) values ($1, 'operator')", [isHeld])

test('the secret key binds no order by any call of a function, in any order', async () => {
  await hold(false)
  const service = clientOf(backend, backend.secretKey)
  const payer = addressOf(keccak256('0x01'))
  await storeTerms(payer)
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
  // Blocks of the future do not end the notice.
  const early = await order({ people: ['ada', 'bob'], hours: 23 })
  expect(await bind(early, { block_time: '2099-01-01T00:00:00Z' })).toBe('notice')
  expect(await bind(await order({ hours: 193 }))).toBe('expired')
  expect(await bind(await order({ amount: 1001n * one }))).toBe('limit')
  expect(await bind(await order({ to: `0x${'8'.repeat(40)}` }))).toBe('recipient')
  expect(await bind(await order({ from: `0x${'6'.repeat(40)}` }))).toBe('wallet')
  expect(await bind(await order({ token: `0x${'c'.repeat(40)}` }))).toBe('token')
  const good = await order()
  expect(await bind(good, { payer: partner })).toBe('payer')
  expect(await bind(good, { block_time: '2020-01-01T00:00:00Z' })).toBe('notice')
  for (const name of ['payer', 'nonce', 'raw', 'tx_hash', 'gas_price', 'block_time'])
    expect([name, await bind(good, { [name]: null })]).toEqual([name, 'incomplete'])
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
  // It failed before the same payment was approved again, and is paid after that.
  const four = { amount: 4n }
  const late = await order(four)
  expect(await bind(late, { nonce: 1, raw: raws(4n) })).toBe('bound')
  await move(late, 'failed')
  await backend.sql(`do $$ begin
    set local session_replication_role = replica;
    update public.order_changes set recorded_at = now() - interval '2 days' where number = ${late} and state = 'failed';
  end $$`)
  const again = await order(four)
  await backend.sql("select private.move_order($1, 'paid', $2, 0)", [late, keccak256(toHex('late'))])
  expect(await bind(again, { nonce: 2, raw: raws(4n) })).toBe('paid after all')
  const next = await order({ amount: 3n })
  expect(await bind(next, { nonce: 2, raw: raws(3n) })).toBe('bound')
  await move(next, 'failed')
  for (const [number, state] of await states()) if (state === 'announced') await move(number, 'stopped')
})

/** Orders, and those of standing orders: what the database may bind, and what no two operators decided. */
async function ordersToBind() {
  const donation = payees['donation-wallet']
  const call = {
    rule: 'call',
    account: 'donation-wallet',
    from: donation,
    token,
    most: 9n,
    month: 99n,
  } as const
  const others = { source: feed, words: 'wells', to: partner, amount: 5n, every: 1 }
  const rule = (changes: Partial<ApprovedRule> = {}) =>
    insertStanding(backend, { ...call, ...others, ...changes })
  const ofTreasury = { account: 'treasury', from: treasury, token, most: 9n, month: 99n }
  const order = (more: Partial<ApprovedOrder> = {}) => {
    const given = { ...{ chain: 56, from: treasury, to: partner, token, amount: 5n }, ...more }
    return insertOrder(backend, given).then((number) => ({ ...given, number }))
  }
  const byRule = (standing: number, more: Partial<ApprovedOrder> = {}) =>
    order({ ...{ account: 'donation-wallet', from: donation, standing, occasion: postOf().url, ...more } })
  const [full, slow, suspended] = [await rule({ month: 9n }), await rule({ every: 7 }), await rule()]
  await suspendStanding(backend, suspended)
  const division = await insertStanding(backend, {
    ...{ ...ofTreasury, rule: 'allocation', percent: 500, day: 10, parts: { education: 1000 } },
  })
  const lost = await addGoal(backend)
  const vote = await insertStanding(backend, { ...ofTreasury, rule: 'vote' })
  await endVote(backend, lost.slug, false)
  const good = [
    await order(),
    await byRule(await rule()),
    await byRule(full, { hours: 80 }),
    await byRule(slow, { hours: 80 }),
  ]
  const bad = {
    'approved by one': await order({ people: ['ada', null] }),
    'approved by one, another amount': await order({ people: ['ada', null], amount: 6n }),
    early: await order({ hours: 20 }),
    'to an address without a name': await order({ to: `0x${'8'.repeat(39)}7` }),
    'rule of one operator': await byRule(await rule({ people: ['ada', null] })),
    'suspended rule': await byRule(suspended),
    'above the limit of 30 days': await byRule(full),
    'twice in its days': await byRule(slow),
    'to another recipient': await byRule(await rule({ to: `0x${'4'.repeat(40)}` })),
    'another amount': await byRule(await rule(), { amount: 6n }),
    'above the limit of one': await byRule(await rule({ amount: 5n }), { amount: 10n }),
    'after the end of the rule': await byRule(await rule({ ends: -3 })),
    'a month that was not divided': await order({
      ...{ standing: division, occasion: '2026-01', to: payees.education, recipient: 'pool' },
      recipientAccount: 'education',
    }),
    'a goal that lost': await order({
      ...{
        standing: vote,
        occasion: lost.slug,
        to: lost.wallet,
        recipient: 'goal',
        recipientAccount: lost.slug,
      },
    }),
  }
  return { good, bad }
}

test('a hostile worker that calls the functions with the secret key in a random order binds no order that two operators did not approve, or that no standing order allows', async () => {
  const draw = drawFrom(Number(process.env.SEED ?? 1))
  const pick = <Value>(...values: [Value, ...Value[]]) => values[Math.floor(draw() * values.length)] as Value
  const service = clientOf(backend, backend.secretKey)
  const payer = addressOf(keccak256('0x02'))
  await storeTerms(payer)
  const { good, bad } = await ordersToBind()
  const all = [...good, ...Object.values(bad)]
  const anOrder = () => all[Math.floor(draw() * all.length)] as (typeof all)[number]
  const hash = () => keccak256(`0x${draw().toString(16).slice(2, 14)}`)
  const pad = (hex: string) => hex.padStart(64, '0')
  const rawOf = ({ from, to, amount }: Pick<ApprovedOrder, 'from' | 'to' | 'amount'>) =>
    `0x23b872dd${pad(from.slice(2))}${pad(to.slice(2))}${pad(amount.toString(16))}`
  const raw = () => {
    const order = anOrder()
    return rawOf({ ...order, to: pick(order.to, order.to, payer), amount: pick(order.amount, 6n) })
  }
  const order = { from: 'treasury', to: payer, token: 'USDX', amount: '5', type: 'cost', purpose: 'Rent' }
  type Call = () => [name: string, given: object]
  const calls: [Call, ...Call[]] = [
    () => {
      const { number, ...facts } = anOrder()
      const payment = { payer, nonce: pick(0, 0, 1, 2), raw: pick(rawOf(facts), raw()), tx_hash: hash() }
      const block_time = pick(new Date().toISOString(), '2099-01-01T00:00:00Z')
      return ['bind_order', { of_order: number, payment: { ...payment, gas_price: '1', block_time } }]
    },
    () => [
      'replace_order_transaction',
      { of_order: anOrder().number, raw: raw(), tx_hash: hash(), gas_price: 2 },
    ],
    () => ['end_payment', { of_order: anOrder().number, outcome: pick('failed', 'lost'), tx: hash() }],
    () => ['record_gap', { gap: { chain_id: 56, payer, nonce: pick(0, 5) }, senders: [] }],
    () => ['record_payer', { sight: { chain_id: 56, payer, gas: '1', payment_gas: '1', means: [] } }],
    () => [
      'store_payment_terms',
      terms({ payer, notice_hours: pick(1, 24), limit_tokens: pick(1000, 1_000_000_000) }),
    ],
    () => ['end_orders', {}],
    () => ['allocate_tax', { chain: 56 }],
    () => ['append_ledger', { entries: [transaction({ type: 'tax' })] }],
    () => [
      'record_source',
      { source: feed, reading: { state: 'well' }, posts: [postOf({ text: 'More wells' })] },
    ],
    () => ['finish_votes', {}],
    () => [
      'append_name',
      { entry: { address: pick(bad['to an address without a name'].to, payer), name: 'Me', revision: 0 } },
    ],
    () => [
      'act_with_key',
      {
        kind: pick(
          ...([
            'order',
            'standing-order',
            'suspend',
            'stop',
            'name',
            'payments-release',
            'payer-acceptance',
          ] as const),
        ),
        subject: pick(null, '999', payer),
        arguments: pick<object>(order, { ...order, rule: 'vote' }, {}, { address: payer, name: 'Me' }),
        reason: 'The worker wants it.',
      },
    ],
  ]
  for (let call = 0; call < 150; call++) {
    const [name, given] = pick(...calls)()
    const { error } = await service.rpc(name as never, given as never)
    expect([name, error?.code]).not.toEqual([name, 'PGRST202'])
    // A hold, which only operators end, would hide other faults.
    await hold(false)
  }
  await service.rpc('store_payment_terms' as never, terms({ payer }) as never)
  // Then it tries each order with the right bytes, nonce and time.
  const bind = async ({ number, ...facts }: (typeof all)[number]) => {
    for (const [open, state] of await states()) if (state === 'sent') await move(open, 'failed')
    const { data } = await service.rpc('payment_state' as never, { chain: 56, payer } as never)
    const { next_nonce: nonce } = data as unknown as { next_nonce: number }
    const payment = { payer, nonce, raw: rawOf(facts), tx_hash: hash(), gas_price: '1' }
    const block_time = new Date().toISOString()
    await service.rpc(
      'bind_order' as never,
      { of_order: number, payment: { ...payment, block_time } } as never,
    )
  }
  for (const each of all) await bind(each)
  const bound = await backend.sql<{ id: number }>('select order_id::int as id from private.order_payments')
  const numbers = new Set(bound.map(({ id }) => id))
  expect(Object.entries(bad).filter(([, { number }]) => numbers.has(number))).toEqual([])
  expect(good.map(({ number }) => numbers.has(number))).toEqual(good.map(() => true))
  for (const [each, state] of await states())
    if (state === 'announced' || state === 'sent') await move(each, state === 'sent' ? 'failed' : 'stopped')
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
    const service = serviceOf()
    const key = keccak256(toHex(`clock ${shift} ${behind}`))
    await storeTerms(addressOf(key))
    const number = await insertOrder(backend, {
      ...{ chain: 56, from: treasury, to: partner, token, amount: 5n, hours },
    })
    const run = async (behind: number) => {
      const chain = viewOf(
        model,
        () => 18,
        () => {},
        behind,
      )
      vi.useFakeTimers({ now: Date.now() + shift * 1000, toFake: ['Date'] })
      const report = await payOrders(service, chain, key, watch, { mostGasPrice: 10n ** 10n })
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

test('an order in a token whose transfers return false waits; one whose transfers return nothing is paid', async () => {
  const model = new ModelChain(drawFrom(9), 100n * one)
  const key = keccak256(toHex('answers'))
  await storeTerms(addressOf(key))
  const number = await insertOrder(backend, { chain: 56, from: treasury, to: partner, token, amount: 2n })
  const run = (answer?: `0x${string}`) => {
    const chain = viewOf(
      model,
      () => 18,
      () => {},
    )
    if (answer) chain.simulate = async () => answer
    return payOrders(serviceOf(), chain, key, watch, { mostGasPrice: 10n ** 10n })
  }
  expect(await run(`0x${'0'.repeat(64)}`)).toEqual({ waiting: { [number]: 'the token refuses it' } })
  // A reason that may no longer hold has its time.
  await backend.sql("update private.order_tries set tried_at = '2025-03-01T09:07:30Z' where order_id = $1", [
    number,
  ])
  const [state] = await backend.sql("select public.payment_state(56, $1) -> 'waiting' as waiting", [
    addressOf(key),
  ])
  expect(state).toEqual({ waiting: { [number]: 'the token refuses it (tried 2025-03-01 09:07 UTC)' } })
  model.faults.set(token, 'silent')
  expect((await run()).sent).toBe(number)
  await move(number, 'failed')
})

test.each([
  ['more than the allowance', false, 20],
  ['to a recipient that the tokens refuse', true, 36],
])(
  'with 200 due orders, 100 of them %s in 20 lanes, a run makes at most 150 requests to two endpoints and 4 calls of the database, and pays the oldest payable order of each lane in turn',
  async (_, refused, most) => {
    const model = new ModelChain(drawFrom(3), 100n)
    if (refused) model.refused.add(partner)
    const { oldest, terms: more } = await fillLanes(backend, {
      ...{ partner, friend },
      amountOf: (count) => (refused ? count : 100n + count),
    })
    const key = keccak256(toHex(`lanes ${refused}`))
    await backend.sql('select public.store_payment_terms($1)', [
      JSON.stringify(terms({ payer: addressOf(key), ...more }).terms),
    ])
    const calls: string[] = []
    const service = serviceOf(calls)
    const [requests, sent]: [number[], number[]] = [[], []]
    for (let run = 1; run <= most; run++) {
      calls.length = 0
      const chain = viewOf(
        model,
        () => 18,
        () => {},
      )
      const report = await payOrders(service, chain, key, watch, { mostGasPrice: 10n ** 10n })
      requests.push(2 * chain.calls)
      expect(calls.length).toBeLessThanOrEqual(4)
      if (report.sent) await move(report.sent, 'failed')
      sent.push(report.sent ?? 0)
      for (let block = 0; block < confirmations; block++) model.mine()
    }
    console.log(`payer: requests of each run with 200 due orders: ${requests.join(' ')}`)
    expect(Math.max(...requests)).toBeLessThanOrEqual(150)
    expect(sent.filter(Boolean).slice(0, 20).toSorted()).toEqual(oldest.toSorted())
    await backend.sql("select private.move_order(id, 'stopped') from public.orders where state = 'announced'")
    await storeTerms(partner)
  },
)
