import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addGift, addGoal } from '../support/goals.ts'
import { addOperator, nameByTwo } from '../support/operators.ts'
import { insertOrder } from '../support/orders.ts'
import { endVote, insertStanding, postOf, readPosts } from '../support/standing-orders.ts'
import { clientOf, startTemporary, transaction } from '../support/temporary-backend.ts'

const backend = await startTemporary()
afterAll(() => backend.close())
const ada = await addOperator(backend, 'ada')
const bob = await addOperator(backend, 'bob')

const addressOf = (digit: string) => `0x${digit.repeat(40)}`
const [treasury, donation, education, relief, partner, dollar] = ['7', '8', 'e', 'f', '9', 'd'].map(
  addressOf,
) as [string, string, string, string, string, string]
const [feed, other] = ['https://news.example/feed', 'https://blog.example/feed']
/** Stores the terms of payments with the address of a payer. */
const storeTerms = (payer: string) =>
  backend.sql('select public.store_payment_terms($1)', [
    JSON.stringify({
      payer,
      ...{ chain_id: 56, notice_hours: 24, limit_tokens: 1000 },
      wallets: [
        { account: 'treasury', address: treasury },
        { account: 'donation-wallet', address: donation },
        { account: 'education', address: education },
        { account: 'humanitarian-relief', address: relief },
      ],
      tokens: [
        { symbol: 'USDT', address: dollar, decimals: 18 },
        { symbol: 'TAX', address: addressOf('b'), decimals: 18 },
      ],
    }),
  ])
await storeTerms(addressOf('3'))
await nameByTwo(backend, partner, 'Clear Water Group')
await backend.sql('select public.claim_sources($1)', [JSON.stringify([feed, other])])
await backend.sql("select private.move_order(id, 'stopped') from public.orders where state = 'announced'")

type Person = typeof ada
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const limits = {
  ...{ token: 'USDT', order_limit: '500', month_limit: '800', ends: inDays(90) },
  purpose: 'Clean water',
}
const call = {
  ...{ rule: 'call', source: feed, words: 'clean water\nwells', to: partner, amount: '500', every: '7' },
  ...limits,
}
const allocation = {
  ...{ rule: 'allocation', percent: '50', day: '10', ...limits, month_limit: '1000' },
  split: 'education 40\nhumanitarian-relief 30\ndonation-wallet 10\ngoals 10.5\nreserve 9.5',
}

/** Calls a function as a person. Returns its state, or its refusal with the field and the reason. */
async function ask(person: Person, name: string, parameters: object): Promise<string> {
  const { data, error } = await person.client.rpc(name as never, parameters as never)
  if (!error) return (data as { state: string }).state
  const { field, why } = JSON.parse(error.details || '{}')
  return [error.message, field, why].filter(Boolean).join(' ')
}

async function propose(person: Person, kind: string, subject: string | null, values: object, reason = '') {
  const id = crypto.randomUUID()
  const saved = await ask(person, 'save_act', { act: id, kind, subject, arguments: values, reason })
  return { id, outcome: saved === 'draft' ? await ask(person, 'submit_act', { act: id }) : saved }
}

/** A standing order of ada and bob. Returns its number. */
async function approve(values: object): Promise<string> {
  const { id, outcome } = await propose(ada, 'standing-order', null, values)
  expect(outcome).toBe('waiting')
  expect(await ask(bob, 'confirm_act', { act: id })).toBe('done')
  const [row] = await backend.sql<{ number: string }>(
    'select max(id)::text as number from public.standing_orders',
  )
  return row?.number ?? ''
}

const suspend = async (number: string) =>
  (await propose(bob, 'suspend', number, {}, 'It is not needed any more.')).outcome

const rows = (sql: string, values: unknown[] = []) => backend.sql<Record<string, unknown>>(sql, values)
const ordersOf = (number: string) =>
  rows(
    `select state, recipient, recipient_account, token_amount, type, statement, standing::text, occasion, approved_by, approved_second
     from public.published_orders where standing = $1 order by id`,
    [number],
  )

const read = (source: string, found: object[]) => readPosts(backend, source, found)
const statementsOf = (url: string) =>
  rows('select tweet_text, action_taken, verified from public.published_cz_calls where tweet_url = $1', [url])

beforeEach(async () => {
  const active = await backend.sql<{ number: string }>(
    "select id::text as number from public.standing_orders where state = 'active'",
  )
  for (const { number } of active) expect(await suspend(number)).toBe('done')
})

describe('a standing order', () => {
  test('needs two operators, is public with its limits, and is suspended by one', async () => {
    const { id } = await propose(ada, 'standing-order', null, call)
    expect(await ask(ada, 'confirm_act', { act: id })).toBe('own_act')
    const number = await approve(call)
    await ask(ada, 'drop_act', { act: id })
    const [rule] = await rows('select * from public.published_standing_orders where id = $1', [number])
    expect(rule).toMatchObject({
      ...{ rule: 'call', state: 'active', account: 'donation-wallet', recipient_name: 'Clear Water Group' },
      ...{ order_limit: `500${'0'.repeat(18)}`, month_limit: `800${'0'.repeat(18)}`, every_days: 7 },
      ...{ words: 'clean water\nwells', approved_by: 'ada', approved_second: 'bob', spent: '0' },
    })
    const entries = await rows(
      "select entry from private.log_entries where log = 'ledger' order by index desc limit 2",
    )
    expect(entries.map(({ entry }) => JSON.parse(String(entry)).kind)).toEqual(['act', 'standing-order'])
    expect((await propose(bob, 'suspend', number, {}, 'no')).outcome).toBe('invalid_field reason length')
    expect(await suspend(number)).toBe('done')
    expect(await suspend(number)).toBe('changed')
  })

  test.each<[string, object, string]>([
    ['from an unknown source', { source: 'https://evil.example/feed' }, 'invalid_field source unknown'],
    ['with a word of two letters', { words: 'us' }, 'invalid_field words letters'],
    ['with a letter beside signs', { words: 'wells\na !!!' }, 'invalid_field words letters'],
    ['with a line of signs', { words: '❤️❤️❤️' }, 'invalid_field words letters'],
    ['with a line of signs beside a good one', { words: 'wells\n!!! …' }, 'invalid_field words letters'],
    ['to an address without a name', { to: addressOf('5') }, 'invalid_field to unnamed'],
    ['to the paying wallet', { to: donation }, 'invalid_field to same'],
    ['above the limit of an order', { order_limit: '1001' }, 'invalid_field order_limit limit'],
    ['whose amount is above its limit', { amount: '501' }, 'invalid_field amount limit'],
    [
      'whose limit of 30 days is below that of an order',
      { month_limit: '499' },
      'invalid_field month_limit range',
    ],
    ['for more than a year', { ends: inDays(367) }, 'invalid_field ends year'],
    ['that has ended', { ends: inDays(-1) }, 'invalid_field ends past'],
    ['at most once in zero days', { every: '0' }, 'invalid_field every range'],
    ['with a value of another kind', { percent: '50' }, 'invalid_field percent other_rule'],
    ['of an unknown kind', { rule: 'gift' }, 'invalid_field rule unknown'],
    [
      'whose parts are not 100',
      {
        ...allocation,
        to: null,
        source: null,
        words: null,
        amount: null,
        every: null,
        split: 'education 99',
      },
      'invalid_field split sum',
    ],
    [
      'with a part of an unknown pool',
      { ...allocation, to: null, source: null, words: null, amount: null, every: null, split: 'moon 100' },
      'invalid_field split format',
    ],
  ])('%s is refused', async (_, changes, refusal) => {
    expect((await propose(ada, 'standing-order', null, { ...call, ...changes })).outcome).toBe(refusal)
  })

  test('is refused to the command line, and of the kinds allocation and vote there is one', async () => {
    const withKey = backend.sql('select public.act_with_key($1, null, $2, null)', [
      'standing-order',
      JSON.stringify(call),
    ])
    await expect(withKey).rejects.toThrow('operators_only')
    await approve(allocation)
    expect((await propose(ada, 'standing-order', null, allocation)).outcome).toBe('exists rule')
  })

  test('keeps its facts, even for the owner of the tables', async () => {
    const number = await approve(call)
    for (const sql of [
      `update public.standing_orders set order_limit = order_limit * 2 where id = ${number}`,
      `update public.standing_orders set ends_at = ends_at + interval '1 day', state = 'suspended', revision = 1 where id = ${number}`,
      'delete from public.standing_orders',
      'delete from public.standing_payments',
      'insert into public.standing_orders select * from public.standing_orders',
    ])
      await expect(backend.sql(sql)).rejects.toThrow()
  })
})

test.each<[string, string, boolean]>([
  ['捐款给学校', '今天我们捐款给学校。', true],
  ['捐款给学校', '某交易所向灾区捐赠物资。', false],
  ['捐款', '我们捐款', true],
  ['clean water', '#CleanWater for all', true],
  ['clean water', 'clean waters', false],
  ['we decided', '我们we decided donate今天', true],
  ['ＤＯＮＡＴＥ', 'We donate!', true],
  ['İYİLİK', 'bugün iyilik yapın', true],
  ['iyilik', 'BUGÜN İYİLİK YAPIN', true],
  ['ÇOCUK', 'bir çocuk', true],
  ['ПОМОЩЬ', 'наша помощь.', true],
  ['ΔΩΡΕΑ', 'η δωρεα μας', true],
  ['تبرع', 'نحن تبرع اليوم', true],
  ['تبرع', 'تبرعات اليوم', false],
  ['wells', 'we\u200blls', true],
  ['❤️', 'Donations for the flood!', false],
])('the words %s in the post %s: %s, on each locale', async (words, post, isFound) => {
  for (const locale of ['C', 'default'])
    expect(
      await rows(
        `select private.has_words($1::text collate "${locale}", $2::text collate "${locale}") as found`,
        [post, words],
      ),
    ).toEqual([{ found: isFound }])
})

describe('a standing order of the kind call', () => {
  test('publishes the statement, not confirmed, with its order, and stops the order when it is suspended', async () => {
    const number = await approve(call)
    const post = postOf()
    await read(feed, [post])
    expect(await statementsOf(post.url)).toEqual([
      {
        ...{ tweet_text: post.text, verified: false },
        action_taken: `Standing order ${number}: 500 USDT to Clear Water Group.`,
      },
    ])
    expect(await ordersOf(number)).toEqual([
      {
        ...{ state: 'announced', recipient: 'named', recipient_account: null, type: 'donation' },
        ...{
          token_amount: `500${'0'.repeat(18)}`,
          statement: post.url,
          standing: number,
          occasion: post.url,
        },
        ...{ approved_by: 'ada', approved_second: 'bob' },
      },
    ])
    const kinds = await rows(
      "select kind from private.log_entries where log = 'ledger' order by index desc limit 3",
    )
    expect(kinds.map(({ kind }) => kind)).toEqual(['standing-payment', 'order', 'statement'])
    expect(await suspend(number)).toBe('done')
    const [stopped] = await rows(
      'select state, stopped_by, stop_reason from public.published_orders where standing = $1',
      [number],
    )
    expect(stopped).toEqual({
      state: 'stopped',
      stopped_by: 'bob',
      stop_reason: 'It is not needed any more.',
    })
  })

  test.each(['❤️❤️❤️', '🎗️ 🎗️', '!!!'])(
    'of before, with the line %s, answers no other post, and is suspended',
    async (line) => {
      const number = await insertStanding(backend, {
        ...{ rule: 'call', account: 'donation-wallet', from: donation, token: dollar, source: feed },
        ...{ words: `clean water\n${line}`, most: 500n, month: 800n, amount: 500n, to: partner, every: 7 },
      })
      await read(feed, [postOf({ text: 'Donations for the flood are coming in!' })])
      await read(feed, [postOf({ text: `${line} for everyone ${line}` })])
      expect(await ordersOf(`${number}`)).toEqual([])
      await read(feed, [postOf()])
      await backend.sql('select public.end_orders()')
      expect(await ordersOf(`${number}`)).toMatchObject([{ state: 'stopped' }])
      expect(
        await rows(
          'select state, suspended_by, suspension_reason from public.published_standing_orders where id = $1',
          [number],
        ),
      ).toEqual([
        {
          ...{ state: 'suspended', suspended_by: null },
          suspension_reason: 'A line of its words has fewer than three letters or digits.',
        },
      ])
    },
  )

  test('makes one order of a post that comes twice, is edited, and is in two sources', async () => {
    const number = await approve(call)
    const post = postOf()
    await read(feed, [post])
    await read(feed, [post, { ...post, url: `${post.url}?utm_source=x` }])
    await read(feed, [{ ...postOf({ text: 'Clean water, and more wells.' }), url: post.url }])
    await read(other, [post])
    expect(await ordersOf(number)).toHaveLength(1)
    expect(await statementsOf(post.url)).toHaveLength(1)
  })

  test('answers a post when its own source has it, although another had it first, and once', async () => {
    const number = await approve({ ...call, every: '1' })
    const post = postOf()
    await read(other, [{ ...post, author: 'A mirror', posted_at: '2026-01-01T00:00:00Z' }])
    expect(await ordersOf(number)).toEqual([])
    await read(feed, [post])
    expect(await ordersOf(number)).toMatchObject([{ occasion: post.url }])
    expect(
      await rows('select author from public.published_cz_calls where tweet_url = $1', [post.url]),
    ).toEqual([{ author: 'A person' }])
    // One that its source had while the rule could not answer is not answered later.
    const late = postOf()
    await read(other, [late])
    await read(feed, [late])
    await backend.sql('alter table public.standing_payments disable trigger append_only')
    await backend.sql("update public.standing_payments set recorded_at = recorded_at - interval '2 days'")
    await backend.sql('alter table public.standing_payments enable trigger append_only')
    await backend.sql("select private.move_order(id, 'stopped') from public.orders where state = 'announced'")
    await read(feed, [late])
    expect(await ordersOf(number)).toHaveLength(1)
    await read(feed, [postOf()])
    expect(await ordersOf(number)).toHaveLength(2)
  })

  test('makes one order of 1,000 matching posts in a minute; the others wait for an operator', async () => {
    const number = await approve(call)
    const [before] = await rows(
      "select count(*)::int as many from private.statement_posts where state = 'open'",
    )
    for (let page = 0; page < 10; page++)
      await read(
        feed,
        Array.from({ length: 100 }, () => postOf()),
      )
    expect(await ordersOf(number)).toHaveLength(1)
    const [after] = await rows(
      "select count(*)::int as many from private.statement_posts where state = 'open'",
    )
    expect(Number(after?.many) - Number(before?.many)).toBe(999)
    await backend.sql(
      "select private.end_post(id, 'expired') from private.statement_posts where state = 'open'",
    )
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['other words', { text: 'The unclean waters of the river' }, feed],
    ['another source', {}, other],
    ['a time before the approval', { posted_at: '2026-01-01T00:00:00Z' }, feed],
    ['no time', { posted_at: null }, feed],
    ['a time in the future', { posted_at: inDays(1) }, feed],
    ['a direction character', { text: 'Clean water \u202e for all' }, feed],
    ['a name of 101 characters', { author: 'a'.repeat(101) }, feed],
  ])('waits for an operator with %s', async (_, changes, source) => {
    const number = await approve(call)
    const post = postOf(changes)
    await read(source, [post])
    expect(await ordersOf(number)).toEqual([])
    expect(await statementsOf(post.url)).toEqual([])
    const [open] = await rows('select state from private.statement_posts where url = $1', [post.url])
    expect(open).toEqual({ state: 'open' })
  })

  test('orders no more than its limit of 30 days, and again after an order that was stopped', async () => {
    const number = await approve({ ...call, every: '1' })
    await read(feed, [postOf()])
    // As if the first order were two days old: its limit of 30 days is 800.
    await backend.sql('alter table public.standing_payments disable trigger append_only')
    const age = () =>
      backend.sql("update public.standing_payments set recorded_at = recorded_at - interval '2 days'")
    await age()
    await read(feed, [postOf()])
    expect(await ordersOf(number)).toHaveLength(1)
    const [{ id } = { id: '' }] = await rows(
      'select id::text from public.published_orders where standing = $1',
      [number],
    )
    expect((await propose(bob, 'stop', String(id), {}, 'The post was forged.')).outcome).toBe('done')
    await read(feed, [postOf()])
    expect((await ordersOf(number)).map(({ state }) => state)).toEqual(['stopped', 'announced'])
    await backend.sql('alter table public.standing_payments enable trigger append_only')
  })
})

describe('a standing order of the kind allocation', () => {
  /** Day 12 of the month before, with its month and the month before that. */
  const now = new Date()
  const day = (month: number, date: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, date))
  const scanTo = (time: Date) =>
    backend.sql(
      `insert into private.ledger_scans (chain_id, block_number, block_hash, block_time)
       values (56, 9, '0x' || repeat('a', 64), $1)
       on conflict (chain_id) do update set block_time = excluded.block_time`,
      [time.toISOString()],
    )
  const allocate = async () => {
    const [row] = await rows('select public.allocate_tax(56) as made')
    return row?.made
  }
  async function addTax(dollars: string, at: Date, status = 'verified') {
    const row = transaction({
      ...{ occurred_at: at.toISOString(), type: 'tax', direction: 'in', from_address: addressOf('1') },
      ...{
        to_address: treasury,
        amount_usd: dollars,
        tx_hash: `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`,
      },
    })
    await backend.sql('select public.append_ledger($1)', [JSON.stringify([row])])
    await backend.sql(
      `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations)
       select max(id), $2, 9, $1::text, 20 from public.transactions where tx_hash = $1::text`,
      [row.tx_hash, status],
    )
  }
  /** Makes the rule older than the day of the test. */
  async function approveEarlier(): Promise<string> {
    const number = await approve(allocation)
    await backend.sql('alter table public.standing_orders disable trigger keep_standing_order')
    await backend.sql(
      "update public.standing_orders set made_at = now() - interval '100 days' where id = $1",
      [number],
    )
    await backend.sql('alter table public.standing_orders enable trigger keep_standing_order')
    await backend.sql('alter table public.payment_splits disable trigger append_only')
    await backend.sql(
      "update public.payment_splits set from_month = from_month - interval '3 months' where cause = $1",
      [`standing-order ${number}`],
    )
    await backend.sql('alter table public.payment_splits enable trigger append_only')
    return number
  }

  test('divides the verified tax of the month before, once, on its day, within its limits', async () => {
    await addTax('400.01', day(-2, 3))
    await addTax('100.00', day(-2, 28))
    await addTax('77.00', day(-2, 20), 'mismatch')
    await addTax('900.00', day(-1, 1))
    const number = await approveEarlier()
    await scanTo(day(-1, 9))
    expect(await allocate()).toBe(0)
    await scanTo(day(-1, 12))
    expect(await allocate()).toBe(3)
    const orders = await ordersOf(number)
    const month = day(-2, 1).toISOString().slice(0, 7)
    expect(
      orders.map(({ recipient, recipient_account, token_amount, type, occasion }) => [
        recipient,
        recipient_account,
        token_amount,
        type,
        occasion,
      ]),
    ).toEqual([
      // Half of $500.01: $25.00, $100.00 and $75.00, in whole cents.
      ['wallet', 'donation-wallet', `2500${'0'.repeat(16)}`, 'move', month],
      ['pool', 'education', `10000${'0'.repeat(16)}`, 'donation', month],
      ['pool', 'humanitarian-relief', `7500${'0'.repeat(16)}`, 'donation', month],
    ])
    await addTax('5000.00', day(-2, 15))
    expect(await allocate()).toBe(0)
    const [rule] = await rows(
      'select allocated_tax_usd, allocated_now_usd from public.published_standing_orders where id = $1',
      [number],
    )
    expect(rule).toEqual({ allocated_tax_usd: '500.01', allocated_now_usd: '5500.01' })
    // A month is divided once, whatever becomes of the rule and of its orders.
    expect(await suspend(number)).toBe('done')
    await approveEarlier()
    expect(await allocate()).toBe(0)
  })

  const forgetMonths = async () => {
    await backend.sql('alter table public.allocations disable trigger append_only')
    await backend.sql('delete from public.allocations')
    await backend.sql('alter table public.allocations enable trigger append_only')
  }

  test('divides no more than its limit for a month of tax, in the same parts, to the pools that have a wallet', async () => {
    await forgetMonths()
    const number = await approveEarlier()
    await scanTo(day(-1, 12))
    expect(await allocate()).toBe(3)
    // Half of $5,500.01 is $2,750; the three parts would be $275, $500 (the limit of an order) and $500.
    const amounts = (await ordersOf(number)).map(
      ({ token_amount }) => BigInt(String(token_amount)) / 10n ** 16n,
    )
    expect(amounts).toEqual([21568n, 39215n, 39215n])
    expect(amounts.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(100_000n)
    // Without the wallet of a pool, its share stays in the treasury, and cuts the others no more.
    expect(await suspend(number)).toBe('done')
    await forgetMonths()
    const fewer = await approveEarlier()
    const wallets = "from private.paying_wallets where account = 'humanitarian-relief'"
    const [removed] = await rows(`select * ${wallets}`)
    await backend.sql(`delete ${wallets}`)
    expect(await allocate()).toBe(2)
    expect(
      (await ordersOf(fewer)).map(({ token_amount }) => BigInt(String(token_amount)) / 10n ** 16n),
    ).toEqual([27500n, 50000n])
    await backend.sql(
      'insert into private.paying_wallets select * from jsonb_populate_record(null::private.paying_wallets, $1)',
      [JSON.stringify(removed)],
    )
  })

  test('divides each month since it was made, oldest first, and each to its limit, when the job was away', async () => {
    await forgetMonths()
    await addTax('3000.00', day(-3, 5))
    const number = await approveEarlier()
    await scanTo(day(-1, 12))
    expect(await allocate()).toBe(6)
    const [before, last] = [-3, -2].map((month) => day(month, 1).toISOString().slice(0, 7))
    const orders = await ordersOf(number)
    expect(orders.map(({ occasion }) => occasion)).toEqual([before, before, before, last, last, last])
    const sumOf = (month?: string) =>
      orders.reduce(
        (sum, { occasion, token_amount }) => sum + (occasion === month ? BigInt(String(token_amount)) : 0n),
        0n,
      )
    // Half of $3,000 in parts of 10, 40 and 30 percent: $150, $500 (the limit of an order) and $450, together
    // cut to 1,000, in whole cents; and so for the next month.
    expect([sumOf(before), sumOf(last)]).toEqual([99_999n * 10n ** 16n, 99_998n * 10n ** 16n])
    const bound = await rows(
      `select private.is_approved(orders) as is_approved from public.orders
       join public.standing_payments as made on made.order_id = orders.id where made.standing = $1`,
      [number],
    )
    expect(bound.map(({ is_approved }) => is_approved)).toEqual(orders.map(() => true))
    expect(await allocate()).toBe(0)
  })

  test('divides by the split that a vote decided, from the next month on', async () => {
    const parts = { 'animal-welfare': 0, education: 500, reserve: 500 }
    const set = (given: object, cause: string) =>
      rows('select private.set_split($1, $2)::text as id', [JSON.stringify(given), cause])
    const [first] = await set(parts, 'vote 1')
    expect(await set({ education: 1000 }, 'vote 1')).toEqual([first])
    const [split] = await rows(
      "select to_char(from_month, 'YYYY-MM') as month from public.payment_splits where cause = 'vote 1'",
    )
    expect(split?.month).toBe(day(1, 1).toISOString().slice(0, 7))
    for (const bad of [
      { education: 999 },
      { education: 1000, moon: 0 },
      { education: -500, reserve: 1500 },
      { treasury: 1000 },
    ])
      await expect(set(bad, `bad ${JSON.stringify(bad)}`)).rejects.toThrow('together 1000')
    // Operators cannot replace it by a rule with other parts.
    const refused = await propose(ada, 'standing-order', null, allocation)
    expect(refused.outcome).toBe('invalid_field split voted')
    const number = await approve({ ...allocation, split: null })
    expect(
      await rows('select from public.payment_splits where cause = $1', [`standing-order ${number}`]),
    ).toEqual([])
  })
})

test('a vote on the split that is valid sets the split, once', async () => {
  await backend.sql(
    `with opened as (
       insert into public.split_votes (id, names, least, most, ends_at)
       values (1, '{education,humanitarian-relief,animal-welfare,donation-wallet,goals,reserve}', '{0,0,0,0,0,0}', '{100,100,100,100,100,100}', now() + interval '7 days') returning slug
     ), drawn as (
       insert into public.vote_draws (slug, attempt, chain_id, start_block, seed_block, window_seconds, token, excluded,
         quorum_percent)
       select slug, 1, 56, 1, 900, 86400, '0x' || repeat('c', 40), '{a,b,c}', 2 from opened returning id, slug
     ), voted as (
       insert into public.votes (draw, slug, goal_leaf, token, decimals, seed_hash, block_number, block_hash, supply, excluded,
         eligible, quorum_percent, quorum, least_weight, closes_at)
       select id, slug, repeat('a', 64), '0x' || repeat('c', 40), 18, '0x' || repeat('b', 64), 5, '0x' || repeat('d', 64), 100,
         '[]', 100, 2, 2, 0, now() from drawn returning id
     )
     select id from voted`,
  )
  await backend.sql(
    `insert into public.vote_results (vote, ballots, support, support_wallets, against, against_wallets, won, shares)
     select id, 1, 50, 1, 0, 0, true, '{250,250,125,125,100,150}' from public.votes where slug = 'split-1'`,
  )
  expect(await rows("select parts from public.payment_splits where cause = 'split-1'")).toEqual([
    {
      parts: {
        'animal-welfare': 125,
        'donation-wallet': 125,
        education: 250,
        goals: 100,
        'humanitarian-relief': 250,
        reserve: 150,
      },
    },
  ])
})

describe('a standing order of the kind vote', () => {
  const vote = { rule: 'vote', ...limits, order_limit: '1000', month_limit: '1000' }

  /** A goal of $1,000 that received $20, with a vote that ended. */
  async function decide(won: boolean) {
    const goal = await addGoal(backend)
    await addGift(backend, goal)
    await endVote(backend, goal.slug, won)
    return goal
  }

  test('orders target less received for a goal that won, once', async () => {
    const number = await approve(vote)
    const goal = await decide(true)
    await backend.sql('select private.order_of_vote($1)', [goal.slug])
    expect(await ordersOf(number)).toMatchObject([
      {
        ...{ recipient: 'goal', recipient_account: goal.slug, token_amount: `980${'0'.repeat(18)}` },
        ...{ type: 'dream', occasion: goal.slug },
      },
    ])
    await decide(false)
    expect(await ordersOf(number)).toHaveLength(1)
  })

  test('orders what open orders leave, and is not paid when the goal lacks less by then', async () => {
    const number = await approve(vote)
    const goal = await addGoal(backend)
    await addGift(backend, goal)
    const byHand = { chain: 56, from: treasury, to: goal.wallet, token: dollar, amount: 600n * 10n ** 18n }
    const toGoal = { recipient: 'goal', recipientAccount: goal.slug } as const
    const first = await insertOrder(backend, { ...byHand, ...toGoal })
    await endVote(backend, goal.slug, true)
    expect(await ordersOf(number)).toMatchObject([{ token_amount: `380${'0'.repeat(18)}` }])
    // Another order of 600, as if it had been approved without the limit.
    const second = await insertOrder(backend, { ...byHand, ...toGoal })
    const bind = async (order: number) => {
      const word = (hex: string) => hex.padStart(64, '0')
      const raw = `0x23b872dd${word(treasury.slice(2))}${word(goal.wallet.slice(2))}${word(byHand.amount.toString(16))}`
      const payment = { payer: addressOf('3'), nonce: 0, raw, tx_hash: `0x${'e'.repeat(64)}`, gas_price: '1' }
      const given = JSON.stringify({ ...payment, block_time: new Date().toISOString() })
      return (await rows('select public.bind_order($1, $2) as outcome', [order, given]))[0]?.outcome
    }
    expect([await bind(second), await bind(first)]).toEqual(['the goal lacks less', 'bound'])
    // An order that is sent is open too.
    const [lack] = await rows('select private.goal_lacks($1, $2)::float8 as usd', [goal.slug, first + 1])
    expect(lack?.usd).toBe(380)
    await backend.sql("select private.move_order($1, 'failed')", [first])
    await backend.sql("select private.move_order($1, 'stopped')", [second])
  })

  test('orders by the rule of the chain that is configured, not by one of a former chain', async () => {
    const rule = { rule: 'vote', account: 'treasury', from: treasury, token: dollar } as const
    const limits = { most: 1000n * 10n ** 18n, month: 1000n * 10n ** 18n }
    const former = await insertStanding(backend, { ...rule, ...limits, chain: 1 })
    const goal = await decide(true)
    expect(await ordersOf(`${former}`)).toEqual([])
    const number = await approve(vote)
    await backend.sql('select private.order_of_vote($1)', [goal.slug])
    expect(await ordersOf(number)).toMatchObject([{ recipient_account: goal.slug }])
  })

  test('leaves a goal above its limit, and every goal without it, to operators', async () => {
    const number = await approve({ ...vote, order_limit: '979.99' })
    await decide(true)
    expect(await ordersOf(number)).toEqual([])
    expect(await suspend(number)).toBe('done')
    const goal = await decide(true)
    const [row] = await rows('select private.order_of_vote($1) as made', [goal.slug])
    expect(row).toEqual({ made: null })
  })
})

test('the secret key makes, changes and suspends no standing order by any function', async () => {
  const service = clientOf(backend, backend.secretKey)
  for (const verb of [
    () =>
      service
        .from('standing_orders' as never)
        .update({ state: 'active' } as never)
        .eq('id', 1),
    () => service.from('standing_orders' as never).insert({ rule: 'vote' } as never),
    () =>
      service.from('standing_payments' as never).insert({ order_id: 1, standing: 1, occasion: 'a' } as never),
    () => service.from('payment_splits' as never).insert({ parts: {} } as never),
    () => service.from('allocations' as never).insert({ chain_id: 56 } as never),
  ])
    expect((await verb()).error?.code).toBe('42501')
  for (const name of ['set_split', 'order_of_vote', 'announce_order'])
    expect((await service.rpc(name as never, {} as never)).error).not.toBeNull()
})

describe('the payer', () => {
  const payer = addressOf('2')
  beforeAll(() => storeTerms(payer))
  const hashOf = (number: number) => `0x${`${number}`.padStart(64, '0')}`
  const order = (token: string, amount: bigint) =>
    insertOrder(backend, { chain: 56, from: treasury, to: partner, token, amount })
  const stateOf = async (number: number) =>
    (await rows('select state from public.orders where id = $1', [number]))[0]?.state

  /** Adds a payment of the treasury to the ledger. Returns the id of its row. */
  async function pay(tx: string, token: string, amount: bigint): Promise<number> {
    const row = transaction({
      ...{ occurred_at: new Date().toISOString(), type: 'other', direction: 'out', from_address: treasury },
      ...{ to_address: partner, token_address: token, token_symbol: 'USDT', token_decimals: 18, tx_hash: tx },
      token_amount: `${amount}`,
    })
    await backend.sql('select public.append_ledger($1)', [JSON.stringify([row])])
    const [added] = await rows('select max(id)::int as id from public.transactions')
    return Number(added?.id)
  }
  const verify = (id: number) =>
    backend.sql(
      `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations)
       select id, 'verified', 9, tx_hash, 20 from public.transactions where id = $1`,
      [id],
    )

  /** Gives an order a nonce of the payer, as the job does. */
  async function bind(number: number, amount: bigint, nonce: number): Promise<unknown> {
    const word = (hex: string) => hex.padStart(64, '0')
    const raw = `0x23b872dd${word(treasury.slice(2))}${word(partner.slice(2))}${word(amount.toString(16))}`
    const block_time = new Date().toISOString()
    const payment = { payer, nonce, raw, tx_hash: hashOf(number), gas_price: '1', block_time }
    const [row] = await rows('select public.bind_order($1, $2) as outcome', [number, JSON.stringify(payment)])
    return row?.outcome
  }

  test('goes on after a gap only by two operators, when the sender of each payment is known and the payer has sent none without an order', async () => {
    const accept = () => propose(ada, 'payer-acceptance', null, {}, 'The backup of Monday was restored.')
    const recordGap = async (senders: object[] = []) => {
      const gap = JSON.stringify({ chain_id: 56, payer, nonce: 1 })
      return (await rows('select public.record_gap($1, $2) as unread', [gap, JSON.stringify(senders)]))[0]
        ?.unread
    }
    const gapSeen = async () =>
      ((await ada.client.rpc('payer_overview')).data as { gap: unknown } | null)?.gap
    expect([await gapSeen(), (await accept()).outcome]).toEqual([null, 'no_gap'])

    // Payments since the first order count.
    await backend.sql('select private.move_order($1, $2)', [await order(dollar, 1n), 'stopped'])
    const [tx, amount] = [`0x${'c'.repeat(64)}`, 7n]
    // The order is in the restored backup, in which it has another amount at first, so that the row does not pay it yet.
    const number = await order(dollar, 8n)
    const id = await pay(tx, dollar, amount)
    expect(await recordGap()).toEqual([])
    expect(await gapSeen()).toMatchObject({ payer, nonce: 1, unread: 1, unmatched: [] })
    expect((await accept()).outcome).toBe('gap_unread')
    await verify(id)
    expect(await recordGap()).toEqual([tx])
    expect((await accept()).outcome).toBe('gap_unread')
    expect(await recordGap([{ tx_hash: tx, sender: payer }])).toEqual([])
    expect(await gapSeen()).toMatchObject({ unread: 0, unmatched: [id] })
    expect((await accept()).outcome).toBe('gap_unmatched')

    await backend.sql(`do $$ begin
      set local session_replication_role = replica;
      update public.orders set token_amount = ${amount} where id = ${number};
    end $$`)
    await verify(id)
    expect([await stateOf(number), await gapSeen()]).toMatchObject(['paid', { unread: 0, unmatched: [] }])
    const withKey = "select public.act_with_key('payer-acceptance', null, '{}', 'The key is safe.')"
    await expect(backend.sql(withKey)).rejects.toThrow('operators_only')
    const { id: act, outcome } = await accept()
    expect([outcome, await ask(ada, 'confirm_act', { act })]).toEqual(['waiting', 'own_act'])
    expect([await ask(bob, 'confirm_act', { act }), await gapSeen()]).toEqual(['done', null])
    // A gap that was none, such as one that an endpoint of another chain showed, is corrected by the next act.
    const acceptAll = async (nonce: number) => {
      await rows('select public.record_gap($1)', [JSON.stringify({ chain_id: 56, payer, nonce })])
      const { id: act } = await accept()
      expect(await ask(bob, 'confirm_act', { act })).toBe('done')
      const [row] = await rows("select public.payment_state(56, $1) ->> 'next_nonce' as nonce", [payer])
      return row?.nonce
    }
    expect([await acceptAll(50), await acceptAll(1)]).toEqual(['50', '1'])
    // The payer continues after the transactions that the ledger lacks.
    const next = await order(dollar, 3n)
    expect([await bind(next, 3n, 0), await bind(next, 3n, 1)]).toEqual(['nonce', 'bound'])
    await backend.sql("select public.end_payment($1, 'failed', $2)", [next, hashOf(next)])
    // Below a nonce that the ledger has given, there is nothing to accept.
    const used = JSON.stringify({ chain_id: 56, payer, nonce: 1 })
    await rows('select public.record_gap($1)', [used])
    expect([await gapSeen(), (await accept()).outcome]).toEqual([null, 'no_gap'])
  })

  test('pays no more orders in a token that took a fee of a transfer, and pays in other tokens', async () => {
    const taxed = addressOf('b')
    const [first, second, other] = [await order(taxed, 5n), await order(taxed, 6n), await order(dollar, 4n)]
    const nonce = async () =>
      (await rows("select public.payment_state(56, $1) ->> 'next_nonce' as nonce", [payer]))[0]?.nonce
    const due = async () =>
      (
        await rows("select jsonb_path_query_array(public.payment_state(56, $1), '$.due[*].id') as due", [
          payer,
        ])
      )[0]?.due
    expect([await due(), await bind(first, 5n, Number(await nonce()))]).toEqual([
      [first, second, other],
      'bound',
    ])
    await backend.sql("select public.end_payment($1, 'mismatched', $2)", [first, hashOf(first)])
    await verify(await pay(hashOf(first), taxed, 4n))
    expect(await stateOf(first)).toBe('mismatched')
    const [entry] = await rows(
      "select entry::jsonb ->> 'state' as state from private.log_entries where kind = 'order' order by index desc limit 1",
    )
    expect(entry).toEqual({ state: 'mismatched' })
    const [suspended] = await rows('select * from public.suspended_tokens')
    expect(Object.values(suspended ?? {})).toContain(taxed)

    expect([await due(), await bind(second, 6n, Number(await nonce()))]).toEqual([[other], 'token'])
    expect(await bind(other, 4n, Number(await nonce()))).toBe('bound')
    await verify(await pay(hashOf(other), dollar, 4n))
    expect([await stateOf(second), await stateOf(other)]).toEqual(['announced', 'paid'])
  })
})
