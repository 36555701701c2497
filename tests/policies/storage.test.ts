import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { act, addOperator } from '../support/operators.ts'
import { signUp, startTemporary, type TemporaryBackend } from '../support/temporary-backend.ts'

const hash = (digit: string) => digit.repeat(64)
const secured = { aal: 'aal1' }

let backend: TemporaryBackend
let owner: string
let stranger: string
/** The id of a member with a verified factor. */
let guarded: string
let operator: string
let ended: string
beforeAll(async () => {
  backend = await startTemporary()
  owner = (await signUp(backend, 'owner@example.org')).id
  stranger = (await signUp(backend, 'stranger@example.org')).id
  guarded = (await signUp(backend, 'guarded@example.org')).id
  operator = (await addOperator(backend, 'operator')).id
  ended = (await addOperator(backend, 'ended')).id
  await act(backend, 'operator-end', 'ended', {}, 'The year is over.')
  await backend.sql(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
     values ($1, $2, 'totp', 'verified', now(), now())`,
    [randomUUID(), guarded],
  )
  for (const member of [owner, stranger, guarded, operator, ended])
    await backend.sql('insert into auth.sessions (id, user_id) values ($1, $1)', [member])
  for (const [member, digit] of [
    [owner, 'a'],
    [guarded, 'b'],
  ])
    await backend.sql(`insert into storage.objects (bucket_id, name, owner_id) values ('avatars', $1, $2)`, [
      `${member}/${hash(digit as string)}.webp`,
      member,
    ])
  await backend.sql(`insert into storage.objects (bucket_id, name) values ('pools', $1)`, [
    `education/${hash('a')}.webp`,
  ])
})
afterAll(() => backend.close())

interface Actor {
  role: string
  id?: string
  aal?: string
}

/** Runs SQL as the actor, in a transaction that is rolled back. Returns the number of rows or 'refused'. */
async function attempt({ role, id, aal = 'aal1' }: Actor, statement: string): Promise<number | 'refused'> {
  await backend.sql('begin')
  try {
    await backend.sql(
      `select set_config('request.jwt.claims', $1, true), set_config('request.jwt.claim.sub', $2, true)`,
      [JSON.stringify({ sub: id, session_id: id, role, aal }), id ?? ''],
    )
    // The storage service sets it; without it, a trigger of a hosted project refuses to delete rows.
    await backend.sql(`set local storage.allow_delete_query = 'true'`)
    await backend.sql(`set local role ${role}`)
    return (await backend.sql(`${statement} returning 1`.replace(/^(select .*) returning 1$/, '$1'))).length
  } catch (error) {
    // The code 42501 means a missing privilege, or a row that violates a policy.
    if ((error as { code?: string }).code === '42501') return 'refused'
    throw error
  } finally {
    await backend.sql('rollback')
  }
}

const actors = (): Record<string, Actor> => ({
  anon: { role: 'anon' },
  owner: { role: 'authenticated', id: owner },
  stranger: { role: 'authenticated', id: stranger },
  'guarded, first factor': { role: 'authenticated', id: guarded, ...secured },
  'guarded, second factor': { role: 'authenticated', id: guarded, aal: 'aal2' },
  'operator, first factor': { role: 'authenticated', id: operator, ...secured },
  'ended operator': { role: 'authenticated', id: ended, aal: 'aal2' },
  operator: { role: 'authenticated', id: operator, aal: 'aal2' },
  service: { role: 'service_role' },
})

const insert = (folder: string, name = `${hash('c')}.webp`, bucket = 'avatars') =>
  `insert into storage.objects (bucket_id, name) values ('${bucket}', '${folder}/${name}')`

test.each([
  ...['anon', 'owner', 'stranger', 'guarded, first factor', 'guarded, second factor'],
  ...['operator, first factor', 'ended operator', 'operator', 'service'],
])("the actor '%s' has only the expected rights to objects and buckets", async (name) => {
  const actor = actors()[name] as Actor
  const own = actor.id ?? owner
  const isMember = ['owner', 'stranger', 'guarded, second factor', 'ended operator', 'operator'].includes(
    name,
  )
  const isOperator = name === 'operator'
  const isService = name === 'service'
  const hasPicture = name === 'owner' || name === 'guarded, second factor'
  const visible = isService ? 3 : hasPicture || isOperator ? 1 : 0
  expect({
    select: await attempt(actor, 'select 1 from storage.objects'),
    insertOwn: await attempt(actor, insert(own)),
    insertOther: await attempt(actor, insert(own === owner ? stranger : owner)),
    insertOtherName: await attempt(actor, insert(own, 'picture.webp')),
    insertOtherType: await attempt(actor, insert(own, `${hash('c')}.svg`)),
    insertPool: await attempt(actor, insert('education', undefined, 'pools')),
    insertOwnInPools: await attempt(actor, insert(own, undefined, 'pools')),
    update: await attempt(actor, `update storage.objects set name = name`),
    delete: await attempt(actor, 'delete from storage.objects'),
    selectBucket: await attempt(actor, 'select 1 from storage.buckets'),
    insertBucket: await attempt(actor, `insert into storage.buckets (id, name) values ('x', 'x')`),
    updateBucket: await attempt(actor, 'update storage.buckets set public = false'),
  }).toEqual({
    select: visible,
    insertOwn: isMember || isService ? 1 : 'refused',
    insertOther: isService ? 1 : 'refused',
    insertOtherName: isService ? 1 : 'refused',
    insertOtherType: isService ? 1 : 'refused',
    insertPool: isService || isOperator ? 1 : 'refused',
    insertOwnInPools: isService ? 1 : 'refused',
    update: isService ? 3 : 0,
    // An operator can see the pictures of updates but cannot delete them.
    delete: isOperator ? 0 : visible,
    selectBucket: isService ? 3 : 0,
    insertBucket: isService ? 1 : 'refused',
    updateBucket: isService ? 3 : 0,
  })
})

test('stores at most 39 pictures that no update uses; pictures that an update uses do not count', async () => {
  const insertMany = (from: number, to: number) =>
    backend.sql(
      `insert into storage.objects (bucket_id, name)
       select 'pools', 'education/' || lpad(to_hex(at), 64, '0') || '.webp' from generate_series($1::int, $2::int) as at`,
      [from, to],
    )
  const attemptOne = () => attempt(actors().operator as Actor, insert('education', undefined, 'pools'))
  await insertMany(1, 38)
  expect(await attemptOne()).toBe(1)
  await insertMany(39, 39)
  expect(await attemptOne()).toBe('refused')
  const shown = `https://a.example/pictures/pools/education/${'1'.padStart(64, '0')}.webp#width=1&height=1&alt=x`
  await act(backend, 'update', null, {
    pool: 'education',
    text: 'Desks',
    dated: '2025-03-01T12:00:00Z',
    links: shown,
    person: 'no',
  })
  expect(await attemptOne()).toBe(1)

  await backend.sql(
    `update storage.objects set created_at = now() - interval '2 hours' where bucket_id = 'pools'`,
  )
  await backend.sql(
    `insert into public.operator_acts (kind, arguments, by) values ('update', $1, 'operator')`,
    [JSON.stringify({ links: shown.replace(/0{63}1/, `${'2'.padStart(64, '0')}`) })],
  )
  const orphans = await backend.sql<{ name: string }>('select public.orphaned_update_pictures() as name')
  expect(orphans.map(({ name }) => Number.parseInt(name.slice(10, 74), 16)).sort((a, b) => a - b)).toEqual(
    expect.arrayContaining([3, 39]),
  )
  expect(orphans).toHaveLength(38)
})

test('in every stage of a goal, every actor has only the expected rights to the pictures of the goal', async () => {
  // Each goal has one picture. An update of the hidden goal shows a second picture.
  const goals: Record<string, string> = {}
  const stages = ['draft', 'returned', 'submitted', 'rejected', 'open', 'ended', 'hidden', 'annulled']
  for (const [at, stage] of stages.entries()) {
    const id = randomUUID()
    goals[stage] = id
    const isPublic = ['open', 'ended', 'hidden', 'annulled'].includes(stage)
    await backend.sql(
      `insert into public.goals (
         id, member, stage, hidden, slug, picture_path, wallet, target_usd, opened_at, ends_at
       ) values ($1, $2, $3, $4, $5, $6, $7, 100, $8, $8)`,
      [
        ...[id, owner, stage === 'hidden' ? 'open' : stage, stage === 'hidden'],
        ...[stage === 'draft' ? null : `goal-bbbbbbb${'bcdfghjk'[at]}`, `${id}/${hash('a')}.webp`],
        ...[`0x${at.toString(16).padStart(40, '7')}`, isPublic ? 'now' : null],
      ],
    )
    await backend.sql(`insert into storage.objects (bucket_id, name) values ('goals', $1)`, [
      `${id}/${hash('a')}.webp`,
    ])
  }
  const outcomes: Record<string, string[]> = {}
  for (const [name, actor] of Object.entries(actors())) {
    const can = async (verb: string, stage: string) => {
      const where = `bucket_id = 'goals' and starts_with(name, '${goals[stage]}')`
      if (verb === 'see') return attempt(actor, `select 1 from storage.objects where ${where}`)
      if (verb === 'add') return attempt(actor, insert(goals[stage] ?? '', undefined, 'goals'))
      return attempt(actor, `delete from storage.objects where ${where}`)
    }
    for (const verb of ['see', 'add', 'remove']) {
      const allowed: string[] = []
      for (const stage of stages) if ((await can(verb, stage)) === 1) allowed.push(stage)
      outcomes[`${name}: ${verb}`] = allowed
    }
  }
  const shown = ['open', 'ended', 'annulled']
  const whileOpen = ['draft', 'returned', 'open', 'ended', 'hidden']
  const none = { add: [], remove: [] }
  const rules: Record<string, Record<string, string[]>> = {
    owner: { see: stages, add: whileOpen, remove: ['draft', 'returned'] },
    operator: { see: stages.slice(1), ...none },
    service: { see: stages, add: stages, remove: stages },
  }
  for (const name of Object.keys(actors()))
    for (const verb of ['see', 'add', 'remove'])
      expect([name, verb, outcomes[`${name}: ${verb}`]]).toEqual([
        ...[name, verb],
        (rules[name] ?? { see: shown, ...none })[verb],
      ])
})

test('the pictures of deleted drafts count, until the schedule removes them', async () => {
  const goal = randomUUID()
  // Without the triggers that limit pictures, and refuse to delete rows on a hosted project.
  const withoutTriggers = async (statement: string, params: unknown[]) => {
    await backend.sql('set session_replication_role = replica')
    await backend.sql(statement, params)
    await backend.sql('set session_replication_role = origin')
  }
  const remove = () =>
    withoutTriggers(`delete from storage.objects where bucket_id = 'goals' and owner_id = $1`, [guarded])
  const store = (id: string, from: number, to: number, size: number) =>
    withoutTriggers(
      `insert into storage.objects (bucket_id, name, owner_id, metadata)
       select 'goals', $1 || '/' || lpad(to_hex(at), 64, '0') || '.webp', $2, jsonb_build_object('size', $5::int)
       from generate_series($3::int, $4::int) as at`,
      [id, guarded, from, to, size],
    )
  const add = () =>
    attempt({ role: 'authenticated', id: guarded, aal: 'aal2' }, insert(goal, undefined, 'goals'))
  const begin = (id: string) =>
    backend.sql('insert into public.goals (id, member) values ($1, $2)', [id, guarded])
  await begin(goal)
  const gone = [randomUUID(), randomUUID(), randomUUID()]
  for (const id of gone) {
    await begin(id)
    expect(await add()).toBe(1)
    await store(id, 1, 20, 1000)
    await backend.sql('delete from public.goals where id = $1', [id])
  }
  expect(await add()).toBe('refused')
  const [orphans] = await backend.sql<{ count: number }>(
    'select count(*)::int as count from public.orphaned_goal_pictures() as name where split_part(name, $1, 1) = any($2)',
    ['/', gone],
  )
  expect(orphans?.count).toBe(60)
  await remove()
  await store(gone[0] ?? '', 1, 14, 2 * 1024 * 1024)
  expect(await add()).toBe('refused')
  // The pictures of a public goal do not count: two operators have approved it.
  await backend.sql(
    `insert into public.goals (id, member, stage, slug, wallet, target_usd, opened_at, ends_at)
     values ($1, $2, 'open', 'goal-zzzzzzzz', '0x' || repeat('9', 40), 100, now(), now())`,
    [gone[0], guarded],
  )
  expect(await add()).toBe(1)
  await remove()
})

test('these tests cover every bucket', async () => {
  const buckets = await backend.sql<{ id: string }>('select id from storage.buckets order by id')
  expect(buckets.map(({ id }) => id)).toEqual(['avatars', 'goals', 'pools'])
})
