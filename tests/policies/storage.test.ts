import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUp, startTemporary, type TemporaryBackend } from '../support/temporary-backend.ts'

const hash = (digit: string) => digit.repeat(64)
const secured = { aal: 'aal1' }

let backend: TemporaryBackend
let owner: string
let stranger: string
/** The id of a member with a verified factor. */
let guarded: string
beforeAll(async () => {
  backend = await startTemporary()
  owner = (await signUp(backend, 'owner@example.org')).id
  stranger = (await signUp(backend, 'stranger@example.org')).id
  guarded = (await signUp(backend, 'guarded@example.org')).id
  await backend.sql(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
     values ($1, $2, 'totp', 'verified', now(), now())`,
    [randomUUID(), guarded],
  )
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

/** Runs SQL as the actor, in a transaction that is rolled back. Returns the number of rows, or 'refused'. */
async function attempt({ role, id, aal = 'aal1' }: Actor, statement: string): Promise<number | 'refused'> {
  await backend.sql('begin')
  try {
    await backend.sql(
      `select set_config('request.jwt.claims', $1, true), set_config('request.jwt.claim.sub', $2, true)`,
      [JSON.stringify({ sub: id, role, aal }), id ?? ''],
    )
    await backend.sql(`set local role ${role}`)
    return (await backend.sql(`${statement} returning 1`.replace(/^(select .*) returning 1$/, '$1'))).length
  } catch (error) {
    // 42501: a missing privilege, or a row that violates a policy.
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
  service: { role: 'service_role' },
})

const insert = (folder: string, name = `${hash('c')}.webp`, bucket = 'avatars') =>
  `insert into storage.objects (bucket_id, name) values ('${bucket}', '${folder}/${name}')`

test.each(['anon', 'owner', 'stranger', 'guarded, first factor', 'guarded, second factor', 'service'])(
  'objects and buckets as %s',
  async (name) => {
    const actor = actors()[name] as Actor
    const own = actor.id ?? owner
    const isMember = name === 'owner' || name === 'stranger' || name === 'guarded, second factor'
    const isService = name === 'service'
    const visible = isService ? 3 : name === 'owner' || name === 'guarded, second factor' ? 1 : 0
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
      insertPool: isService ? 1 : 'refused',
      insertOwnInPools: isService ? 1 : 'refused',
      update: isService ? 3 : 0,
      delete: visible,
      selectBucket: isService ? 2 : 0,
      insertBucket: isService ? 1 : 'refused',
      updateBucket: isService ? 2 : 0,
    })
  },
)
