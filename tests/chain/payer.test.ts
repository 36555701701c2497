import { encodeDeployData, encodeFunctionData, type Hex, keccak256, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailboxVariables } from '../../supabase/embedded/mailbox.ts'
import { addGoal } from '../support/goals.ts'
import { readMails } from '../support/mails.ts'
import { prepare, press, wordsOf } from '../support/operator-forms.ts'
import { addOperator, nameByTwo } from '../support/operators.ts'
import { insertOrder } from '../support/orders.ts'
import { type Site, startSite } from '../support/site.ts'
import { documentOf, sessionCookie, Visitor } from '../support/visitor.ts'
import { endSoon, openTestVote, signBallot, waitForEnd } from '../support/votes.ts'
import { chainId, isRealNode, takeCoins } from './evm.ts'
import { contracts, dollars, type Project, startProject } from './project.ts'
import type { RpcFault } from './rpc-proxy.ts'
import { catchUp } from './truth.ts'

let project: Project
let site: Site
let others: Record<'taxed' | 'costly' | 'differing', Hex>
let operators: Record<'ada' | 'bob', Awaited<ReturnType<typeof addOperator>>>
const key = generatePrivateKey()
const payer = privateKeyToAccount(key)
const partner = `0x${'9'.repeat(40)}`

beforeAll(async () => {
  project = await startProject()
  const { evm, who, backend } = project
  operators = { ada: await addOperator(backend, 'ada'), bob: await addOperator(backend, 'bob') }
  await project.tell(61_234_000_000n)
  await nameByTwo(backend, partner, 'Riverside Books')
  await project.pay(who.stranger, who.treasury, dollars(1_000))
  await evm.mine(6)
  await catchUp(project)
  others = {
    taxed: await evm.deploy(
      who.stranger,
      encodeDeployData({ ...contracts.Taxed, args: [who.treasury.address] }),
    ),
    costly: await evm.deploy(
      who.stranger,
      encodeDeployData({ ...contracts.Costly, args: [who.treasury.address] }),
    ),
    differing: await evm.deploy(
      who.stranger,
      encodeDeployData({ ...contracts.Token, args: ['Token', 'USDY', 18] }),
    ),
  }
  site = await startSite(backend, siteVariables('20'))
})
afterAll(async () => {
  await site?.close()
  await project?.close()
})

/** The variables of a site with the payer and the other tokens. The contract of USDY says 18 decimals. */
const siteVariables = (decimals: string) => ({
  ...{ ...project.variables, PAYER_KEY: key },
  CHAIN_TOKENS: `${project.variables.CHAIN_TOKENS} TAX:${others.taxed}:18:usd COST:${others.costly}:18:usd USDY:${others.differing}:${decimals}:usd`,
})
const allow = (amount: bigint, token = project.dollar) =>
  project.evm.send(project.who.treasury, token, {
    data: encodeFunctionData({
      abi: contracts.Token.abi,
      functionName: 'approve',
      args: [payer.address, amount],
    }),
  })
const order = (amount: bigint, more = {}) =>
  insertOrder(project.backend, {
    ...{ chain: chainId, from: project.who.treasury.address.toLowerCase(), to: partner },
    ...{ token: project.dollar.toLowerCase(), amount },
    ...more,
  })
/** Makes an act of both operators. Returns the refusal of the database, if it refuses it. */
async function approve(kind: string, values: object, reason = ''): Promise<string | undefined> {
  const id = crypto.randomUUID()
  const proposed = { act: id, kind, subject: null, arguments: values, reason }
  for (const [by, name, parameters] of [
    ['ada', 'save_act', proposed],
    ['ada', 'submit_act', { act: id }],
    ['bob', 'confirm_act', { act: id }],
  ] as const) {
    const { error } = await operators[by].client.rpc(name as never, parameters as never)
    if (error) return `${error.message} ${error.details}`
  }
  return undefined
}
/** Makes the notice of a day of an order pass. */
const passNotice = (number: number) =>
  project.backend.sql(`do $$ begin
    set local session_replication_role = replica;
    update public.orders set
      announced_at = announced_at - (due_at - now() + interval '6 hours'), due_at = now() - interval '6 hours'
    where id = ${number};
  end $$`)
const stop = (number: number) => project.backend.sql("select private.move_order($1, 'stopped')", [number])
const tick = async () =>
  (await project.tick(site)) as { payer?: Record<string, unknown>; stopped?: string; tokens?: string[] }
const stateOf = async (number: number) =>
  (await project.backend.sql<{ state: string }>('select state from public.orders where id = $1', [number]))[0]
    ?.state
const held = async () =>
  (await project.evm.reader.readContract({
    ...{ abi: contracts.Token.abi, address: project.dollar, functionName: 'balanceOf', args: [partner] },
  })) as bigint
/** Mines the payment, and ticks until the order is paid. */
async function settle(number: number): Promise<void> {
  for (let round = 0; round < 8 && (await stateOf(number)) === 'sent'; round++) {
    await project.evm.mine(6)
    await tick()
  }
}
const sent = () => project.backend.sql<{ raw: Hex }>('select raw from private.order_transactions order by id')

test('reports what is missing, in turn: gas, the allowance, the balance; and then pays once', async () => {
  const number = await order(dollars(5))
  expect((await tick()).payer?.fault).toMatch(/needs 0\.0\d+ coins for gas, and has 0 coins$/)
  await project.evm.control.setBalance({ address: payer.address, value: 10n ** 18n })
  expect((await tick()).payer?.waiting).toEqual({
    [number]: expect.stringContaining('allowance is too small by 5'),
  })
  await allow(dollars(2_000))
  await project.evm.mine(6)
  const large = await order(dollars(900_000))
  const { payer: report } = await tick()
  expect(report).toMatchObject({ sent: number })
  expect(await stateOf(number)).toBe('sent')
  // Not mined: the same bytes are sent again, and no other order is paid.
  expect((await tick()).payer).toEqual({ resent: number })
  expect(await sent()).toHaveLength(1)
  await settle(number)
  expect([await stateOf(number), await held()]).toEqual(['paid', dollars(5)])
  expect((await tick()).payer?.waiting).toEqual({ [large]: expect.stringContaining('too small') })
  const look =
    "update private.payer_sights set seen_at = now() - interval '6 minutes' returning means, gas::text"
  const [seen] = await project.backend.sql<{ means: { allowance: string }[]; gas: string }>(look)
  // The first look found neither gas nor an allowance. A later one reads the chain again.
  expect([seen?.gas, seen?.means.every(({ allowance }) => allowance === '0')]).toEqual(['0', true])
  await tick()
  const treasury = project.who.treasury.address.toLowerCase()
  expect((await project.backend.sql<{ means: unknown[] }>(look))[0]?.means).toContainEqual({
    ...{ owner: treasury, token: project.dollar.toLowerCase() },
    ...{ allowance: `${dollars(1_995)}`, balance: `${dollars(995)}` },
  })
  const rows = await project.rows()
  expect(rows.filter(({ to_address }) => to_address === partner)).toMatchObject([
    { type: 'cost', revision: 1 },
  ])
  await project.backend.sql('update public.orders set state = $2, revision = 1 where id = $1', [
    large,
    'stopped',
  ])
})

test('pays nothing that two operators did not approve, whose notice runs, or that was stopped', async () => {
  const before = await held()
  const one = await order(dollars(1), { people: ['ada', null] })
  const early = await order(dollars(1), { hours: 20 })
  const late = await order(dollars(1), { hours: 200 })
  expect((await tick()).payer).toEqual({
    waiting: { [one]: 'its two approvals or its standing order no longer hold: stop it' },
  })
  await project.evm.mine(6)
  await tick()
  expect([await stateOf(one), await stateOf(early), await held()]).toEqual(['announced', 'announced', before])
  expect(['announced', 'expired']).toContain(await stateOf(late))
  for (const number of [one, early])
    await project.backend.sql('update public.orders set state = $2, revision = 1 where id = $1', [
      number,
      'stopped',
    ])
})

const faults: RpcFault[] = [
  'dead',
  'lags',
  'invents balances',
  'invents nonces',
  'invents calls',
  'swallows transactions',
  'denies receipts',
]
test.each(faults)(
  'an order is paid once although one endpoint of three %s',
  async (fault) => {
    const before = await held()
    const endpoint = project.endpoints[faults.indexOf(fault) % 3]
    if (!endpoint) throw new Error('no endpoint')
    const number = await order(dollars(2))
    Object.assign(endpoint, { fault, lag: 3 })
    await tick()
    await settle(number)
    endpoint.fault = 'none'
    await settle(number)
    expect([await stateOf(number), await held()]).toEqual(['paid', before + dollars(2)])
  },
  120_000,
)

/** Makes the signed bytes of the order in flight older. */
const age = async (minutes: number) => {
  await project.backend.sql('set session_replication_role = replica')
  await project.backend.sql(
    `update private.order_transactions set signed_at = signed_at - make_interval(mins => $1)
     where order_id = (select max(order_id) from private.order_transactions)`,
    [minutes],
  )
  await project.backend.sql(
    `update private.order_payments set bound_at = bound_at - make_interval(mins => $1)
     where order_id = (select max(order_id) from private.order_payments)`,
    [minutes],
  )
  // The payer goes on from an acceptance that was made before the order.
  await project.backend.sql(
    'update private.payer_acceptances set made_at = made_at - make_interval(mins => $1)',
    [minutes],
  )
  await project.backend.sql('set session_replication_role = origin')
}
/** What /healthz of a site names. An isolate keeps it for five seconds. */
const unavailable = async (of = site) =>
  ((await (await fetch(`${of.url}/healthz`)).json()) as { unavailable?: string[] }).unavailable ?? []

test('a payment that the endpoints have lost and refuse is a warning with their reason, and a fault on /healthz', async () => {
  const number = await order(dollars(2))
  const before = await held()
  await tick()
  const hash = keccak256((await sent()).at(-1)?.raw ?? '0x')
  await project.evm.control.dropTransaction({ hash })
  const giveBack = await takeCoins(project.evm, project.endpoints, payer.address)
  const run = await project.tick(site)
  expect(run).toMatchObject({
    level: 'warn',
    payer: {
      ...{ resent: number, refused: expect.stringMatching(/insufficient funds/i) },
      fault: expect.stringMatching(/^no endpoint takes the transaction: insufficient funds/i),
    },
  })
  expect(await unavailable()).toContain('payments')
  await giveBack()
  expect((await tick()).payer).toEqual({ resent: number })
  // However long no block has it, a replacement offers at most PAYMENT_MAX_GAS_GWEI.
  for (const endpoint of project.endpoints) endpoint.gasPrice = 10n ** 9n
  await age(11)
  const offer = async (gwei: bigint) => {
    await project.backend.sql('set session_replication_role = replica')
    await project.backend.sql(
      'update private.order_transactions set gas_price = $1::numeric where id = (select max(id) from private.order_transactions)',
      [`${gwei * 10n ** 9n}`],
    )
    await project.backend.sql('set session_replication_role = origin')
  }
  const count = (await sent()).length
  await offer(9n)
  const dear = { resent: number, fault: expect.stringContaining('may offer at most 10 gwei') }
  expect([(await tick()).payer, (await sent()).length]).toEqual([expect.objectContaining(dear), count])
  await offer(8n)
  expect((await tick()).payer?.fault).toBe(undefined)
  expect(await sent()).toHaveLength(count + 1)
  // Endpoints have it, and after three minutes no block does.
  await age(4)
  expect(await project.tick(site)).toMatchObject({ level: 'warn', payer: { resent: number, unmined: 15 } })
  for (const endpoint of project.endpoints) endpoint.gasPrice = null
  await settle(number)
  expect([await stateOf(number), await held()]).toEqual(['paid', before + dollars(2)])
})

test('stored bytes that are not the payment of their order are not sent, and two operators end it', async () => {
  const { backend } = project
  const number = await order(dollars(2))
  const before = await held()
  await tick()
  const [good] = (await sent()).slice(-1)
  await project.evm.control.dropTransaction({ hash: keccak256(good?.raw ?? '0x') })
  const store = async (raw: string) => {
    await backend.sql('set session_replication_role = replica')
    await backend.sql('update private.order_transactions set raw = $2 where order_id = $1', [number, raw])
    await backend.sql('set session_replication_role = origin')
  }
  const { nonce = 0, to, data } = parseTransaction(good?.raw ?? '0x')
  const forged = (changes: object) =>
    payer.signTransaction({
      ...{
        chainId,
        nonce,
        to: to ?? payer.address,
        data,
        gas: 100_000n,
        gasPrice: 10n ** 9n,
        type: 'legacy',
      },
      ...changes,
    })
  for (const [raw, fault] of [
    ['0xdeadbeef', 'is no transaction'],
    [await forged({ to: partner }), 'is not its payment'],
    [await forged({ nonce: nonce + 1 }), 'is not its payment'],
    [await forged({ gasPrice: 10n ** 15n }), 'offers 1,000,000 gwei for gas'],
  ] as const) {
    await store(raw)
    expect((await tick()).payer).toMatchObject({ fault: expect.stringContaining(fault) })
  }
  const end = async () => {
    const id = crypto.randomUUID()
    const act = {
      act: id,
      kind: 'order-end',
      subject: `${number}`,
      arguments: {},
      reason: 'It is on no chain.',
    }
    const { ada, bob } = operators
    await ada.client.rpc('save_act' as never, act as never)
    const { error } = await ada.client.rpc('submit_act' as never, { act: id } as never)
    if (!error) await bob.client.rpc('confirm_act' as never, { act: id } as never)
    return error?.message
  }
  expect(await end()).toBe('too_early')
  await age(31 * 24 * 60)
  expect(await end()).toBeUndefined()
  expect([await stateOf(number), await held(), (await tick()).payer]).toEqual([
    'lost',
    before,
    { held: true },
  ])
  // Its nonce was not used: two operators let the payer go on downwards, and the next order gets it.
  await backend.sql("insert into private.payment_holds (is_held, cause) values (false, 'operator')")
  const next = await order(dollars(2))
  expect((await tick()).payer?.fault).toContain('the payer has sent')
  expect(await approve('payer-acceptance', {}, 'Order ended.')).toBeUndefined()
  expect((await tick()).payer).toMatchObject({ sent: next })
  await settle(next)
  expect([await stateOf(next), await held()]).toEqual(['paid', before + dollars(2)])
})

test('a payment that nodes find underpriced is raised in the same run', async () => {
  const number = await order(dollars(2))
  const before = await held()
  await tick()
  const raw = (await sent()).at(-1)?.raw ?? '0x'
  const { nonce = 0, gasPrice = 0n } = parseTransaction(raw)
  await project.evm.control.dropTransaction({ hash: keccak256(raw) })
  // Another transaction of the payer waits with its nonce, and offers a little more.
  const other = await payer.signTransaction({
    ...{ chainId, nonce, to: payer.address, gas: 21_000n, gasPrice: gasPrice + 1n, type: 'legacy' },
  })
  await project.evm.reader.request({ method: 'eth_sendRawTransaction', params: [other] })
  expect((await tick()).payer).toMatchObject({ resent: number })
  expect(parseTransaction((await sent()).at(-1)?.raw ?? '0x').gasPrice).toBeGreaterThan(gasPrice)
  await settle(number)
  expect([await stateOf(number), await held()]).toEqual(['paid', before + dollars(2)])
})

test('an order in flight ends by its own receipt although the configuration has lost its wallet and its token; until then /healthz names it after half an hour', async () => {
  const { backend, evm, variables, who, coin, feed, endpoints } = project
  const number = await order(dollars(2))
  const before = await held()
  expect((await tick()).payer).toMatchObject({ sent: number })
  await age(31)
  // A run that reads no chain says why nothing is paid, and does not name the order.
  for (const endpoint of endpoints) endpoint.fault = 'dead'
  expect((await tick()).payer?.fault).toMatch(/^nothing is paid, because the run stopped: too few endpoints/)
  const other = await startSite(backend, {
    ...{ ...variables, PAYER_KEY: key, TREASURY_WALLET: who.stranger.address },
    CHAIN_TOKENS: `COIN:${coin}:9:${feed}`,
  })
  expect(await unavailable(other)).toContain('payments')
  for (const endpoint of endpoints) endpoint.fault = 'none'
  expect((await tick()).payer?.fault).toMatch(new RegExp(`^order ${number} was sent \\d+ minutes ago`))
  await evm.mine(6)
  // The endpoints have forgotten in which block it is.
  for (const endpoint of endpoints) Object.assign(endpoint, { fault: 'forgets old transactions', kept: 0 })
  await project.tick(other)
  await project.tick(other)
  for (const endpoint of endpoints) endpoint.fault = 'none'
  await other.close()
  expect([await stateOf(number), await held()]).toEqual(['paid', before + dollars(2)])
  const rows = (await project.rows()).filter(({ token_amount }) => token_amount === `${dollars(2)}`)
  expect(rows.at(-1)).toMatchObject({ account: 'treasury', type: 'cost', to_address: partner })
})

test('an order in flight is followed and named without PAYER_KEY too, by two endpoints', async () => {
  const { backend, endpoints, variables } = project
  const number = await order(dollars(2))
  const before = await held()
  expect((await tick()).payer).toMatchObject({ sent: number })
  await project.evm.control.dropTransaction({ hash: keccak256((await sent()).at(-1)?.raw ?? '0x') })
  await age(31)
  const other = await startSite(backend, variables)
  expect(await project.tick(other)).toMatchObject({
    payer: { resent: number, fault: expect.stringMatching(`^order ${number} was sent \\d+ minutes ago`) },
  })
  expect(await unavailable(other)).toContain('payments')
  const single = await startSite(backend, { ...variables, CHAIN_RPC_URLS: `${endpoints[0]?.url}` })
  expect(await project.tick(single)).toMatchObject({
    payer: { fault: expect.stringMatching(`^order ${number} is sent, and only two endpoints`) },
  })
  await single.close()
  await project.evm.mine(6)
  await project.tick(other)
  await other.close()
  expect([await stateOf(number), await held()]).toEqual(['paid', before + dollars(2)])
})

test('an order is lost only if another transaction of its nonce is known; a row that comes later makes it paid', async () => {
  const { evm, endpoints, backend } = project
  const setFault = (fault: RpcFault) => {
    for (const endpoint of endpoints) endpoint.fault = fault
  }
  const before = await held()
  const forgotten = await order(dollars(2))
  await tick()
  await evm.mine(6)
  setFault('has no receipts')
  expect((await tick()).payer?.fault).toMatch(/no endpoint has a receipt of order \d+, but 0x\w+ moved/)
  expect(await stateOf(forgotten)).toBe('sent')
  setFault('none')
  await settle(forgotten)
  expect([await stateOf(forgotten), await held()]).toEqual(['paid', before + dollars(2)])

  const [taken, release] = [
    await order(dollars(2)),
    'insert into private.payment_holds values (default, false, $1)',
  ]
  await tick()
  await backend.sql(
    "select public.end_payment($1, 'lost', tx_hash) from private.order_transactions order by id desc limit 1",
    [taken],
  )
  await backend.sql(release, ['operator'])
  await evm.mine(6)
  await tick()
  await tick()
  expect([await stateOf(taken), await held()]).toEqual(['paid', before + dollars(4)])

  // A transaction of the payer that the site did not make.
  const lost = await order(dollars(2))
  await tick()
  const raw = (await sent()).at(-1)?.raw ?? '0x'
  await evm.control.dropTransaction({ hash: keccak256(raw) })
  const { nonce } = parseTransaction(raw)
  const other = await payer.signTransaction({
    ...{ chainId, nonce, to: payer.address, gas: 21_000n, gasPrice: 10n ** 10n, type: 'legacy' },
  })
  await evm.reader.request({ method: 'eth_sendRawTransaction', params: [other] })
  await evm.mine(30)
  for (const endpoint of endpoints) endpoint.kept = 10
  setFault('refuses old state')
  expect((await tick()).payer?.fault).toMatch(/no endpoint has a receipt of order \d+$/)
  expect(await stateOf(lost)).toBe('sent')
  setFault('none')
  expect((await tick()).payer).toMatchObject({ lost, fault: expect.stringContaining(keccak256(other)) })
  expect([await stateOf(lost), await held()]).toEqual(['lost', before + dollars(4)])
  await backend.sql(release, ['operator'])
})

test('the gas price is what two endpoints ask at least: one that lies neither raises it nor stops payments, and above the limit orders wait', async () => {
  const { endpoints, backend } = project
  const ask = (...gwei: (bigint | null)[]) => {
    for (const [at, endpoint] of endpoints.entries()) {
      const price = gwei[at] ?? null
      endpoint.gasPrice = price === null ? null : price * 10n ** 9n
    }
  }
  const priceOf = async (number: number) =>
    (
      await backend.sql<{ price: string }>(
        'select gas_price::text as price from private.order_transactions where order_id = $1',
        [number],
      )
    )[0]?.price
  const before = await held()
  ask(5_000n, 3n, 3n)
  const first = await order(dollars(2))
  expect(await project.tick(site)).toMatchObject({
    ...{ level: 'warn', payer: { sent: first } },
    faults: { eth_gasPrice: 'differs: the endpoints ask 3 gwei to 5,000 gwei' },
  })
  expect(await priceOf(first)).toBe('3000000000')
  ask(0n, 4n, 4n)
  await settle(first)
  const second = await order(dollars(2))
  await tick()
  expect(await priceOf(second)).toBe('4000000000')
  await settle(second)
  ask(12n, 12n, 12n)
  const third = await order(dollars(2))
  expect((await tick()).payer?.fault).toBe(
    'the network asks 12 gwei for gas, and PAYMENT_MAX_GAS_GWEI allows 10 gwei',
  )
  expect(await stateOf(third)).toBe('announced')
  ask()
  expect((await tick()).payer).toMatchObject({ sent: third })
  await settle(third)
  expect(await held()).toBe(before + dollars(6))
})

test('a reorganisation removes the payment: the same bytes are sent again', async () => {
  const number = await order(dollars(3))
  const before = await held()
  const snapshot = await project.evm.control.snapshot()
  await tick()
  await project.evm.mine(2)
  await tick()
  await project.evm.control.revert({ id: snapshot })
  await project.evm.mine(4)
  const count = (await sent()).length
  await tick()
  expect((await sent()).length).toBe(count)
  await settle(number)
  expect([await stateOf(number), await held()]).toEqual(['paid', before + dollars(3)])
})

// A real node forgets a transaction only by a restart. After one, BNB Smart Chain's node answers no eth_getLogs of a chain
// whose head was set back.
test.skipIf(isRealNode)(
  'a reorganisation deeper than the confirmations removes the payment of a paid order: everyone reads it, and the site sends the same bytes again',
  async () => {
    const { evm, backend } = project
    const page = async () => wordsOf(await new Visitor(site.url).get('/transparency/orders?state=coming'))
    const before = await held()
    const number = await order(dollars(3))
    const snapshot = await evm.control.snapshot()
    expect((await tick()).payer).toMatchObject({ sent: number })
    await settle(number)
    const count = (await sent()).length
    expect([await stateOf(number), await held()]).toEqual(['paid', before + dollars(3)])
    await evm.control.revert({ id: snapshot })
    // A real node may have kept the transaction.
    await evm.control.dropTransaction({ hash: keccak256((await sent()).at(-1)?.raw ?? '0x') })
    await evm.mine(60)
    expect(await project.tick(site)).toMatchObject({ level: 'warn', payer: { resent: number } })
    expect([await stateOf(number), await held()]).toEqual(['sent', before])
    expect(await page()).toMatch(/its payment disappeared on .*The site sends it again\./)
    await settle(number)
    expect([await stateOf(number), await held(), (await sent()).length]).toEqual([
      'paid',
      before + dollars(3),
      count,
    ])
    const lines = await backend.sql<{ state: string }>(
      'select state from public.order_changes where number = $1 order by revision',
      [number],
    )
    expect(lines.map(({ state }) => state)).toEqual(['announced', 'sent', 'paid', 'sent', 'paid'])
  },
)

test.skipIf(isRealNode)(
  'a reorganisation deeper than the confirmations removes the failed transaction of an order: an empty one takes its nonce, and the next order is paid',
  async () => {
    const { evm } = project
    const before = await held()
    const snapshot = await evm.control.snapshot()
    const number = await order(dollars(3))
    expect((await tick()).payer).toMatchObject({ sent: number })
    const hash = keccak256((await sent()).at(-1)?.raw ?? '0x')
    await evm.control.dropTransaction({ hash })
    const { raw } = await allow(0n)
    await tick()
    await settle(number)
    expect([await stateOf(number), await held()]).toEqual(['failed', before])
    await evm.control.revert({ id: snapshot })
    await evm.control.dropTransaction({ hash })
    // The owners approve the allowance again, and operators order the same payment again.
    await evm.reader.request({ method: 'eth_sendRawTransaction', params: [raw] })
    await allow(dollars(2_000))
    await evm.mine(60)
    const again = await order(dollars(3))
    const count = (await sent()).length
    expect((await tick()).payer?.fault).toContain(
      `order ${number} ended without a payment, and a reorganisation removed its transaction`,
    )
    // The old bytes may come back to the nodes, but cannot be mined beside the empty transaction.
    await evm.mine(1)
    expect((await tick()).payer?.fault).toContain('takes its nonce')
    expect([await stateOf(again), (await sent()).length]).toEqual(['announced', count])
    await evm.mine(6)
    expect((await tick()).payer).toMatchObject({ sent: again })
    await settle(again)
    expect([await stateOf(number), await stateOf(again)]).toEqual(['failed', 'paid'])
    expect(await held()).toBe(before + dollars(3))
  },
)

test('runs that end between the steps of a payment, and two runs that overlap, pay each order once', async () => {
  const before = await held()
  const rounds = process.env.DEEP === '1' ? 60 : 3
  for (let round = 0; round < rounds; round++) {
    const number = await order(dollars(1))
    // The endpoints end every connection after some calls, so the run dies at another step each time.
    for (const endpoint of project.endpoints) endpoint.dies = 12 + ((round * 7) % 25)
    await site.runSchedule()
    for (const endpoint of project.endpoints) endpoint.dies = Number.POSITIVE_INFINITY
    await Promise.all([site.runSchedule(), site.runSchedule()])
    await tick()
    await settle(number)
    expect([round, await stateOf(number)]).toEqual([round, 'paid'])
  }
  expect(await held()).toBe(before + dollars(rounds))
}, 600_000)

test('a payment that the token refuses after it was signed has failed, publicly: the money stayed', async () => {
  const number = await order(dollars(6))
  const before = await held()
  expect((await tick()).payer).toEqual({ sent: number })
  // The endpoints lose the transaction, and the owners end the allowance before it is sent again.
  const hash = keccak256((await sent()).at(-1)?.raw ?? '0x')
  await project.evm.control.dropTransaction({ hash })
  await allow(0n)
  await project.evm.mine(1)
  expect((await tick()).payer).toEqual({ resent: number })
  await settle(number)
  expect([await stateOf(number), await held()]).toEqual(['failed', before])
  expect(await (await fetch(`${site.url}/transparency/orders`)).text()).toContain(
    'The money stayed in the wallet.',
  )
  await allow(dollars(2_000))
  await project.evm.mine(6)
})

test('a payment that arrived has not failed because two endpoints say so: the allowance and the event logs do not', async () => {
  const number = await order(dollars(6))
  const before = await held()
  await tick()
  await project.evm.mine(6)
  const liars = project.endpoints.slice(0, 2)
  for (const endpoint of liars) endpoint.fault = 'denies success'
  expect((await tick()).payer?.fault).toContain(`the receipt of order ${number} says that it failed`)
  expect(await stateOf(number)).toBe('sent')
  for (const endpoint of liars) endpoint.fault = 'none'
  await settle(number)
  expect([await stateOf(number), await held()]).toEqual(['paid', before + dollars(6)])
})

test('a payment by hand before the payer is not paid again', async () => {
  const number = await order(dollars(4))
  const before = await held()
  await project.pay(project.who.treasury, { address: partner } as never, dollars(4))
  await project.evm.mine(2)
  await tick()
  await project.evm.mine(6)
  await tick()
  await tick()
  expect([await stateOf(number), await held()]).toEqual(['paid', before + dollars(4)])
})

test('a token that takes a fee of a transfer is paid once, and then no more; another token is paid', async () => {
  await allow(dollars(2_000), others.taxed)
  await project.evm.mine(6)
  const token = others.taxed.toLowerCase()
  // The token refuses the simulated call: nothing is sent, and operators read its reason.
  const large = await order(dollars(101), { token, symbol: 'TAX' })
  const quota = await order(dollars(1001), { token, symbol: 'TAX' })
  const refused = {
    [large]: 'the token refuses it: TAX: more than 100',
    [quota]: 'the token refuses it: Daily transfer quota exceeded',
  }
  expect((await tick()).payer).toEqual({ waiting: refused })
  for (const endpoint of project.endpoints) endpoint.fault = 'says data of reverts'
  expect((await tick()).payer).toEqual({ waiting: refused })
  for (const endpoint of project.endpoints) endpoint.fault = 'none'
  expect(await stateOf(large)).toBe('announced')
  const [first, second] = [
    await order(dollars(10), { token, symbol: 'TAX' }),
    await order(dollars(11), { token, symbol: 'TAX' }),
  ]
  expect((await tick()).payer).toEqual({ sent: first, waiting: refused })
  await settle(first)
  expect([await stateOf(first), await stateOf(second)]).toEqual(['mismatched', 'announced'])
  const before = await held()
  const other = await order(dollars(1))
  expect((await tick()).payer).toEqual({ sent: other })
  await settle(other)
  expect([await stateOf(second), await stateOf(other), await held()]).toEqual([
    ...['announced', 'paid'],
    before + dollars(1),
  ])
})

test('a payment gets the gas that its token takes, and one that takes more than a million waits', async () => {
  const token = others.costly.toLowerCase()
  await allow(dollars(2_000), others.costly)
  await project.evm.mine(6)
  const large = await order(dollars(101), { token, symbol: 'COST' })
  const waiting = { [large]: expect.stringMatching(/^the token refuses it/) }
  expect((await tick()).payer).toEqual({ waiting })
  const number = await order(dollars(10), { token, symbol: 'COST' })
  expect((await tick()).payer).toEqual({ sent: number, waiting })
  await age(11)
  expect((await tick()).payer).toMatchObject({ resent: number })
  const gas = (await sent()).slice(-2).map(({ raw }) => Number(parseTransaction(raw).gas))
  expect(gas[0]).toBe(gas[1])
  expect(gas[0]).toBeGreaterThan(400_000)
  expect(gas[0]).toBeLessThan(700_000)
  await settle(number)
  expect([await stateOf(number), await stateOf(large)]).toEqual(['paid', 'announced'])
  await project.backend.sql("select private.move_order($1, 'stopped')", [large])
})

test('orders that cannot be paid wait with their reasons, and stop no other', async () => {
  const { backend, feed, who } = project
  // A token that has moved to another address, a contract that refuses to say the allowance, a hundred orders of a wallet
  // that allows nothing, and more than a run tries in the treasury's own token.
  const gone = await order(1n, { token: `0x${'0'.repeat(36)}dead`, symbol: 'GONE' })
  const mute = await order(1n, { token: feed.toLowerCase(), symbol: 'MUTE', decimals: 8 })
  const pool = { account: 'education', from: who.pool.address.toLowerCase() }
  const many = await Promise.all(Array.from({ length: 100 }, () => order(1n, pool)))
  const large = await Promise.all(Array.from({ length: 10 }, () => order(dollars(900_000))))
  const before = await held()
  const number = await order(dollars(1), { hours: 29 })
  const { waiting } = (await tick()).payer ?? {}
  expect(waiting).toMatchObject({
    [gone]: 'the contract of GONE says no decimals, the order 18',
    [mute]: 'the contract of MUTE does not say the allowance',
    [many[0] ?? 0]: 'the allowance is too small by 0.000000000000000001 USDX',
    [large[0] ?? 0]: expect.stringContaining('too small by'),
  })
  // The next run tries those first that no run has tried.
  expect((await tick()).payer).toMatchObject({ sent: number })
  await settle(number)
  expect([await stateOf(number), await held()]).toEqual(['paid', before + dollars(1)])
  const tried = await backend.sql('select order_id from private.order_tries where order_id = any ($1)', [
    many,
  ])
  expect(tried.length).toBeGreaterThanOrEqual(20)
  await backend.sql("select private.move_order(id, 'stopped') from public.orders where state = 'announced'")
})

test('with SANCTIONS_ORACLE, an order to a recipient on its list waits until the list has it no more, and without an answer too', async () => {
  const { backend, evm, who } = project
  const list = await evm.deploy(who.stranger, contracts.List.bytecode)
  const set = async (listed: boolean) => {
    await evm.send(who.stranger, list, {
      data: encodeFunctionData({ abi: contracts.List.abi, functionName: 'set', args: [partner, listed] }),
    })
    await evm.mine(1)
  }
  const asking = (SANCTIONS_ORACLE: string) =>
    startSite(backend, { ...siteVariables('20'), SANCTIONS_ORACLE })
  const payerOf = async (of: typeof site) =>
    ((await project.tick(of)) as Awaited<ReturnType<typeof tick>>).payer
  const [lists, none] = [await asking(list), await asking(partner)]
  const before = await held()
  await set(true)
  const number = await order(dollars(3))
  expect(await payerOf(lists)).toMatchObject({
    waiting: { [number]: 'the list of SANCTIONS_ORACLE has its recipient: stop it' },
  })
  expect(await payerOf(none)).toMatchObject({
    waiting: { [number]: "the contract of SANCTIONS_ORACLE isn't working" },
  })
  await set(false)
  expect(await payerOf(lists)).toMatchObject({ sent: number })
  await settle(number)
  expect([await stateOf(number), await held()]).toEqual(['paid', before + dollars(3)])
  await lists.close()
  await none.close()
})

test('a token whose decimals in CHAIN_TOKENS differ from its contract takes no order and no payment, and takes them when it is corrected', async () => {
  const { backend, evm, who } = project
  const [token, pool] = [others.differing.toLowerCase(), who.pool.address.toLowerCase() as Hex]
  const balance = async () =>
    (await evm.reader.readContract({
      ...{ abi: contracts.Token.abi, address: others.differing, functionName: 'balanceOf', args: [pool] },
    })) as bigint
  await project.pay(who.stranger, who.treasury, dollars(1_000), others.differing)
  await allow(dollars(2_000), others.differing)
  await evm.mine(6)
  const line = 'USDY: CHAIN_TOKENS says 20 decimals, its contract 18'
  expect((await tick()).tokens).toContain(line)
  const values = { from: 'treasury', to: pool, token: 'USDY', amount: '5', type: 'donation', purpose: 'Rent' }
  expect(await approve('order', values)).toMatch(/^invalid_field .*"token"/)
  // An order of before: 500 tokens, called 5.
  const old = await order(dollars(500), { token, symbol: 'USDY', decimals: 20 })
  const differs = { [old]: 'the contract of USDY says 18 decimals, the order 20' }
  expect((await tick()).payer).toEqual({ waiting: differs })

  const corrected = await startSite(backend, siteVariables('18'))
  const tickCorrected = async () => (await project.tick(corrected)) as Awaited<ReturnType<typeof tick>>
  expect(await tickCorrected()).toMatchObject({
    ...{ tokens: ['USDY: CHAIN_TOKENS changed: stop its open orders'], payer: { waiting: differs } },
  })
  expect(await approve('order', values)).toMatch(/^invalid_field .*"token"/)
  await stop(old)
  expect((await tickCorrected()).tokens).toBeUndefined()
  expect(await approve('order', values)).toBeUndefined()
  const [made] = await backend.sql<{ id: number; token_amount: string }>(
    'select id::int, token_amount::text from public.orders order by id desc limit 1',
  )
  const number = made?.id ?? 0
  expect(made?.token_amount).toBe(`${dollars(5)}`)
  await passNotice(number)
  expect((await tickCorrected()).payer).toEqual({ sent: number })
  for (let round = 0; round < 8 && (await stateOf(number)) === 'sent'; round++) {
    await evm.mine(6)
    await tickCorrected()
  }
  expect([await stateOf(number), await balance()]).toEqual(['paid', dollars(5)])
  await corrected.close()
})

test('the payer pays a goal that token holders chose what it lacks beside another order, and the page of the goal says so', async () => {
  const { backend, evm, who, dollar, variables } = project
  // A standing order that both operators approved.
  const refusal = await approve('standing-order', {
    ...{
      rule: 'vote',
      token: 'USDX',
      order_limit: '1000',
      month_limit: '1000',
      purpose: 'What holders chose',
    },
    ends: new Date(Date.now() + 90 * 86_400_000).toISOString(),
  })
  expect(refusal).toBeUndefined()

  const goal = await addGoal(backend)
  // Operators order a part of it before the vote is decided.
  const part = { from: 'treasury', to: goal.wallet, token: 'USDX', type: 'dream', purpose: 'Coats' }
  expect(await approve('order', { ...part, amount: '400' })).toBeUndefined()
  expect(await approve('order', { ...part, amount: '600.01' })).toMatch(/"600 USDX"/)
  await endSoon(backend, goal.slug, 3)
  const vote = await openTestVote(backend, goal.slug)
  const ballot = await signBallot(privateKeyToAccount(generatePrivateKey()), vote, 'support')
  await backend.sql(
    `insert into public.fundme_ballots (member, vote, wallet, choice, signed_at, signature) values ($1, $2, $3, $4, $5, $6)`,
    [operators.ada.id, vote.id, ballot.wallet, ballot.choice, ballot.signed_at, ballot.signature],
  )
  await backend.sql(
    `select public.count_ballots(jsonb_agg(jsonb_build_object('id', id, 'weight', $1::text, 'digest', 'a')))
     from public.fundme_ballots`,
    [`${dollars(30)}`],
  )
  await waitForEnd(backend, vote.id)
  await backend.sql('select public.finish_votes()')
  const made = await backend.sql<{ id: number; to_address: string; token_amount: string }>(
    'select id::int, to_address, token_amount::text from public.orders where recipient_account = $1 order by id',
    [goal.slug],
  )
  expect(made).toMatchObject([
    { to_address: goal.wallet, token_amount: `${dollars(400)}` },
    { to_address: goal.wallet, token_amount: `${dollars(600)}` },
  ])
  const number = made[1]?.id ?? 0

  const open = await startSite(backend, {
    ...{ ...variables, PAYER_KEY: key, FUNDME_OPEN: '1', PAGE_CACHE: 'off' },
    TOKEN_ADDRESS: project.coin,
  })
  const page = async () => (await fetch(`${open.url}/giveback/${goal.slug}`)).text()
  expect(await page()).toContain('Won, not paid yet')
  // The notice is over. An order to a wallet that is new on the site has twice the notice.
  for (const { id } of made) await passNotice(id)
  await backend.sql('set session_replication_role = replica')
  await backend.sql(`update public.standing_orders set made_at = made_at - interval '80 hours'`)
  await backend.sql('set session_replication_role = origin')
  await project.pay(who.stranger, who.treasury, dollars(2_000))
  await allow(dollars(3_000))
  await evm.mine(6)
  for (let round = 0; round < 14 && (await stateOf(number)) !== 'paid'; round++) {
    await project.tick(open)
    await evm.mine(6)
  }
  expect(await stateOf(number)).toBe('paid')
  const balance = await evm.reader.readContract({
    ...{ abi: contracts.Token.abi, address: dollar, functionName: 'balanceOf', args: [goal.wallet as Hex] },
  })
  expect(balance).toBe(dollars(1_000))
  const paid = (await project.rows()).findLast(({ to_address }) => to_address === goal.wallet)
  expect(paid).toMatchObject({ type: 'dream', token_amount: `${dollars(600)}` })
  expect(await page()).toMatch(new RegExp(`The treasury paid it:.*/transparency/${paid?.id}`, 's'))
  await open.close()
}, 120_000)

test('by pages alone and without a script: an order is approved by two, announced to everyone and to followers, and paid by the site from an approved allowance', async () => {
  const { backend, evm, who, variables } = project
  const open = await startSite(backend, {
    ...{ ...variables, PAYER_KEY: key, PAGE_CACHE: 'off', ...mailboxVariables(backend.mailUrl) },
  })
  const visitorOf = async ({ client }: { client: typeof operators.ada.client }) =>
    new Visitor(open.url).carry(sessionCookie, (await client.auth.getSession()).data.session ?? {})
  const [ada, bob] = [await visitorOf(operators.ada), await visitorOf(operators.bob)]
  const reader = new Visitor(open.url)
  const pathIn = (html: string | undefined, begin: string) =>
    new RegExp(`^${open.url}(${begin}.*)$`, 'm').exec(html ?? '')?.[1] ?? ''
  const tickOpen = async () => (await project.tick(open)) as { payer?: Record<string, unknown> }
  await reader.post('/follow', { topic: 'education', email: 'reader@example.org' })
  await tickOpen()
  const [request] = await readMails(backend.mailUrl, 'reader@example.org')
  await reader.post(pathIn(request?.text, '/follow/confirm'), {})

  // Two operators.
  const order = { from: 'treasury', to: who.pool.address, token: 'USDX', amount: '7', type: 'donation' }
  const act = await prepare(ada, `/operator/new/order?from=${order.from}`, {
    ...order,
    purpose: 'Desks for a school',
  })
  await press(ada, act, 'submit')
  expect(wordsOf(await reader.get('/transparency/orders'))).not.toContain('Desks for a school')
  const waiting = documentOf(await bob.get('/operator')).querySelector(`main a[href="${act}"]`)
  expect(waiting).not.toBeNull()
  expect(wordsOf(await bob.get(act))).toContain('Desks for a school')
  await press(bob, act, 'confirm', { is_amount: 'yes', is_recipient: 'yes' })

  // Everyone, and the followers of the pool.
  const announced = 'Approved by ada and bob'
  for (const path of ['/', '/transparency', '/voting/education'])
    expect(wordsOf(await reader.get(path)), path).toMatch(
      /Coming next.*Desks for a school.*?\$7\.00.*An operator can stop each payment until it is sent/,
    )
  expect(wordsOf(await reader.get('/transparency/orders'))).toMatch(
    new RegExp(`Desks for a school\\s*\\$7\\.00\\s*Announced to Education.*Will be paid on.*${announced}`),
  )
  const dated = new Date().toISOString()
  const update = { pool: 'education', text: 'Forty desks are ordered.', dated }
  await press(ada, await prepare(ada, '/operator/new/update', update), 'submit')
  await tickOpen()
  const [mail] = await readMails(backend.mailUrl, 'reader@example.org')
  expect(mail?.text).toMatch(/7 USDX (will go )?to Education/)

  // The treasury's owners let the payer spend, with the data that the page shows.
  const asked = new URLSearchParams({ of: 'treasury USDX', amount: '100' })
  const page = documentOf(await ada.get(`/operator/payments/allowance?${asked}`))
  const shown = (term: string) =>
    page
      .querySelectorAll('main dl.facts > div')
      .find((fact) => fact.querySelector('dt')?.text === term)
      ?.querySelector('.hash')?.text as Hex
  await evm.send(who.treasury, shown('Contract'), { data: shown('data') })
  await evm.mine(1)

  // The notice is over. An order to a wallet that is new on the site has twice the notice.
  const [made] = await backend.sql<{ id: number }>('select max(id)::int as id from public.orders')
  const number = made?.id ?? 0
  await passNotice(number)
  expect((await tickOpen()).payer).toMatchObject({ sent: number })
  expect(wordsOf(await ada.get('/operator/payments'))).toContain('It can no longer be stopped.')
  for (let round = 0; round < 8 && (await stateOf(number)) === 'sent'; round++) {
    await evm.mine(6)
    await tickOpen()
  }

  const list = await reader.get('/transparency/orders')
  expect(wordsOf(list)).toMatch(/\$7\.00\s*Paid to Education.*Paid on .* after its approval/)
  const row = documentOf(list)
    .querySelector(`#order-${number} a[href^="/transparency/"]`)
    ?.getAttribute('href')
  expect(wordsOf(await reader.get(row ?? ''))).toMatch(/Desks for a school.*approved by ada and bob/i)
  const csv = (await reader.get('/transparency/orders.csv')).html.split('\n')
  expect(csv.find((line) => line.startsWith(`${number},`))).toContain(',paid,')
  const { orders } = JSON.parse((await reader.get('/transparency/orders.json')).html)
  expect(orders[0]).toMatchObject({
    ...{ number, state: 'paid', purpose: 'Desks for a school', approved_by: 'ada', approved_second: 'bob' },
    ...{ token_amount: `${dollars(7)}`, tx_hash: expect.stringMatching(/^0x/) },
  })
  await open.close()
}, 120_000)

test('a key that was used elsewhere, or a restored backup, pays nothing until two operators let payments go on', async () => {
  const number = await order(dollars(1))
  const before = await held()
  await project.evm.spend(payer, 2)
  expect((await tick()).payer?.fault).toContain('Nothing is paid')
  const health = (await (await fetch(`${site.url}/healthz`)).json()) as { unavailable?: string[] }
  expect(health.unavailable).toContain('payments')
  expect([await stateOf(number), await held()]).toEqual(['announced', before])
  expect(await approve('payer-acceptance', {}, 'The key paid for gas only.')).toBeUndefined()
  expect((await tick()).payer).toMatchObject({ sent: number })
  await settle(number)
  expect([await stateOf(number), await held()]).toEqual(['paid', before + dollars(1)])
})
