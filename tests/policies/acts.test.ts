import { createHash, createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { Kind } from '../../app/acts/forms/kind.ts'
import { actKinds } from '../../app/console/act-kinds.ts'
import { act, addOperator, signUpWithFactor } from '../support/operators.ts'
import { signUp, startTemporary, transaction } from '../support/temporary-backend.ts'

const backend = await startTemporary()
afterAll(() => backend.close())

const ada = await addOperator(backend, 'ada')
const bob = await addOperator(backend, 'bob')
const gone = await addOperator(backend, 'gone')
const member = await signUp(backend, 'member@example.org')
const assured = await signUpWithFactor(backend, 'assured@example.org')
await act(backend, 'operator-end', 'gone', {}, 'The year is over.')
/** An active operator whose token has aal2, although the factor was removed afterwards. */
const bare = await addOperator(backend, 'bare')
await backend.sql('delete from auth.mfa_factors where user_id = $1', [bare.id])
/** An active operator who signed out: the token has not expired. */
const left = await addOperator(backend, 'left')
await left.client.auth.signOut()

const notes = Array.from({ length: 160 }, (_, at) => transaction({ note: `Note ${at}` }))
await backend.sql('select public.append_ledger($1)', [JSON.stringify(notes)])
const texts = await backend.sql<{ hash: string }>(
  'select note_hash as hash from public.transactions order by id',
)
await backend.sql('select public.claim_sources($1)', [JSON.stringify(['https://feed.example/1'])])
await backend.sql('select private.store_post($1, $2)', [
  'https://feed.example/1',
  JSON.stringify({
    ...{ url: 'https://feed.example/post', author: 'A', text: 'A donation', matches: true },
    sha256: createHash('sha256').update('A donation').digest('hex'),
  }),
])
const [{ id: candidate } = { id: '0' }] = await backend.sql<{ id: string }>(
  'select id from private.statement_posts',
)
const nextText = () => texts.shift()?.hash ?? ''
let wallets = 0
const nextWallet = () => `0x${(++wallets).toString(16).padStart(40, 'e')}`

type Actor =
  | 'visitor'
  | 'member'
  | 'member with a factor'
  | 'author'
  | 'another operator'
  | 'author with an old factor'
  | 'author at aal1'
  | 'operator whose factor was removed'
  | 'operator who signed out'
  | 'ended operator'
  | 'expired'
  | 'forged'
  | 'service'

const { jwtSecret } = JSON.parse(readFileSync(join(backend.dataDir, 'keys.json'), 'utf8'))
const claims = JSON.parse(Buffer.from(ada.token.split('.')[1] ?? '', 'base64url').toString())
const now = Math.floor(Date.now() / 1000)
const tokens: Record<Actor, string> = {
  visitor: backend.publishableKey,
  member: member.token,
  'member with a factor': assured.token,
  author: ada.token,
  'another operator': bob.token,
  'author with an old factor': sign({
    ...claims,
    amr: [
      { method: 'totp', timestamp: now - 601 },
      { method: 'password', timestamp: now },
    ],
  }),
  'author at aal1': ada.weakToken,
  'operator whose factor was removed': bare.token,
  'operator who signed out': left.token,
  'ended operator': gone.token,
  expired: sign({ ...claims, exp: now - 60 }),
  forged: sign({ ...claims, role: 'service_role' }, 'another secret'),
  service: backend.secretKey,
}

function sign(payload: object, secret = jwtSecret): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

async function request(actor: Actor, path: string, body?: object) {
  const response = await fetch(`${backend.url}/rest/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      apikey: actor === 'service' ? backend.secretKey : backend.publishableKey,
      authorization: `Bearer ${tokens[actor]}`,
      'content-type': 'application/json',
    },
    body: body && JSON.stringify(body),
  })
  return JSON.parse((await response.text()) || 'null')
}

/** Returns the state that a function returns, or the code of its refusal. */
async function outcomeOf(actor: Actor, name: string, parameters: object): Promise<string> {
  const { state, code, message } = await request(actor, `rpc/${name}`, parameters)
  return state ?? (code === 'P0001' ? message : code)
}

/** Inserts an act in a state, and returns its id. */
async function insertAct(columns: Record<string, unknown>): Promise<string> {
  const [row] = await backend.sql<{ id: string }>(
    `insert into public.operator_acts (${Object.keys(columns)})
     values (${Object.keys(columns).map((_, at) => `$${at + 1}`)}) returning id`,
    Object.values(columns),
  )
  return row?.id ?? ''
}

const at = '2025-03-01T12:00:00Z'
const ofOne = () => ({
  ...{ kind: 'update', by: 'ada' },
  arguments: JSON.stringify({ pool: 'education', text: 'Books', dated: at }),
})
const ofTwo = (by = 'ada') => {
  return { kind: 'withdrawal', by, subject: nextText(), reason: 'It names a person.', version: 0 }
}

/** Make an act in each state. Its author is ada, unless the name of the state says otherwise. */
const states = {
  'no act': async () => randomUUID(),
  draft: () => insertAct(ofOne()),
  'draft for two': () => insertAct(ofTwo()),
  waiting: () => insertAct({ ...ofTwo(), state: 'waiting', submitted_at: at }),
  'waiting, its author ended': () => insertAct({ ...ofTwo('gone'), state: 'waiting', submitted_at: at }),
  done: async () => {
    await act(backend, 'name', null, { address: nextWallet(), name: `Books ${wallets}` })
    const [row] = await backend.sql<{ id: string }>(
      'select id from public.operator_acts where number is not null order by number desc limit 1',
    )
    return row?.id ?? ''
  },
  dropped: () => insertAct({ ...{ kind: 'name', by: 'ada' }, state: 'dropped', final_at: at }),
}
type State = keyof typeof states

const functions = ['save_act', 'submit_act', 'confirm_act', 'drop_act'] as const
type Action = (typeof functions)[number]

const final = { done: 'already_done', dropped: 'already_done', 'no act': 'not_found' }
const waits = { waiting: 'already_done', 'waiting, its author ended': 'already_done' }
const own = (outcome: string) => ({ draft: outcome, 'draft for two': outcome })

/** The outcome of each function for an act in each state, for its author and for another operator. */
const author: Record<Action, Record<State, string>> = {
  // An id that belongs to no act creates a draft, so that a form that is sent twice creates only one draft.
  save_act: { ...final, ...waits, ...own('draft'), 'no act': 'draft' },
  submit_act: { ...final, ...waits, draft: 'done', 'draft for two': 'waiting' },
  confirm_act: {
    ...final,
    ...own('not_found'),
    waiting: 'own_act',
    'waiting, its author ended': 'proposer_ended',
  },
  drop_act: { ...final, ...own('dropped'), waiting: 'dropped', 'waiting, its author ended': 'dropped' },
}
const another: Record<Action, Record<State, string>> = {
  save_act: { ...final, ...waits, ...own('not_found'), 'no act': 'draft' },
  submit_act: { ...final, ...waits, ...own('not_found') },
  confirm_act: { ...author.confirm_act, waiting: 'done' },
  drop_act: { ...final, ...own('not_found'), waiting: 'not_yours', 'waiting, its author ended': 'dropped' },
}

function expected(actor: Actor, action: Action, state: State): string {
  switch (actor) {
    case 'visitor':
    case 'service':
      return '42501'
    case 'expired':
      return 'PGRST303'
    case 'forged':
      return 'PGRST301'
    case 'author':
      return author[action][state]
    case 'author with an old factor':
      return action === 'submit_act' || action === 'confirm_act' ? 'factor_needed' : author[action][state]
    case 'another operator':
      return another[action][state]
    default:
      return 'not_operator'
  }
}

/** An act's state and the size of the log, to which an update and a withdrawal each add two entries. */
async function read(id: string) {
  const [row] = await backend.sql<{ state: string | null; size: number }>(
    `select (select state from public.operator_acts where id = $1), public.log_size('ledger')::int as size`,
    [id],
  )
  return row ?? { state: null, size: 0 }
}

/** Discards a test's drafts and proposals, because their number is limited. */
const dropAll = () =>
  backend.sql(
    `update public.operator_acts set state = 'dropped', arguments = '{}', reason = null, final_at = now()
     where state in ('draft', 'waiting')`,
  )

/** The operators who get nothing in their session but their handle. */
const handles: Partial<Record<Actor, string>> = {
  ...{ 'author at aal1': 'ada', 'operator whose factor was removed': 'bare' },
  'operator who signed out': 'left',
}

describe.each(Object.keys(tokens) as Actor[])('the actor: %s', (actor) => {
  afterEach(dropAll)

  test.each(functions)('gets the expected outcome of %s in each state of the act', async (action) => {
    for (const state of Object.keys(states) as State[]) {
      const id = await states[state]()
      const before = await read(id)
      const draft = { kind: 'name', subject: null, arguments: {}, reason: null }
      const outcome = await outcomeOf(actor, action, { act: id, ...(action === 'save_act' ? draft : {}) })
      expect([state, outcome]).toEqual([state, expected(actor, action, state)])
      const moved = ['draft', 'waiting', 'done', 'dropped'].includes(outcome)
      expect([state, await read(id)]).toEqual([
        state,
        { state: moved ? outcome : before.state, size: before.size + (outcome === 'done' ? 2 : 0) },
      ])
    }
  })

  test('begins a draft, and reads acts and the console, only if the actor has the right to do so', async () => {
    const isOperator = ['author', 'another operator', 'author with an old factor'].includes(actor)
    const values = { kind: 'name', subject: null, arguments: {}, reason: null, act: null }
    const begun = await outcomeOf(actor, 'save_act', values)
    expect(begun).toBe(isOperator ? 'draft' : expected(actor, 'save_act', 'draft'))
    const who = await request(actor, 'rpc/my_operator', {})
    const overview = await request(actor, 'rpc/operator_overview', {})
    const withGoals = await request(actor, 'rpc/operator_overview', { goals: true })
    const complaints = await request(actor, 'rpc/read_complaints', {})
    const acts = await request(actor, 'operator_acts?select=state,by,number')
    const post = await request(actor, 'rpc/read_post', { post: candidate })
    const dismissed = await outcomeOf(actor, 'dismiss_post', { post: 0, reason: 'no' })
    const stopped = await request(actor, 'rpc/stop_orders', { numbers: [] })
    expect(isOperator ? stopped : (stopped.message ?? stopped.code)).toEqual(
      isOperator ? { stopped: [] } : expect.anything(),
    )
    if (isOperator) {
      expect(who).toMatchObject({ assured: true, proven: actor !== 'author with an old factor', others: 3 })
      expect(overview).toMatchObject({
        operator: who,
        queues: { waiting: { count: expect.any(Number) } },
        listening: { sources: [{ state: 'asked' }], posts: { count: 1 } },
        mail: { sent: 0 },
      })
      expect(withGoals).toMatchObject({ ...overview, goals: { submitted: { count: 0 } } })
      expect(complaints).toEqual([])
      expect(post).toMatchObject({ state: 'open', captures: [{ text: 'A donation' }] })
      expect(dismissed).toBe('not_found')
      expect(acts.length).toBeGreaterThan(5)
      expect(
        acts.filter(({ state, by }: Record<string, string>) => state === 'draft' && by !== who.handle),
      ).toEqual([])
    } else if (handles[actor]) {
      const handle = handles[actor]
      expect(who).toEqual({ handle, assured: false, proven: false, others: 3 })
      expect(overview).toEqual({ operator: who, queues: null, listening: null, health: null, mail: null })
      expect([withGoals, complaints]).toEqual([{ ...overview, goals: null }, null])
      expect(acts).toEqual([])
      expect([post, dismissed]).toEqual([null, 'not_operator'])
    } else if (actor === 'service') {
      expect([who.code, overview.code, post.code, dismissed]).toEqual(Array(4).fill('42501'))
      expect(acts.length).toBeGreaterThan(5)
    } else if (begun === 'not_operator')
      expect([who, overview, acts, post, dismissed]).toEqual([null, null, [], null, begun])
    else expect([who.code, overview.code, acts.code, post.code, dismissed]).toEqual(Array(5).fill(begun))
  })
})

// The others: tests/backend/account-deletion.test.ts, followers.test.ts, tests/policies/goals.test.ts.
test('every function that only members may call is listed', async () => {
  const names = await backend.sql<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace
       and has_function_privilege('authenticated', oid, 'execute') and not has_function_privilege('anon', oid, 'execute')
     order by 1`,
  )
  const own = [
    'delete_account',
    'follow_as_member',
    'leave_as_member',
    'member_contacts',
    'member_follows',
    'use_code',
  ]
  const listening = ['dismiss_post', 'read_post']
  const goals = ['submit_goal', 'take_back_goal', 'end_goal', 'post_goal_update', 'complain']
  const ofGoals = [...goals, 'read_goal', 'read_complaints', 'goals_overview']
  const known = [
    ...own,
    ...listening,
    ...ofGoals,
    'votes_overview',
    'my_operator',
    'operator_overview',
    'payer_overview',
    'posts_with_words',
    'read_appointee',
    'read_consent',
    'print_ask',
    'waiting_answers',
    'stop_orders',
    ...functions,
  ]
  expect(names.map(({ name }) => name)).toEqual(known.toSorted())
})

test('the database and app/console/act-kinds.ts have the same kinds, with the same subjects, fields, operators and least characters of a reason', async () => {
  const stored = await backend.sql(
    `select kind, people, two_with, subject, least_reason, case when not with_key_only then fields else '{}' end as fields
     from private.act_kinds order by kind`,
  )
  const kinds = Object.entries(actKinds).map(([name, kind]: [string, Kind]) => {
    const { people, twoWith = null, subject, fields, shortestReason } = kind
    const names = fields.map((field) => field.name)
    return { kind: name, people, two_with: twoWith, subject, least_reason: shortestReason, fields: names }
  })
  expect(kinds.toSorted((one, other) => (one.kind < other.kind ? -1 : 1))).toEqual(stored)
})

test('each kind names functions that exist', async () => {
  expect(
    await backend.sql(
      `select kind from private.act_kinds
       where to_regprocedure('private.' || performer || '(public.operator_acts)') is null
         or (revision_of is not null and to_regprocedure('private.' || revision_of || '(text)') is null)`,
    ),
  ).toEqual([])
})

/** Saves and submits an act. Returns the state, or the code of the refusal with its detail. */
async function attempt(actor: Actor, kind: string, subject: string | null, values: object, reason?: string) {
  const parameters = { act: null, kind, subject, arguments: values, reason: reason ?? null }
  const saved = await request(actor, 'rpc/save_act', parameters)
  if (!saved.id) return saved.message
  const submitted = await request(actor, 'rpc/submit_act', { act: saved.id })
  const details = JSON.parse(submitted.details ?? '{}')
  if (!submitted.state) await request(actor, 'rpc/drop_act', { act: saved.id })
  return submitted.state ?? [submitted.message, details.field, details.why].filter(Boolean).join(' ')
}

const statement = {
  ...{ link: 'https://example.org/said', text: 'Give.', author: 'CZ', action: 'We gave.' },
  posted: '2025-03-01T12:00:00Z',
}
const update = { pool: 'education', text: 'Books', dated: '2025-03-01T12:00:00Z' }
const picture = `education/${'4'.repeat(64)}.webp`
const photograph = `https://a.b/pictures/pools/${picture}#width=4&height=3&alt=Desks`
const introduction = {
  name: 'Ada Lund',
  role: 'Publishes updates',
  keys: 'none',
  link: 'https://example.org/ada',
}
const [payment] = notes
const paid = `56/${payment?.tx_hash}/0`
const refused: [kind: string, subject: string | null, values: object, says: string, reason?: string][] = [
  ['statement', null, { ...statement, link: 'http://example.org' }, 'invalid_field link format'],
  ['statement', null, { ...statement, link: 'https://x.com@evil.example/a' }, 'invalid_field link format'],
  ['statement', null, { ...statement, text: 'sk\u202eooB' }, 'invalid_field text characters'],
  ['statement', null, { ...statement, text: 'a'.repeat(5001) }, 'invalid_field text length'],
  ['statement', null, { ...statement, text: ' a' }, 'invalid_field text spaces'],
  ['statement', null, { ...statement, posted: 'yesterday' }, 'invalid_field posted format'],
  ['statement', null, { ...statement, posted: '2025-13-01T12:00:00Z' }, 'invalid_field posted format'],
  ['statement', null, { ...statement, posted: '2099-03-01T12:00:00Z' }, 'invalid_field posted future'],
  ['statement', null, { ...statement, tx: `0x${'9'.repeat(64)}` }, 'invalid_field tx unknown'],
  ['statement', null, { ...statement, confirmed_by: 'me' }, 'invalid_field confirmed_by unknown'],
  ['statement', null, { ...statement, revision: 3 }, 'invalid_field revision unknown'],
  ['statement', null, { ...statement, author: ['a'] }, 'invalid_field author unknown'],
  ['statement', 'https://example.org/none', statement, 'not_found'],
  ['statement', null, statement, 'invalid_field reason length', 'a'.repeat(501)],
  ['update', null, { ...update, pool: 'treasury' }, 'invalid_field pool unknown'],
  ['update', null, { ...update, links: 'https://a.b\nftp://a.b' }, 'invalid_field links format'],
  ['update', null, { ...update, helping: '5' }, 'invalid_field helping_source missing'],
  ['update', null, { ...update, links: photograph }, 'invalid_field person missing'],
  ['update', null, { ...update, links: photograph, person: 'maybe' }, 'invalid_field person length'],
  ['update', null, { ...update, links: photograph, person: 'yes' }, 'invalid_field consent missing'],
  [
    'update',
    null,
    { ...update, links: `${photograph}&who=Amina`, person: 'no' },
    'invalid_field consent missing',
  ],
  ['update', 'education/9', update, 'not_found'],
  ['purpose', paid, { type: 'spending' }, 'invalid_field type transactions_account_of_type'],
  ['purpose', paid, { type: 'tax', pool: 'education' }, 'invalid_field pool fixed'],
  ['purpose', paid, { type: 'tax', proof: 'ftp://a.b' }, 'invalid_field proof format'],
  ['purpose', '56/0x0/0', { type: 'tax' }, 'not_found'],
  ['value', paid, { rate: '0', rate_source: 'me' }, 'refused this payment has no amount of a token'],
  [
    'name',
    null,
    { address: payment?.to_address, name: 'Books' },
    'invalid_field address wallet_names_of_others',
  ],
  ['name', null, { address: nextWallet(), name: 'Donation Wallet' }, 'invalid_field name ours'],
  ['name', null, { address: nextWallet().toUpperCase(), name: 'Books' }, 'invalid_field address format'],
  ['withdrawal', '0'.repeat(64), {}, 'not_found', 'It names a person.'],
  ['withdrawal', texts[0]?.hash ?? '', {}, 'invalid_field reason missing'],
  ['withdrawal', texts[0]?.hash ?? '', {}, 'invalid_field reason length', 'short'],
  ['operator', null, { email: 'none@example.org', handle: 'new' }, 'no_account email'],
  ['operator', null, { email: 'member@example.org', handle: 'new' }, 'no_factor email'],
  ['operator', null, { email: 'bob@example.org', handle: 'new' }, 'already_operator email'],
  ['operator', null, { email: 'assured@example.org', handle: 'gone' }, 'exists handle'],
  ['operator', null, { email: 'assured@example.org', handle: 'New' }, 'invalid_field handle format'],
  ['operator-end', 'none', {}, 'not_found', 'The year is over.'],
  ['operator-end', 'gone', {}, 'changed', 'The year is over.'],
  ['introduction', 'ada', introduction, 'not_found'],
  ['introduction', null, { ...introduction, name: 'Donation Wallet' }, 'invalid_field name ours'],
  ['introduction', null, { ...introduction, name: 'M\u0430ra' }, 'invalid_field name wallet_names_letters'],
  ['introduction', null, { ...introduction, role: '' }, 'invalid_field role missing'],
  ['introduction', null, { ...introduction, keys: 'maybe' }, 'invalid_field keys format'],
  [
    'introduction',
    null,
    { ...introduction, link: 'https://x.com@evil.example' },
    'invalid_field link format',
  ],
  ['introduction', null, { ...introduction, handle: 'bob' }, 'invalid_field handle unknown'],
  ['reading', paid, {}, 'not_found'],
  ['act', null, {}, 'not_found'],
]

test('an operator introduces themselves, and no one else: the act has the words, and the log has their hash', async () => {
  expect(await attempt('member', 'introduction', null, introduction)).toBe('not_operator')
  expect(await attempt('author', 'introduction', null, introduction)).toBe('done')
  const { link: _, ...short } = introduction
  expect(await attempt('another operator', 'introduction', null, { ...short, keys: 'holds' })).toBe('done')
  const found = await backend.sql(
    `select acts.subject, acts.by, acts.reason, entries.entry like '%' || texts.hash || '%' as is_logged
     from public.published_acts as acts
     join private.log_texts as texts on texts.text = acts.reason
     join private.log_entries as entries on entries.index = acts.log_index and entries.log = 'ledger'
     where acts.act = 'introduction' order by acts.id`,
  )
  expect(found).toEqual([
    {
      ...{ subject: 'ada', by: 'ada', is_logged: true },
      reason: 'Ada Lund\nPublishes updates\nHolds no key of our wallets.\nhttps://example.org/ada',
    },
    {
      subject: 'bob',
      by: 'bob',
      is_logged: true,
      reason: 'Ada Lund\nPublishes updates\nHolds a key of our wallets.',
    },
  ])
})

test('the database refuses a direct call that the site would refuse', async () => {
  const { size } = await read(randomUUID())
  for (const [kind, subject, values, says, reason] of refused)
    expect([kind, values, await attempt('author', kind, subject, values, reason)]).toEqual([
      kind,
      values,
      says,
    ])
  const unconfirmed = { email: 'assured@example.org', handle: 'new' }
  expect(await attempt('author', 'operator', null, unconfirmed)).toBe('unconfirmed email')
  expect((await read(randomUUID())).size).toBe(size)
})

test('an operator reads the beginning of each text of a candidate, whatever its length', async () => {
  const long = 'é'.repeat(1_500_000)
  for (const text of [`${long}a`, `${long}b`, `${long}c`])
    await backend.sql(
      `insert into private.statement_captures (post, text, sha256)
       values ($1, $2, encode(sha256(convert_to($2, 'UTF8')), 'hex'))`,
      [candidate, text],
    )
  const { captures } = await request('author', 'rpc/read_post', { post: candidate })
  expect(captures.map(({ text }: { text: string }) => text.length)).toEqual([20_000, 20_000, 20_000, 10])
  await backend.sql('delete from private.statement_captures where char_length(text) > 20000')
})

test('operators see the account that they appoint, and others do not', async () => {
  const values = { email: 'Assured@example.org', handle: 'new' }
  const parameters = { act: null, kind: 'operator', subject: null, arguments: values, reason: null }
  const { id } = await request('author', 'rpc/save_act', parameters)
  const appointee = (actor: Actor) => request(actor, 'rpc/read_appointee', { act: id })
  expect(await appointee('author')).toEqual({
    name: 'Member',
    created_at: expect.any(String),
    confirmed: false,
  })
  for (const actor of ['member', 'another operator', 'author at aal1'] as const)
    expect([actor, await appointee(actor)]).toEqual([actor, null])
  await dropAll()
})

test('a photograph of a person needs two operators, and who agreed is private until the photograph is withdrawn', async () => {
  const consent = 'Amina, by a letter of 3 March 2025'
  const values = { ...update, links: photograph, person: 'yes', consent }
  const parameters = { act: null, kind: 'update', subject: null, arguments: values, reason: null }
  const { id } = await request('author', 'rpc/save_act', parameters)
  expect(await outcomeOf('author', 'submit_act', { act: id })).toBe('waiting')
  expect(await outcomeOf('author', 'confirm_act', { act: id })).toBe('own_act')
  const { subject } = await request('another operator', 'rpc/confirm_act', { act: id })
  const consentFor = (actor: Actor) => request(actor, 'rpc/read_consent', { subject })
  for (const actor of ['author', 'another operator'] as const) expect(await consentFor(actor)).toBe(consent)
  expect(await consentFor('member')).toBeNull()
  expect(await consentFor('author at aal1')).toBeNull()
  const published = await backend.sql<{ text: string }>(
    `select text from private.log_texts where text like '%a letter of 3 March%'
     union all select arguments::text from public.operator_acts where final_at is not null and arguments::text like '%letter%'`,
  )
  expect(published).toEqual([])
  // A correction without the photograph does not delete it, so who agreed stays until the links are withdrawn.
  const links = await backend.sql<{ hash: string }>('select hash from private.log_texts where text = $1', [
    photograph,
  ])
  await act(backend, 'withdrawal', links[0]?.hash ?? '', {}, 'The person asked for it.')
  expect(await backend.sql('select * from private.photograph_consents')).toEqual([])
  expect(await backend.sql('select private.shown_pictures() as shown')).toEqual([])
})

test('a name is refused if it looks like another name or like one of our wallets', async () => {
  const name = (words: string, address = nextWallet()) =>
    attempt('author', 'name', null, { address, name: words })
  await act(backend, 'name', null, { address: nextWallet(), name: 'Riverside Paper' })
  for (const same of ['riverside paper', 'Riverside-Paper.', 'Ｒiverside Paper', 'Riversidé Paper'])
    expect([same, await name(same)]).toEqual([
      same,
      expect.stringMatching(/^invalid_field name wallet_names/),
    ])
  for (const ours of ['Treasury', 'treasury.', 'Donatiοn wallet'])
    expect([ours, await name(ours)]).toEqual([ours, 'invalid_field name ours'])
  for (const letters of ['Тreasury House', 'Treasury\u034f House', 'Αthens'])
    expect([letters, await name(letters)]).toEqual([letters, 'invalid_field name wallet_names_letters'])
  expect(await name('Казанский приют 币安')).toBe('waiting')
  await dropAll()
})

test('an act does not overwrite a later change, and is not confirmed after its subject has changed', async () => {
  expect(await attempt('author', 'statement', null, statement)).toBe('done')
  expect(await attempt('another operator', 'statement', null, statement)).toBe('exists link')
  const { link } = statement
  expect(await attempt('author', 'confirmation', link, { how: 'I read it there.' })).toBe('same_person')
  const begin = (actor: Actor, kind: string, subject: string, values: object) =>
    request(actor, 'rpc/save_act', { act: null, kind, subject, arguments: values, reason: null })
  const first = await begin('author', 'statement', link, { ...statement, text: 'One' })
  const second = await begin('another operator', 'statement', link, { ...statement, text: 'Two' })
  expect(await outcomeOf('author', 'submit_act', { act: first.id })).toBe('done')
  expect(await outcomeOf('another operator', 'submit_act', { act: second.id })).toBe('changed')
  expect(await attempt('another operator', 'confirmation', link, { how: 'I read it there.' })).toBe('done')

  const row = transaction({ token_amount: '3', token_decimals: 0, token_symbol: 'T' })
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([row])])
  const subject = `56/${row.tx_hash}/0`
  const value = await begin('author', 'value', subject, { rate: '1.5', rate_source: 'An exchange' })
  expect(await outcomeOf('author', 'submit_act', { act: value.id })).toBe('waiting')
  expect(await attempt('author', 'purpose', subject, { type: 'tax', note: 'Changed' })).toBe('done')
  expect(await outcomeOf('another operator', 'confirm_act', { act: value.id })).toBe('changed')
  expect(await outcomeOf('author', 'drop_act', { act: value.id })).toBe('dropped')
})

test('a person with two handles counts as one person, and a former operator confirms nothing', async () => {
  await act(backend, 'operator', null, { email: 'assured@example.org', handle: 'cleo' })
  const id = await insertAct({ ...ofTwo('cleo'), state: 'waiting', submitted_at: at })
  await act(backend, 'operator-end', 'cleo', {}, 'The year is over.')
  await act(backend, 'operator', null, { email: 'assured@example.org', handle: 'cleo-2' })
  expect(await outcomeOf('member with a factor', 'confirm_act', { act: id })).toBe('own_act')
  expect(await outcomeOf('another operator', 'confirm_act', { act: id })).toBe('proposer_ended')
  const waiting = await states.waiting()
  await act(backend, 'operator-end', 'cleo-2', {}, 'The year is over.')
  expect(await outcomeOf('member with a factor', 'confirm_act', { act: waiting })).toBe('not_operator')
})

test('drafts and proposals are limited in number and size', async () => {
  const save = (values: object) =>
    outcomeOf('author', 'save_act', {
      act: null,
      kind: 'name',
      subject: null,
      arguments: values,
      reason: null,
    })
  expect(await save({ name: 'é'.repeat(16_000) })).toBe('too_large')
  await backend.sql(
    `insert into public.operator_acts (kind, by) select 'name', 'ada' from generate_series(1, 50)`,
  )
  expect(await save({})).toBe('too_many')
  await dropAll()
})

test('a final act keeps no text, and cannot be changed or removed', async () => {
  expect(
    await backend.sql(
      `select id from public.operator_acts where final_at is not null and (arguments <> '{}' or reason is not null)`,
    ),
  ).toEqual([])
  const change = (sql: string) =>
    backend.sql(sql).then(
      () => 'changed',
      (error: Error) => error.message,
    )
  expect(await change(`update public.operator_acts set subject = 'x' where state = 'done'`)).toContain(
    'append-only',
  )
  expect(await change('delete from public.operator_acts')).toContain('append-only')
  expect(await change(`update public.operators set until = null where handle = 'gone'`)).toContain(
    'append-only',
  )
  expect(await change('delete from public.operators')).toContain('append-only')
})

test("an operator ends their own role: the act is done, and the operator's other drafts are dropped", async () => {
  const { token } = await addOperator(backend, 'self')
  tokens['operator whose factor was removed'] = token
  const draft = await insertAct({ kind: 'name', by: 'self' })
  expect(
    await attempt('operator whose factor was removed', 'operator-end', 'self', {}, 'I leave the project.'),
  ).toBe('done')
  expect((await read(draft)).state).toBe('dropped')
  expect(
    await attempt('operator whose factor was removed', 'operator-end', 'ada', {}, 'I leave the project.'),
  ).toBe('not_operator')
  const record = await request('visitor', 'published_acts?select=act,subject,by&order=id.desc&limit=1')
  expect(record).toEqual([{ act: 'operator-end', subject: 'self', by: 'self' }])
})

test("the deletion of an operator's account ends the role; the handle and the record stay", async () => {
  const draft = await insertAct({ kind: 'name', by: 'bob' })
  expect((await bob.client.rpc('delete_account')).error).toBeNull()
  const [row] = await backend.sql(
    `select member, until is not null as ended, (select state from public.operator_acts where id = $1) as draft
     from public.operators where handle = 'bob'`,
    [draft],
  )
  expect(row).toEqual({ member: null, ended: true, draft: 'dropped' })
  expect(
    await outcomeOf('another operator', 'save_act', {
      ...{ act: null, kind: 'name', subject: null, arguments: {}, reason: null },
    }),
  ).toBe('not_operator')
  for (const handle of ['bare', 'left']) await act(backend, 'operator-end', handle, {}, 'The phone was lost.')
  expect(await attempt('author', 'withdrawal', nextText(), {}, 'It names a person.')).toBe('no_second')
})

test('one operator ends the last other operator only after an hour, or if that operator confirms it', async () => {
  const submit = async (handle: string) => {
    const { token } = await addOperator(backend, handle)
    tokens['another operator'] = token
    const values = {
      act: null,
      kind: 'operator-end',
      subject: handle,
      arguments: {},
      reason: 'It is over now.',
    }
    const { id } = await request('author', 'rpc/save_act', values)
    expect(await outcomeOf('author', 'submit_act', { act: id })).toBe('waiting')
    return id
  }
  const secondOf = async (id: string) =>
    (await backend.sql<{ second: string }>('select second from public.operator_acts where id = $1', [id]))[0]
      ?.second
  const alone = await submit('eva')
  expect(await outcomeOf('author', 'confirm_act', { act: alone })).toBe('own_act')
  await backend.sql(
    `update public.operator_acts set submitted_at = now() - interval '61 minutes' where id = $1`,
    [alone],
  )
  tokens['author with an old factor'] = sign({ ...claims, amr: [{ method: 'totp', timestamp: now - 601 }] })
  expect(await outcomeOf('author with an old factor', 'confirm_act', { act: alone })).toBe('factor_needed')
  expect(await outcomeOf('author', 'confirm_act', { act: alone })).toBe('done')
  expect(await secondOf(alone)).toBeNull()
  const agreed = await submit('fay')
  expect(await outcomeOf('another operator', 'confirm_act', { act: agreed })).toBe('done')
  expect(await secondOf(agreed)).toBe('fay')
  // With a third operator, one operator alone still ends another one.
  await addOperator(backend, 'gil')
  await addOperator(backend, 'hal')
  expect(await attempt('author', 'operator-end', 'hal', {}, 'It is over now.')).toBe('done')
})

test('a member whose session has ended reads and changes nothing', async () => {
  const { client, id, token } = await signUp(backend, 'away@example.org')
  const change = (username: string) =>
    fetch(`${backend.url}/rest/v1/profiles?id=eq.${id}`, {
      method: 'PATCH',
      headers: {
        ...{ apikey: backend.publishableKey, authorization: `Bearer ${token}` },
        ...{ 'content-type': 'application/json', prefer: 'return=representation' },
      },
      body: JSON.stringify({ username }),
    }).then((response) => response.json())
  expect(await change('Here')).toMatchObject([{ username: 'Here' }])
  await client.auth.signOut()
  expect(await change('Gone')).toEqual([])
  expect(await backend.sql('select username from public.profiles where id = $1', [id])).toEqual([
    { username: 'Here' },
  ])
})
