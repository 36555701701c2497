import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { mayMove, orderStates } from '../../app/payments/states.ts'
import { act, addOperator, nameByTwo } from '../support/operators.ts'
import { clientOf, czCall, startTemporary, transaction } from '../support/temporary-backend.ts'

const backend = await startTemporary()
afterAll(() => backend.close())
const ada = await addOperator(backend, 'ada')
const bob = await addOperator(backend, 'bob')

const treasury = `0x${'7'.repeat(40)}`
const education = `0x${'e'.repeat(40)}`
const partner = `0x${'9'.repeat(40)}`
const dollar = `0x${'d'.repeat(40)}`
const settings = {
  ...{ chain_id: 56, notice_hours: 24, limit_tokens: 1000 },
  wallets: [
    { account: 'treasury', address: treasury },
    { account: 'education', address: education },
  ],
  tokens: [{ symbol: 'USDT', address: dollar, decimals: 18 }],
}
/** Stores the terms, and ends orders. */
const keep = (changes = {}) =>
  backend.sql<{ waiting: string[]; ended: number }>(
    'select public.store_payment_terms($1) as waiting, public.end_orders() as ended',
    [JSON.stringify({ ...settings, ...changes })],
  )
await keep()
await nameByTwo(backend, partner, 'Riverside Books')

type Person = typeof ada
const given = {
  ...{ from: 'treasury', to: partner, token: 'USDT', amount: '500', type: 'donation', pool: 'education' },
  purpose: 'Desks for a school',
}

/** Calls a function as a person. Returns its state, or its refusal with the field and the reason. */
async function call(person: Person, name: string, parameters: object): Promise<string> {
  const { data, error } = await person.client.rpc(name as never, parameters as never)
  if (!error) return (data as { state: string }).state
  const { field, why } = JSON.parse(error.details || '{}')
  return [error.message, field, why].filter(Boolean).join(' ')
}

/** Saves and submits an act of a person. Returns the outcome and the id. */
async function propose(
  person: Person,
  kind: string,
  subject: string | null,
  values: object,
  reason: string | null = null,
) {
  const id = crypto.randomUUID()
  const saved = await call(person, 'save_act', { act: id, kind, subject, arguments: values, reason })
  return { id, outcome: saved === 'draft' ? await call(person, 'submit_act', { act: id }) : saved }
}

/** An order that ada proposes and bob approves. Returns its number. */
async function approve(changes: object = {}): Promise<string> {
  const { id, outcome } = await propose(ada, 'order', null, { ...given, ...changes })
  expect(outcome).toBe('waiting')
  expect(await call(bob, 'confirm_act', { act: id })).toBe('done')
  const [row] = await backend.sql<{ number: string }>('select max(id)::text as number from public.orders')
  return row?.number ?? ''
}

/** An order that was approved some days ago. The test inserts it, because no function can. */
async function approvedEarlier(days: number, amount = '500000000000000000000'): Promise<string> {
  const [row] = await backend.sql<{ number: string }>(
    `with made as (
       insert into public.orders (account, recipient, chain_id, from_address, to_address, token_address, token_symbol,
         token_decimals, token_amount, type, purpose_hash, announced_at, due_at, expires_at)
       values ('treasury', 'named', 56, $2, $3, $4, 'USDT', 18, $5, 'cost', private.keep_text('ledger', 'Rent'),
         now() - make_interval(days => $1), now() - make_interval(days => $1) + interval '24 hours',
         now() - make_interval(days => $1) + interval '8 days')
       returning id as number
     ), changed as (
       insert into public.order_changes (number, revision, state) select number, 0, 'announced' from made
     )
     select number::text from made`,
    [days, treasury, partner, dollar, amount],
  )
  return row?.number ?? ''
}

async function orderOf(number: string) {
  const [row] = await backend.sql<Record<string, unknown>>(
    'select * from public.published_orders where id = $1',
    [number],
  )
  return row ?? {}
}

/** Records a payment of the ledger, and marks it as verified. Returns its hash. */
async function pay(changes: object = {}, status = 'verified'): Promise<string> {
  const row = transaction({
    ...{ occurred_at: new Date().toISOString(), type: 'other', direction: 'out', from_address: treasury },
    ...{ to_address: partner, token_address: dollar, token_symbol: 'USDT', token_decimals: 18 },
    ...{
      token_amount: '500000000000000000000',
      tx_hash: `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`,
    },
    ...changes,
  })
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([row])])
  await check(row.tx_hash, status)
  return row.tx_hash
}

async function check(hash: string, status: string): Promise<void> {
  await backend.sql(
    `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations)
     select max(id), $2, 9, $1::text, 20 from public.transactions where tx_hash = $1::text`,
    [hash, status],
  )
}

const scanTo = (interval: string) =>
  backend.sql(
    `insert into private.ledger_scans (chain_id, block_number, block_hash, block_time)
     values (56, 9, '0x' || repeat('a', 64), now() + $1::interval)
     on conflict (chain_id) do update set block_time = excluded.block_time`,
    [interval],
  )

test('the pages and the database have the same moves of an order', async () => {
  for (const from of orderStates)
    for (const to of orderStates) {
      const [row] = await backend.sql<{ may: boolean }>('select private.order_may_move($1, $2) as may', [
        from,
        to,
      ])
      expect([from, to, row?.may]).toEqual([from, to, mayMove(from, to)])
    }
})

describe('an order', () => {
  test('needs two operators, is public immediately, and is due after its notice', async () => {
    const { id } = await propose(ada, 'order', null, given)
    expect(await call(ada, 'confirm_act', { act: id })).toBe('own_act')
    expect(await backend.sql('select id from public.orders')).toEqual([])
    expect(await call(bob, 'confirm_act', { act: id })).toBe('done')
    const [order] = await backend.sql<Record<string, unknown>>(
      `select *, due_at - announced_at as notice, expires_at - due_at as waits from public.published_orders`,
    )
    expect(order).toMatchObject({
      ...{ state: 'announced', account: 'treasury', recipient: 'named', recipient_name: 'Riverside Books' },
      ...{ token_amount: '500000000000000000000', purpose: 'Desks for a school', pool_slug: 'education' },
      ...{ approved_by: 'ada', approved_second: 'bob', tx_hash: null },
    })
    const [entry, made] = await backend.sql<{ entry: string }>(
      `select entry from private.log_entries where log = 'ledger' order by index desc limit 2`,
    )
    expect(JSON.parse(made?.entry ?? '')).toMatchObject({
      ...{ kind: 'order', revision: 0, state: 'announced', from_address: treasury, to_address: partner },
      ...{ token_amount: '500000000000000000000', tx_hash: null },
    })
    expect(JSON.parse(entry?.entry ?? '')).toMatchObject({
      kind: 'act',
      act: 'order',
      by: 'ada',
      second: 'bob',
    })
  })

  test('waits for the name of its recipient to be as old as the notice', async () => {
    const number = await approve()
    const [row] = await backend.sql<{ hours: number }>(
      `select round(extract(epoch from due_at - announced_at) / 3600)::int as hours from public.orders where id = $1`,
      [number],
    )
    // The name is some seconds old: the notice begins in 24 hours.
    expect(row?.hours).toBe(48)
  })

  test.each<[string, object, string]>([
    ['without a name', { to: `0x${'8'.repeat(40)}` }, 'invalid_field to unnamed'],
    ['to the paying wallet', { to: treasury }, 'invalid_field to same'],
    [
      'to a wallet of ours that is no pool',
      { from: 'education', to: treasury, type: 'move' },
      'invalid_field to unnamed',
    ],
    ['of nothing', { amount: '0' }, 'invalid_field amount zero'],
    ['of nothing, with decimals', { amount: '0.00' }, 'invalid_field amount zero'],
    ['above the limit', { amount: '1000.000000000000000001' }, 'invalid_field amount limit'],
    ['with too many decimals', { amount: '1.1234567890123456789' }, 'invalid_field amount format'],
    ['in an unknown token', { token: 'BTCB' }, 'invalid_field token unknown'],
    ['from an unknown wallet', { from: 'animal-welfare' }, 'invalid_field from unknown'],
    ['of a type that does not fit', { type: 'spending' }, 'invalid_field type transactions_account_of_type'],
    ['without a purpose', { purpose: '' }, 'invalid_field purpose missing'],
    [
      'about a statement that does not exist',
      { statement: 'https://x.com/a/status/1' },
      'invalid_field statement unknown',
    ],
    ['with a value that an order does not have', { due: '2020-01-01' }, 'invalid_field due unknown'],
  ])('%s is refused', async (_, changes, refusal) => {
    expect((await propose(ada, 'order', null, { ...given, ...changes })).outcome).toBe(refusal)
  })

  test('is not approved by the owner of the receiving wallet, neither as the first nor as the second', async () => {
    for (const person of [ada, bob]) {
      await backend.sql(
        `insert into public.proven_wallets (user_id, address, message, signature) values ($1, $2, 'm', '0x' || repeat('1', 130))`,
        [person.id, partner],
      )
      const { id, outcome } = await propose(ada, 'order', null, given)
      expect(outcome).toBe(person === ada ? 'own_payment to' : 'waiting')
      if (person === bob) expect(await call(bob, 'confirm_act', { act: id })).toBe('own_payment to')
      await backend.sql('delete from public.proven_wallets')
    }
  })

  test('is refused to the command line, which holds the secret key', async () => {
    await expect(act(backend, 'order', null, given)).rejects.toThrow('operators_only')
  })

  test('is stopped by one operator with a reason, and then not paid or stopped again', async () => {
    const number = await approve()
    const reason = 'The school closed.'
    expect((await propose(bob, 'stop', number, {}, reason)).outcome).toBe('done')
    expect(await orderOf(number)).toMatchObject({ state: 'stopped', stopped_by: 'bob', stop_reason: reason })
    expect((await propose(ada, 'stop', number, {}, reason)).outcome).toBe('order_over')
    expect((await propose(ada, 'stop', '999', {}, reason)).outcome).toBe('not_found')
  })

  test('has the next number, whatever was proposed and never confirmed before', async () => {
    const number = Number(await approve({ amount: '2' }))
    for (const amount of ['3', '4'])
      expect((await propose(ada, 'order', null, { ...given, amount })).outcome).toBe('waiting')
    expect(await approve({ amount: '5' })).toBe(`${number + 1}`)
  })

  test('that an operator took to pay by hand is never paid by the site, and names the operator to its end', async () => {
    const numbers: string[] = []
    for (let count = 1; count <= 6; count++) numbers.push(await approve({ amount: `${20 + count}` }))
    const [paid = '', stopped = '', over = '', ...others] = numbers
    for (const number of numbers.slice(0, 5))
      expect((await propose(ada, 'take', number, {})).outcome).toBe('done')
    expect((await propose(ada, 'take', others[2] ?? '', {})).outcome).toBe('many_taken')
    expect((await propose(bob, 'take', paid, {})).outcome).toBe('order_over')
    await expect(act(backend, 'take', others[2] ?? '', {})).rejects.toThrow('operators_only')
    expect(await orderOf(paid)).toMatchObject({ state: 'taken', taken_by: 'ada' })
    // A day later each operator gets one mail about it.
    const mails = () =>
      backend.sql<{ source: string; many: number }>(
        `select facts.source, count(*)::int as many from private.mails join private.outbox as facts on facts.id = fact_id
         where facts.kind = 'taken' group by facts.source`,
      )
    await backend.sql('select public.prepare_mails()')
    expect(await mails()).toEqual([])
    await backend.sql(`do $$ begin
      set local session_replication_role = replica;
      update public.order_changes set recorded_at = now() - interval '25 hours' where number = ${stopped} and state = 'taken';
    end $$`)
    for (const _ of ['once', 'again']) await backend.sql('select public.prepare_mails()')
    expect(await mails()).toEqual([{ source: stopped, many: 2 }])
    const [due] = await backend.sql<{ next: { facts: object } }>(`select public.next_mails('[]') as next`)
    expect(Object.values(due?.next.facts ?? {})).toEqual([
      expect.objectContaining({
        kind: 'taken',
        content: expect.objectContaining({ number: Number(stopped), by: 'ada' }),
      }),
    ])
    const bind = 'select public.bind_order($1, $2) as outcome'
    const payment = { payer: dollar, nonce: 0, raw: '0x', tx_hash: dollar, gas_price: '1', block_time: 'now' }
    expect(await backend.sql(bind, [paid, JSON.stringify(payment)])).toEqual([{ outcome: 'state' }])
    await pay({ token_amount: `21${'0'.repeat(18)}` })
    expect(await orderOf(paid)).toMatchObject({ state: 'paid', taken_by: 'ada' })
    expect((await propose(bob, 'stop', stopped, {}, 'It was ordered again.')).outcome).toBe('done')
    expect((await propose(ada, 'take', others[2] ?? '', {})).outcome).toBe('done')
    await backend.sql(`do $$ begin
      set local session_replication_role = replica;
      update public.orders set announced_at = now() - interval '9 days', due_at = now() - interval '8 days',
        expires_at = now() - interval '1 day' where id = ${over};
    end $$`)
    await scanTo('0')
    expect(await keep()).toEqual([{ ended: 1, waiting: [] }])
    expect(await orderOf(over)).toMatchObject({ state: 'expired', taken_by: 'ada' })
    for (const number of others)
      expect((await propose(bob, 'stop', number, {}, 'After a test.')).outcome).toBe('done')
  })

  test('has the longest notice and the smallest limit of the last day, and twice the notice if its recipient is a new wallet', async () => {
    const hoursOf = async (number: string) => {
      const { due_at, announced_at } = await orderOf(number)
      return Math.round((Date.parse(String(due_at)) - Date.parse(String(announced_at))) / 3_600_000)
    }
    const pool = { to: education, pool: null, amount: '4' }
    expect(await hoursOf(await approve(pool))).toBe(24)
    await keep({ notice_hours: 1, limit_tokens: 1_000_000 })
    expect(await hoursOf(await approve(pool))).toBe(24)
    expect((await propose(ada, 'order', null, { ...given, ...pool, amount: '1001' })).outcome).toBe(
      'invalid_field amount limit',
    )
    await keep({ notice_hours: 30, limit_tokens: 3 })
    expect((await propose(ada, 'order', null, { ...given, ...pool })).outcome).toBe(
      'invalid_field amount limit',
    )
    expect(await hoursOf(await approve({ ...pool, amount: '3' }))).toBe(30)
    const moved = { wallets: [settings.wallets[0], { account: 'education', address: `0x${'f'.repeat(40)}` }] }
    await keep(moved)
    expect((await propose(ada, 'order', null, { ...given, ...pool, amount: '3' })).outcome).toBe(
      'invalid_field to unnamed',
    )
    expect(await hoursOf(await approve({ ...pool, to: `0x${'f'.repeat(40)}`, amount: '3' }))).toBe(60)
    // Each change is an entry of the log, and nothing else is.
    await keep(moved)
    const entries = await backend.sql<{ entry: string }>(
      "select entry from private.ledger_entries where kind = 'payment-terms' order by index",
    )
    const terms = entries.map(({ entry }) => JSON.parse(entry))
    expect(terms.slice(-3)).toMatchObject([
      { id: terms.length - 2, rules: 3, chain_id: 56, payer: null, notice_hours: 1, limit_tokens: 1_000_000 },
      { notice_hours: 30, limit_tokens: 3 },
      {
        wallets: [
          { account: 'education', address: `0x${'f'.repeat(40)}` },
          { account: 'treasury', address: treasury },
        ],
        tokens: settings.tokens,
      },
    ])
    // The day is over.
    await backend.sql(`do $$ begin
      set local session_replication_role = replica;
      update public.payment_terms set recorded_at = recorded_at - interval '31 hours';
      update private.paying_wallets set since = null;
    end $$`)
    await keep()
    await backend.sql(`do $$ begin
      set local session_replication_role = replica;
      update public.payment_terms set recorded_at = recorded_at - interval '31 hours';
      update private.paying_wallets set since = null;
    end $$`)
    expect(await hoursOf(await approve(pool))).toBe(24)
  })

  test('refuses a change of its facts, even by the owner of the tables', async () => {
    const number = await approve({ amount: '3' })
    const change = (sql: string) =>
      backend.sql(sql).then(
        () => 'changed',
        (error: Error) => error.message,
      )
    for (const set of [
      "state = 'paid', revision = 1",
      "to_address = from_address, state = 'sent', revision = 1",
      'token_amount = 1',
      "due_at = now(), state = 'sent', revision = 1",
    ])
      expect([set, await change(`update public.orders set ${set} where id = ${number}`)]).not.toEqual([
        set,
        'changed',
      ])
    expect(await change('delete from public.orders')).toContain('append-only')
    expect(await change("update public.order_changes set state = 'paid'")).toContain('append-only')
    expect(await orderOf(number)).toMatchObject({ state: 'announced', token_decimals: 18 })
  })

  test('keeps the name with which it was approved when its recipient is renamed', async () => {
    const wallet = `0x${'a'.repeat(40)}`
    await nameByTwo(backend, wallet, 'Clear Water Group')
    const before = await approve({ to: wallet, amount: '2' })
    const renamed = { address: wallet, name: 'Fast Trucks' }
    const { id, outcome } = await propose(ada, 'name', wallet, renamed, 'They wrote to us.')
    expect([outcome, await call(bob, 'confirm_act', { act: id })]).toEqual(['waiting', 'done'])
    expect((await orderOf(before)).recipient_name).toBe('Clear Water Group')
    const after = await approve({ to: wallet, amount: '2' })
    expect((await orderOf(after)).recipient_name).toBe('Fast Trucks')
  })

  test.each([
    ['other decimals', { symbol: 'USDT', address: dollar, decimals: 6 }],
    ['another contract', { symbol: 'USDT', address: partner, decimals: 18 }],
  ])('a token with %s takes no order until its open orders have ended', async (_, token) => {
    const number = await approve({ amount: '3' })
    const tokens = () =>
      backend.sql('select symbol, address, decimals from private.payment_tokens').then(([one]) => one)
    expect([await keep({ tokens: [token] }), await tokens()]).toEqual([
      [{ ended: 0, waiting: ['USDT'] }],
      undefined,
    ])
    expect((await propose(ada, 'order', null, { ...given, amount: '3' })).outcome).toBe(
      'invalid_field token unknown',
    )
    const open = await backend.sql<{ id: string }>(
      "select id::text from public.orders where state = 'announced'",
    )
    expect(open.map(({ id }) => id)).toContain(number)
    for (const { id } of open)
      expect((await propose(ada, 'stop', id, {}, 'Its token changed.')).outcome).toBe('done')
    expect([await keep({ tokens: [token] }), await tokens()]).toEqual([[{ ended: 0, waiting: [] }], token])
    await keep()
    expect(await tokens()).toEqual(settings.tokens[0])
  })
})

describe('the ledger', () => {
  beforeEach(async () => {
    const open = await backend.sql<{ number: string }>(
      "select id::text as number from public.orders where state in ('announced', 'taken')",
    )
    for (const { number } of open)
      expect((await propose(ada, 'stop', number, {}, 'Before a test.')).outcome).toBe('done')
  })

  test('links a payment that was verified to the oldest order, and gives it the purpose', async () => {
    const [first, second] = [await approvedEarlier(3), await approvedEarlier(2)]
    const hash = await pay({}, 'pending')
    expect(await orderOf(first)).toMatchObject({ state: 'announced' })
    await check(hash, 'verified')
    expect(await orderOf(first)).toMatchObject({ state: 'paid', tx_hash: hash, ordinal: 0 })
    const rows = await backend.sql(
      'select revision::int, type, note, status from public.published_transactions where tx_hash = $1',
      [hash],
    )
    expect(rows).toEqual([{ revision: 1, type: 'cost', note: 'Rent', status: 'pending' }])
    // The row with the purpose is checked too, and pays nothing more.
    await check(hash, 'verified')
    expect(await orderOf(second)).toMatchObject({ state: 'announced' })
    const again = await pay()
    expect(await orderOf(second)).toMatchObject({ state: 'paid', tx_hash: again })
    // The same payment without an order may be one that was made twice.
    const doubles = async () =>
      ((await ada.client.rpc('payer_overview')).data as { doubles: { order: number }[] } | null)?.doubles
    expect(await doubles()).toEqual([])
    await pay({}, 'pending')
    expect((await doubles())?.map(({ order }) => `${order}`).toSorted()).toEqual([first, second].toSorted())
  })

  test.each<[string, object]>([
    ['another amount', { token_amount: '500000000000000000001' }],
    ['another recipient', { to_address: `0x${'8'.repeat(40)}` }],
    ['another token', { token_address: `0x${'c'.repeat(40)}` }],
    [
      'another wallet',
      { from_address: education, account: 'education', type: 'spending', pool_slug: 'education' },
    ],
    ['another chain', { chain_id: 97 }],
    ['a time before the approval', { occurred_at: new Date(Date.now() - 5 * 86_400_000).toISOString() }],
  ])('links no payment with %s', async (_, changes) => {
    const number = await approvedEarlier(2)
    await pay(changes)
    expect(await orderOf(number)).toMatchObject({ state: 'announced', tx_hash: null })
  })

  test('links no payment that was in the log before the approval, whatever the clocks say', async () => {
    const early = { token_amount: '77', occurred_at: new Date(Date.now() + 20_000).toISOString() }
    const hash = await pay(early, 'pending')
    const number = await approvedEarlier(0, '77')
    await check(hash, 'verified')
    expect(await orderOf(number)).toMatchObject({ state: 'announced' })
    // A block that is a minute older than the approval by the clock of the database.
    const later = await pay({ token_amount: '77', occurred_at: new Date(Date.now() - 60_000).toISOString() })
    expect(await orderOf(number)).toMatchObject({ state: 'paid', tx_hash: later })
  })

  test('links no payment to an order that was stopped', async () => {
    const number = await approve()
    expect((await propose(bob, 'stop', number, {}, 'The school closed.')).outcome).toBe('done')
    const hash = await pay()
    const [row] = await backend.sql(
      'select revision::int, type, note from public.published_transactions where tx_hash = $1',
      [hash],
    )
    expect(row).toEqual({ revision: 0, type: 'other', note: null })
  })

  test('connects the payment with the statement that the order answers', async () => {
    const said = czCall({ revision: 0 })
    await backend.sql('select public.append_statement($1)', [JSON.stringify(said)])
    await approve({ statement: said.tweet_url, amount: '7' })
    const hash = await pay({ token_amount: '7000000000000000000' })
    const [row] = await backend.sql(
      'select tx_hash, revision::int from public.cz_calls where tweet_url = $1 order by revision desc limit 1',
      [said.tweet_url],
    )
    expect(row).toEqual({ tx_hash: hash, revision: 1 })
  })

  test('puts an order that the site sent in flight again if a reorganisation removed its payment, and one that was paid by hand not', async () => {
    const sent = async (amount: string) => {
      const number = await approvedEarlier(2, amount)
      await backend.sql("select private.move_order($1, 'sent')", [number])
      await backend.sql(
        'insert into private.order_payments (order_id, chain_id, payer, nonce) values ($1, 56, $2, $3)',
        [number, treasury, number],
      )
      const [one = '', other = ''] = ['a', 'b'].map((digit) => `0x${digit}${number.padStart(63, '0')}`)
      for (const hash of [one, other])
        await backend.sql(
          "insert into private.order_transactions (order_id, raw, tx_hash, gas_price) values ($1, '0x00', $2, 1)",
          [number, hash],
        )
      return { number, one, other }
    }
    const entries = async (hash: string) => {
      const rows = await backend.sql<{ gone: boolean }>(
        `select (entry::jsonb ->> 'gone')::boolean as gone from private.log_entries
         where entry::jsonb ->> 'kind' = 'reorganisation' and entry::jsonb ->> 'tx_hash' = $1 order by index`,
        [hash],
      )
      return rows.map(({ gone }) => gone)
    }
    const replaced = await sent('31')
    await pay({ token_amount: '31', tx_hash: replaced.one })
    expect(await orderOf(replaced.number)).toMatchObject({ state: 'paid', tx_hash: replaced.one })
    // Its other transaction is in the ledger before the check says that the first one is gone.
    await pay({ token_amount: '31', tx_hash: replaced.other })
    expect(await orderOf(replaced.number)).toMatchObject({ state: 'paid', tx_hash: replaced.one })
    await check(replaced.one, 'reorganised')
    expect(await orderOf(replaced.number)).toMatchObject({
      state: 'paid',
      tx_hash: replaced.other,
      revision: 4,
    })

    const again = await sent('32')
    await pay({ token_amount: '32', tx_hash: again.one })
    for (const status of ['reorganised', 'reorganised']) await check(again.one, status)
    expect(await orderOf(again.number)).toMatchObject({ state: 'sent', revision: 3, transaction_id: null })
    for (const status of ['pending', 'verified']) await check(again.one, status)
    expect(await orderOf(again.number)).toMatchObject({ state: 'paid', tx_hash: again.one, revision: 4 })
    expect(await entries(again.one)).toEqual([true, false])

    // Its transaction is in another block, in which it failed.
    await check(again.one, 'mismatch')
    expect(await orderOf(again.number)).toMatchObject({ state: 'sent', revision: 5 })
    expect(await entries(again.one)).toEqual([true, false, true])
    const due = await backend.sql<{ due: { tx_hash: string }[] }>(
      "select public.transactions_due(56, now() - interval '1 day', 9) as due",
    )
    expect(due[0]?.due.map(({ tx_hash }) => tx_hash)).toContain(again.one)
    for (const status of ['reorganised', 'mismatch', 'verified']) await check(again.one, status)
    expect(await orderOf(again.number)).toMatchObject({ state: 'paid', revision: 6 })
    expect(await entries(again.one)).toEqual([true, false, true, false])
    // A row that never matched is no reorganisation.
    const wrong = await pay({ token_amount: '35' }, 'mismatch')
    await check(wrong, 'verified')
    expect(await entries(wrong)).toEqual([])

    const failed = await sent('33')
    await backend.sql("select private.move_order($1, 'failed', $2)", [failed.number, failed.one])
    await pay({ token_amount: '33', tx_hash: failed.one })
    expect(await orderOf(failed.number)).toMatchObject({ state: 'paid', revision: 3 })

    // A transaction pays its own order, not the older one with the same facts.
    const older = await sent('36')
    await backend.sql("select private.move_order($1, 'failed', $2)", [older.number, older.one])
    const own = await sent('36')
    await pay({ token_amount: '36', tx_hash: own.one }, 'pending')
    // While the ledger has the payment, the database does not end the order as failed or lost.
    for (const outcome of ['failed', 'lost'])
      expect(
        await backend.sql('select public.end_payment($1, $2, $3) as ended', [own.number, outcome, own.one]),
      ).toEqual([{ ended: false }])
    await check(own.one, 'verified')
    expect(await orderOf(own.number)).toMatchObject({ state: 'paid', tx_hash: own.one })
    expect(await orderOf(older.number)).toMatchObject({ state: 'failed' })

    const byHand = await approvedEarlier(2, '34')
    const hash = await pay({ token_amount: '34' })
    await check(hash, 'reorganised')
    expect(await orderOf(byHand)).toMatchObject({ state: 'paid', tx_hash: hash, revision: 1 })
  })

  test('lets an order expire only after it has read the blocks until then, without a payment that is not checked yet', async () => {
    const number = await approvedEarlier(9, '11')
    await scanTo('-2 days')
    expect(await keep()).toEqual([{ ended: 0, waiting: [] }])
    await scanTo('0')
    const hash = await pay({ token_amount: '11' }, 'pending')
    expect(await keep()).toEqual([{ ended: 0, waiting: [] }])
    await check(hash, 'reorganised')
    expect(await keep()).toEqual([{ ended: 1, waiting: [] }])
    expect(await orderOf(number)).toMatchObject({ state: 'expired' })
  })
})

test('the secret key makes, moves and approves no order by any function', async () => {
  const service = clientOf(backend, backend.secretKey)
  const number = await approvedEarlier(2, '5')
  const functions = await backend.sql<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and has_function_privilege('service_role', oid, 'execute')`,
  )
  expect(functions.map(({ name }) => name)).toContain('store_payment_terms')
  for (const name of ['save_act', 'submit_act', 'confirm_act'])
    expect(functions.map((each) => each.name)).not.toContain(name)
  for (const verb of [
    () =>
      service
        .from('orders' as never)
        .update({ state: 'sent', revision: 1 } as never)
        .eq('id', number),
    () => service.from('orders' as never).insert({ account: 'treasury' } as never),
    () => service.from('order_changes' as never).insert({ number, revision: 1, state: 'sent' } as never),
    () =>
      service
        .from('operator_acts' as never)
        .update({ second: 'bob' } as never)
        .eq('kind', 'order'),
  ])
    expect((await verb()).error?.code).toBe('42501')
  const { error } = await service.rpc(
    'act_with_key' as never,
    { kind: 'order', subject: null, arguments: given, reason: null } as never,
  )
  expect(error?.message).toBe('operators_only')
  expect(await orderOf(number)).toMatchObject({ state: 'announced' })
})

test('the schedule is moved to another address by two operators, and by nothing else', async () => {
  const claim = async (site: string) => {
    const [row] = await backend.sql<{ refused: { why: string } | null }>(
      'select public.claim_schedule($1, $2, (select max(version) from supabase_migrations.schema_migrations)) as refused',
      [site, 'a test'],
    )
    return row?.refused?.why ?? null
  }
  const [from, to] = ['https://old.example', 'https://new.example']
  expect([await claim(from), await claim(to)]).toEqual([null, 'site'])
  await expect(act(backend, 'schedule-move', null, { site: to }, 'The domain has changed.')).rejects.toThrow(
    'operators_only',
  )
  const refused = await propose(ada, 'schedule-move', null, { site: `${to}/` }, 'The domain has changed.')
  expect(refused.outcome).toBe('invalid_field site format')
  const { id, outcome } = await propose(ada, 'schedule-move', null, { site: to }, 'The domain has changed.')
  expect([outcome, await call(ada, 'confirm_act', { act: id }), await claim(to)]).toEqual([
    'waiting',
    'own_act',
    'site',
  ])
  expect(await call(bob, 'confirm_act', { act: id })).toBe('done')
  expect([await claim(to), await claim(from)]).toEqual([null, 'site'])
})
