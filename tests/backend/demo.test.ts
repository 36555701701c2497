import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { TOTP } from 'otpauth'
import { afterAll, expect, test } from 'vitest'
import { mistakeKinds } from '../../app/mistakes/mistakes.server.ts'
import { demoMember } from '../../supabase/embedded/demo.ts'
import { payDemo, playDemo } from '../../supabase/embedded/demo-live.ts'
import { demoAppKey, demoOperators } from '../../supabase/embedded/demo-operators.ts'
import { blockInterval, lastDay } from '../../supabase/embedded/demo-rows.ts'
import { migratedDataDir } from '../support/data-folder.ts'
import { clientOf, signUp, startOn } from '../support/temporary-backend.ts'

const verifier = fileURLToPath(new URL('../../public/verify-ledger.mjs', import.meta.url))

type Sql = Awaited<ReturnType<typeof startOn>>['sql']

/** The contents of the tables, as text. */
async function dump(sql: Sql): Promise<string> {
  const tables = [
    'auth.users',
    'auth.identities',
    'public.profiles',
    'public.fundme_pools',
    'public.transactions',
    'public.cz_calls',
    'public.pool_updates',
    'public.wallet_names',
    'auth.mfa_factors',
    'public.operators',
    'public.operator_acts',
    'public.goals',
    'private.goal_moves',
    'public.goal_changes',
    'public.goal_complaints',
    'private.sums_by_month',
    'private.sums_by_day',
    'public.transaction_checks',
    'private.transaction_statuses',
    'private.ledger_scans',
    'private.log_entries',
    'private.log_texts',
    'private.log_withdrawals',
    'private.log_checkpoints',
    'public.reconciliations',
    'private.statement_captures',
    'public.listening_sources',
    'public.published_cz_calls',
  ]
  const parts = tables.map((table) => `(select jsonb_agg(t order by t::text) from ${table} t)`)
  return JSON.stringify(await sql(`select jsonb_build_array(${parts})`))
}

/** The folder that both tests of the rows share, because writing the demonstration takes seconds. */
const demo = await migratedDataDir()
afterAll(() => demo.remove())
const startDemo = ({ path } = demo) => startOn(path, { demo: true })

test('writes the same demonstration into every empty folder, and only once', async () => {
  const second = await migratedDataDir()
  const dumps: string[] = []
  for (const folder of [demo, second, demo]) {
    const backend = await startDemo(folder)
    dumps.push(await dump(backend.sql))
    await backend.close()
  }
  expect(dumps[0]?.length).toBeGreaterThan(50_000)
  expect(dumps[1]).toBe(dumps[0])
  expect(dumps[2]).toBe(dumps[0])
  second.remove()
})

test('the demonstration has every row type, pool status and statement kind', async () => {
  const backend = await startDemo()
  const client = clientOf(backend)
  const { error } = await client.auth.signInWithPassword(demoMember)
  expect(error).toBeNull()
  expect((await client.from('profiles').select().single()).data).toMatchObject({
    username: demoMember.username,
  })

  // The rule of members' texts accepts what the members of the demonstration write, in every language.
  const refused = await backend.sql(
    `select text from private.log_texts
     join (
       select unnest(array[title_hash, byline_hash, category_hash, plan_hash, story_hash, picture_text_hash]) as hash from public.goals
       union select text_hash from public.pool_updates
     ) as written using (hash)
     where private.text_fault(text) is not null
     union
     select line.value #>> '{}' from public.goals, jsonb_each(to_jsonb(goals)) as line
     where line.key in ('title', 'byline', 'category', 'story', 'picture_text') and private.text_fault(line.value #>> '{}') is not null`,
  )
  expect(refused).toEqual([])

  const { data: pools } = await client.from('fundme_pools').select()
  expect(new Set(pools?.map((pool) => pool.status))).toEqual(new Set(['active', 'completed', 'voting']))
  expect(pools).toHaveLength(6)
  expect(pools?.filter((pool) => pool.goal_amount === null)).toHaveLength(1)

  const { data: transactions } = await client.from('published_transactions').select()
  expect(transactions?.length).toBeGreaterThan(100)
  expect(new Set(transactions?.map((row) => row.type))).toEqual(
    new Set(['donation', 'gift', 'spending', 'cost', 'tax', 'dream', 'move', 'other', 'goal-gift']),
  )
  expect(transactions?.filter((row) => row.amount_usd === null)).toHaveLength(1)
  expect(transactions?.filter((row) => row.revision === 1)).toHaveLength(2)
  for (const { tx_hash, from_address, to_address } of transactions ?? []) {
    for (const fake of [tx_hash, from_address, to_address]) expect(fake).toMatch(/^0xfa4e/)
  }

  const blocks = transactions?.filter((row) => row.block_number !== null) ?? []
  expect(blocks.filter(({ tx_hash, block_hash }) => tx_hash?.slice(6) === block_hash?.slice(6))).toEqual([])
  const origins = blocks.map(
    ({ block_number, block_time }) => Date.parse(`${block_time}`) / blockInterval - Number(block_number),
  )
  expect(Math.max(...origins) - Math.min(...origins)).toBeLessThan(1)

  const payments = transactions?.filter((row) => row.type === 'spending') ?? []
  const unexplained = payments.filter((row) => row.note === null)
  expect(unexplained.length).toBeGreaterThan(0)
  expect(unexplained.length).toBeLessThan(payments.length / 4)
  expect(payments.filter((row) => row.counter_name === null)).toEqual([])

  const { data: totals } = await client.from('ledger_totals').select().single()
  const ours = transactions?.filter((row) => row.type !== 'goal-gift') ?? []
  expect(totals).toMatchObject({ transactions_count: ours.length, unvalued_count: 1 })
  expect(
    Math.min(totals?.treasury_usd ?? 0, totals?.donated_usd ?? 0, totals?.dreams_funded_usd ?? 0),
  ).toBeGreaterThan(1000)
  for (const pool of (await client.from('pool_totals').select()).data ?? [])
    expect(pool.total_usd).toBeGreaterThan(1000)

  const { data: calls } = await client.from('published_cz_calls').select()
  expect(calls).toHaveLength(14)
  expect(new Set(calls?.map((call) => `${call.verified} ${call.tx_hash === null}`)).size).toBe(4)

  const { data: sources } = await client.from('listening_sources').select()
  const known = [...(calls ?? []), ...(sources ?? [])].flatMap((row) =>
    Object.entries(row).flatMap(([column, at]) => (/_(at|since)$/.test(column) && at ? [`${at}`] : [])),
  )
  // A check is recorded a minute after its row.
  expect(known.filter((at) => Date.parse(at) > lastDay + 60_000)).toEqual([])
  expect(calls?.filter(({ source_edited_at }) => source_edited_at)).toHaveLength(1)

  const { data: acts } = await client.from('published_acts').select('act, by, second')
  expect(acts?.filter(({ by }) => by === null).length).toBe(3)
  const approvals = acts?.filter(({ act }) => act === 'goal-approval')
  expect(approvals?.length).toBeGreaterThan(5)
  expect(approvals?.filter(({ by, second }) => by === null || second === null)).toEqual([])
  const ofTwo = new Set(acts?.flatMap(({ second, act }) => (second ? act : [])))
  expect(ofTwo).toEqual(
    new Set([
      'holder',
      'operator',
      'withdrawal',
      'goal-approval',
      'goal-annulment',
      'order',
      'name',
      'standing-order',
      'split-vote',
      'contact',
    ]),
  )

  const { data: splits } = await client.from('published_splits').select()
  expect(splits).toMatchObject([{ slug: 'split-1', shares: [361, 228, 146, 59, 94, 112] }])

  const { data: orders } = await client.from('published_orders').select()
  expect(new Set(orders?.map(({ state }) => state))).toEqual(
    new Set(['announced', 'paid', 'failed', 'stopped']),
  )
  const { data: mistakes } = await client.from('published_mistakes').select()
  expect(new Set(mistakes?.map(({ kind }) => kind))).toEqual(new Set(mistakeKinds))
  const explained = mistakes?.filter(({ notes }) => (notes as unknown[]).length > 0)
  expect(explained?.toSorted((a, b) => `${a.kind}`.localeCompare(`${b.kind}`))).toMatchObject([
    { kind: 'arrival', state: 'print', notes: [{ by: 'tomas' }] },
    { kind: 'payment', state: 'failed', notes: [{ by: 'tomas' }] },
  ])
  const { data: answers } = await client.from('published_answers').select()
  expect(new Set(answers?.map(({ strength, answer }) => `${strength} ${answer}`))).toEqual(
    new Set(['wallet yes', 'wallet no', 'wallet but', 'mail yes', 'mail no', 'print yes', 'print no']),
  )
  const { data: arrivals } = await client.from('published_arrivals').select('state')
  expect(arrivals?.map(({ state }) => state).toSorted()).toEqual([
    'asked',
    'but',
    'mail',
    'no',
    'no',
    'print',
    'wallet',
  ])
  const { data: standing } = await client.from('published_standing_orders').select()
  expect(new Set(standing?.map(({ rule, state }) => `${rule} ${state}`))).toEqual(
    new Set(['call active', 'call suspended', 'allocation active', 'vote active']),
  )
  expect(standing?.map(({ orders }) => Number(orders)).toSorted()).toEqual([0, 1, 1, 4])
  expect(orders?.filter(({ state, transaction_id }) => state === 'paid' && !transaction_id)).toEqual([])

  // The verifier accepts every entry: orders, standing orders, acts and votes.
  const entries = await backend.sql<{ entry: string }>(
    "select entry from private.log_entries where log = 'ledger' order by index",
  )
  const [log] = await backend.sql<{ root: string }>("select public.log_root('ledger', $1) as root", [
    entries.length,
  ])
  const latest = {
    size: entries.length,
    root: Buffer.from(log?.root ?? '', 'base64'),
    title: 'the demonstration',
  }
  const { checkExport, newestRules, underRules } = await import(verifier)
  const facts = entries.map(({ entry }) => JSON.parse(entry))
  const versions = facts.map(({ kind, rules = null }) =>
    underRules.has(kind) ? rules : (rules ?? newestRules),
  )
  expect(new Set(versions)).toEqual(new Set([newestRules]))
  expect(
    (
      await checkExport(
        entries.map(({ entry }) => Buffer.from(`${entry}\n`)),
        latest,
      )
    ).size,
  ).toBe(latest.size)

  const { data: goals } = await client.from('published_goals').select()
  expect(new Set(goals?.map(({ stage }) => stage))).toEqual(
    new Set(['open', 'ended', 'completed', 'annulled']),
  )
  expect(goals?.filter(({ frozen }) => frozen)).toHaveLength(1)
  expect(goals?.filter((goal) => goal.stage === 'completed' && goal.report_number)).toHaveLength(1)
  expect(goals?.filter((goal) => Number(goal.received_usd) === 0)).toEqual([])
  const { data: own } = await client.from('goals').select('stage')
  expect(own?.map(({ stage }) => stage).toSorted()).toEqual(['completed', 'draft', 'open'])
  const picture = await fetch(
    `${backend.url}/storage/v1/object/goals/${goals?.find(({ slug }) => slug === 'goal-bkfrzmwp')?.picture_path}`,
    { headers: { apikey: backend.publishableKey, Authorization: `Bearer ${backend.publishableKey}` } },
  )
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
  for (const { email, handle, factor } of demoOperators) {
    const operator = clientOf(backend)
    await operator.auth.signInWithPassword({ email, password: demoMember.password })
    const code = new TOTP({ secret: demoAppKey }).generate()
    await operator.auth.mfa.challengeAndVerify({ factorId: factor, code })
    expect((await operator.rpc('my_operator')).data).toMatchObject({ handle, assured: true, others: 1 })
    const { data: open } = await operator.from('operator_acts').select('state').not('state', 'eq', 'done')
    expect(open?.map(({ state }) => state).toSorted()).toEqual(
      handle === 'mara' ? ['draft', 'dropped', 'waiting'] : ['dropped', 'waiting'],
    )
  }

  await backend.close()
})

/** The relations that the product reads. */
const relationsRead = new Set(
  globSync('{app,scripts}/**/*.{ts,tsx}').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\.(?:rows|row|from)\(\s*'([a-z_]+)'/g)].map(
      ([, name = '']) => name,
    ),
  ),
)

/** Arguments of the functions that only read, for the demonstration. Each of them that returns JSON is called. */
const someHash = `'0x${'a'.repeat(40)}'`
const argumentsOf: Record<string, string> = {
  controls_due: `56, '[]'`,
  ended_order: `56, ${someHash}, 0`,
  matched_before: `(select array_agg(id) from public.transactions)`,
  read_ask: `(select token_hash from private.asks limit 1)`,
  anchor_state: `(select name from private.logs limit 1), 56, ${someHash}`,
  coin_balances: '56',
  ledger_balances: `56, (select jsonb_agg(distinct wallet) from public.reconciliations), 9007199254740991`,
  ledger_context: `56, '[]'`,
  log_consistency: '(select name from private.logs limit 1), 1, 2',
  log_inclusion: '(select name from private.logs limit 1), 0, 2',
  posts_with_words: `(select name from public.listening_sources limit 1), 'water'`,
  payment_state: `56, ${someHash}`,
  read_appointee: `(select id from public.operator_acts where state = 'waiting' limit 1)`,
  read_consent: `'education/1'`,
  read_goal: `(select slug from public.goals where stage = 'open' limit 1)`,
  read_post: '1',
  sum_transactions: `'{}'`,
  transactions_due: '56, now(), 50',
  unread_due: '56, 50',
  witness_proof: `(select name from private.logs limit 1), 'example.org/witness', 1, 2`,
}

/** The numbers of a JSON text with more digits than a double keeps, outside texts. */
const inexactNumbers = (json: string) =>
  (json.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d[\d.eE+-]*/g) ?? []).filter(
    (number) => number.replace(/\D/g, '').replace(/^0+/, '').length > 15,
  )

// The amounts of the demonstration have 18 decimals, so most of them are beyond 2^53.
test('each number that the product reads has at most 15 digits, or is a text', async () => {
  const backend = await startDemo()
  const [{ id }] = demoOperators
  await backend.sql('begin')
  await backend.sql('insert into auth.sessions (id, user_id) values ($1, $1)', [id])
  const claims = { sub: id, session_id: id, role: 'authenticated', aal: 'aal2' }
  await backend.sql(
    `select set_config('request.jwt.claims', $1, true), set_config('request.jwt.claim.sub', $2, true)`,
    [JSON.stringify(claims), id],
  )
  const functions = await backend.sql<{ name: string }>(
    `select proname as name from pg_proc
     where pronamespace = 'public'::regnamespace and provolatile = 's' and prorettype = 'jsonb'::regtype`,
  )
  expect(functions.length).toBeGreaterThan(20)
  expect(relationsRead.size).toBeGreaterThan(40)
  const found: string[] = []
  const read = async (name: string, expression: string) => {
    const rows = await backend.sql<{ json: string | null }>(expression)
    const numbers = rows.flatMap(({ json }) => inexactNumbers(json ?? ''))
    if (numbers.length > 0) found.push(`${name}: ${numbers[0]}`)
  }
  for (const name of relationsRead)
    await read(name, `select to_jsonb(t)::text as json from public.${name} as t`)
  for (const { name } of functions)
    await read(name, `select public.${name}(${argumentsOf[name] ?? ''})::text as json`)
  await backend.sql('rollback')
  await backend.close()
  expect(found).toEqual([])
})

test('the live demonstration announces an order of two operators, and pays it', async () => {
  const backend = await startDemo()
  const stop = new AbortController()
  const seen: string[] = []
  const changed = async () => {
    const [order] = await backend.sql<{ is: string }>(
      `select concat_ws(' ', state, approved_by, approved_second) as is from public.published_orders
       where purpose = 'Order 1 of this demonstration.'`,
    )
    if (order && order.is !== seen.at(-1)) seen.push(order.is)
    if (order?.is.startsWith('paid')) stop.abort()
  }
  await playDemo(backend.sql, changed, stop.signal, 0)
  expect(seen).toEqual(['announced mara tomas', 'paid mara tomas'])

  // The payer of the demonstration pays what is due, as a payer of a real site does.
  const again = new AbortController()
  const announced = async () => {
    const [order] = await backend.sql<{ id: number }>(
      `select id from public.orders where state = 'announced' and due_at > now()`,
    )
    if (order) again.abort()
  }
  await playDemo(backend.sql, announced, again.signal, 0)
  await backend.sql('set session_replication_role = replica')
  await backend.sql(`update public.orders set announced_at = announced_at - interval '25 hours', due_at = due_at - interval '25 hours',
       expires_at = expires_at - interval '25 hours' where state = 'announced' and due_at > now()`)
  await backend.sql('set session_replication_role = origin')
  const due = `select state, to_address from public.orders where purpose_hash is not null order by id desc limit 1`
  const payer = new AbortController()
  await payDemo(backend.sql, async () => payer.abort(), payer.signal)
  expect(await backend.sql(due)).toMatchObject([{ state: 'paid' }])
  await backend.close()
})

test('refuses to add the demonstration to a ledger that has other rows', async () => {
  const folder = await migratedDataDir()
  const own = await startOn(folder.path)
  await signUp(own, 'someone@example.org')
  await own.close()
  await expect(startOn(folder.path, { demo: true })).rejects.toThrow(
    /^This data folder already has data\. Set DATA_DIR to an empty folder/,
  )
  const again = await startOn(folder.path)
  expect(await again.sql('select count(*) as users from auth.users')).toEqual([{ users: 1 }])
  await again.close()
  folder.remove()
})
