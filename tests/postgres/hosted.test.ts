import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostedPrograms } from '../support/hosted-services.ts'
import { signUp, startTemporary, type TemporaryBackend, transaction } from '../support/temporary-backend.ts'

/** What PostgREST does when hosted, and lite does not; `npm run test:real` asks the services. */
let backend: TemporaryBackend
let member: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  backend = await startTemporary()
  for (const statement of [
    'create table public.named (member uuid, plain text, wallet private.address, at private.moment)',
    'grant select, insert, update on public.named to authenticated, service_role',
    'grant select on public.named to anon',
    `create function public.fail(code text) returns void language plpgsql set search_path = '' as
     $$ begin raise exception 'a message' using errcode = code, detail = 'a detail'; end $$`,
    `create function public.wait(seconds double precision) returns void language plpgsql set search_path = '' as
     $$ begin perform pg_sleep(seconds); end $$`,
    `create function public.time_limit() returns text language sql set search_path = '' as
     $$ select current_setting('statement_timeout') $$`,
  ])
    await backend.sql(statement)
  member = await signUp(backend, 'member@example.org')
  // PostgREST reads a changed schema within a second.
  while ((await call('visitor', 'GET', 'named')).status === 404) await sleep(50)
})
afterAll(() => backend.close())

type Caller = 'visitor' | 'member' | 'service'

async function call(caller: Caller, method: string, path: string, body?: unknown, headers = {}) {
  const key = caller === 'service' ? backend.secretKey : backend.publishableKey
  const response = await fetch(`${backend.url}/rest/v1/${path}`, {
    method,
    headers: {
      ...{ apikey: key, authorization: `Bearer ${caller === 'member' ? member.token : key}` },
      ...{ 'content-type': 'application/json', ...headers },
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : null }
}

const address = `0x${'a'.repeat(40)}`

// The product meets it when a member saves a draft of a goal or hands a ballot in.
test.each([
  ['member', 'POST', 'named', { plain: 'a', wallet: address }, 403],
  ['member', 'POST', 'named', [{ plain: 'a', at: '2026-01-01T00:00:00Z' }], 403],
  ['member', 'POST', 'named?columns=plain,wallet', [{ plain: 'a' }], 403],
  ['member', 'PATCH', 'named?plain=eq.a', { wallet: address }, 403],
  ['member', 'PATCH', 'named', { wallet: address }, 403],
  ['service', 'POST', 'named', { wallet: address }, 403],
  ['visitor', 'POST', 'named', { wallet: address }, 401],
] as const)(
  'refuses a column whose type the role cannot name: %s %s %s',
  async (caller, method, path, body, status) => {
    const { body: error, ...answer } = await call(caller, method, path, body)
    expect([answer.status, error.code, error.message]).toEqual([
      status,
      '42501',
      'permission denied for schema private',
    ])
  },
)

test('such a column is read and filtered, and the other columns are written', async () => {
  await backend.sql('insert into public.named (wallet) values ($1)', [address])
  const filtered = await call('visitor', 'GET', `named?wallet=eq.${address}&select=wallet`)
  expect(filtered).toEqual({ status: 200, body: [{ wallet: address }] })
  expect(await call('member', 'POST', 'named', { plain: 'b' })).toMatchObject({ status: 201 })
  expect(await call('service', 'PATCH', `named?wallet=eq.${address}`, { plain: 'b' })).toMatchObject({
    status: 204,
  })
})

// The product meets it at each write of a goal's plan, and at each call of the job with rows.
test('a text in place of JSON is a JSON text', async () => {
  const plan = [{ amount: '60', what: 'Coats' }]
  const draft = { member: member.id, title: 'Coats' }
  expect((await call('member', 'POST', 'goals', { ...draft, plan })).status).toBe(201)
  expect(await call('member', 'POST', 'goals', { ...draft, plan: JSON.stringify(plan) })).toMatchObject({
    status: 400,
    body: { code: '22023' },
  })
  const entries: object[] = []
  expect(
    await call('service', 'POST', 'rpc/append_ledger', { entries: JSON.stringify(entries) }),
  ).toMatchObject({ status: 400, body: { code: '22023' } })
  expect((await call('service', 'POST', 'rpc/append_ledger', { entries })).status).toBe(200)
})

test.each([null, 'null', '[x', 3, [null, '[x']])('a body that is no row is refused: %j', async (body) => {
  for (const path of ['goals', 'rpc/append_ledger'])
    expect((await call('service', 'POST', path, body)).status).toBeOneOf([400, 403, 404])
})

test.each([
  ['P0001', 400],
  ['P0002', 500],
  ['PT404', 404],
  ['PT409', 409],
  ['UNDO1', 400],
  ['0A000', 400],
  ['08006', 503],
  ['22023', 400],
  ['23503', 409],
  ['23514', 400],
  ['25006', 405],
  ['2F004', 400],
  ['42501', 403],
  ['42883', 404],
  ['53300', 503],
  ['54000', 500],
  ['57014', 500],
  ['58000', 500],
  ['XX000', 500],
] as const)('an error %s of a function has the status %i, with its code and words', async (code, status) => {
  expect(await call('member', 'POST', 'rpc/fail', { code })).toEqual({
    status,
    body: { code, message: 'a message', details: 'a detail', hint: null },
  })
})

// The product meets it at each read of a list: the exports read 1,000 rows at a time.
test('a response has at most 1,000 rows, whatever limit the request has', async () => {
  await backend.sql('select public.append_ledger($1)', [
    JSON.stringify(Array.from({ length: 1001 }, () => transaction())),
  ])
  for (const path of ['published_transactions?select=id', 'published_transactions?select=id&limit=5000'])
    expect((await call('visitor', 'GET', path)).body).toHaveLength(1000)
  expect((await call('visitor', 'GET', 'published_transactions?select=id&offset=1000')).body).toHaveLength(1)
})

// The product meets it at each read of one row, such as the totals.
test.each([
  ['no row', 'id=eq.0'],
  ['two rows', 'limit=2'],
])('a request for one row that finds %s has the status 406', async (_, narrow) => {
  const path = `published_transactions?select=id&${narrow}`
  const { status, body } = await call('visitor', 'GET', path, undefined, {
    accept: 'application/vnd.pgrst.object+json',
  })
  expect([status, body.code]).toEqual([406, 'PGRST116'])
})

// The product meets it when a member saves a profile or a goal, whose row another tab may have changed.
test('a write returns rows only if the request prefers them, and finds no row without an error', async () => {
  const prefer = { prefer: 'return=representation' }
  const at = `profiles?id=eq.${member.id}`
  expect(await call('member', 'PATCH', `${at}&select=username`, { username: 'Ada' }, prefer)).toEqual({
    status: 200,
    body: [{ username: 'Ada' }],
  })
  expect(await call('member', 'PATCH', at, { username: 'Bea' })).toEqual({ status: 204, body: null })
  const other = `${at}&username=eq.other&select=username`
  expect(await call('member', 'PATCH', other, { username: 'Cleo' }, prefer)).toEqual({
    status: 200,
    body: [],
  })
  expect(await call('member', 'DELETE', 'goals?title=eq.other')).toEqual({ status: 204, body: null })
})

// The product meets it between a deployment and its migrations, and while the schema cache is older than the schema.
test.each([
  ['a column to read', 'GET', 'profiles?select=nothing', undefined, [400, '42703']],
  ['a column to write', 'PATCH', 'profiles?id=eq.1', { nothing: 1 }, [400, 'PGRST204']],
  ['a relation', 'GET', 'nothing?select=id', undefined, [404, 'PGRST205']],
  ['a function', 'POST', 'rpc/nothing', {}, [404, 'PGRST202']],
  ['an argument', 'POST', 'rpc/time_limit', { nothing: 1 }, [404, 'PGRST202']],
] as const)(
  '%s that the schema cache does not know has its own error',
  async (_, method, path, body, error) => {
    const answer = await call('member', method, path, body)
    expect([answer.status, answer.body.code]).toEqual(error)
  },
)

// No request of the product is an upsert, or embeds a table.
test('an upsert needs a unique constraint, and rows in one request have the same columns', async () => {
  const merge = { prefer: 'resolution=merge-duplicates' }
  const upsert = await call('service', 'POST', 'named?on_conflict=plain', { plain: 'a' }, merge)
  expect([upsert.status, upsert.body?.code]).toEqual([400, '42P10'])
  const rows = await call('service', 'POST', 'named', [{ plain: 'a' }, { member: member.id }])
  expect([rows.status, rows.body.code]).toEqual([400, 'PGRST102'])
})

// The product meets it at each call. PGlite cannot interrupt a statement.
test('a statement ends after the time limit of its role', async () => {
  const limits = (['visitor', 'member', 'service'] as const).map((caller) =>
    call(caller, 'POST', 'rpc/time_limit'),
  )
  expect((await Promise.all(limits)).map(({ body }) => body)).toEqual(['3s', '8s', '8s'])
  const { status, body } = await call('visitor', 'POST', 'rpc/wait', { seconds: 60 })
  expect([status, body.code, body.message]).toEqual([
    500,
    '57014',
    'canceling statement due to statement timeout',
  ])
})

test('a role that is no superuser and owns neither auth nor storage has applied the migrations', async () => {
  const owners = await backend.sql(
    `select nspname as schema, relowner::regrole::text as owner, rolsuper
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_roles on pg_roles.oid = relowner
     where nspname in ('public', 'private', 'auth', 'storage') and relname <> 'named' group by 1, 2, 3 order by 1`,
  )
  const isHosted = hostedPrograms() !== null
  const serviceOwner = (name: string) => (isHosted ? `supabase_${name}_admin` : 'postgres')
  expect(owners).toEqual([
    { schema: 'auth', owner: serviceOwner('auth'), rolsuper: !isHosted },
    { schema: 'private', owner: 'hosted_owner', rolsuper: false },
    { schema: 'public', owner: 'hosted_owner', rolsuper: false },
    { schema: 'storage', owner: serviceOwner('storage'), rolsuper: !isHosted },
  ])
})
