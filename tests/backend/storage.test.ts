import { createHash } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { readKeys, spawnEmbedded } from '../support/child.ts'
import { temporaryDataDir } from '../support/data-folder.ts'
import { signUp, startTemporary } from '../support/temporary-backend.ts'

const backend = await startTemporary()
const member = await signUp(backend, 'pictures@example.org')
const other = await signUp(backend, 'others@example.org')
afterAll(() => backend.close())

const bytes = (size: number, fill = 7) => new Uint8Array(size).fill(fill)
const nameOf = (id: string, content: Uint8Array, type = 'webp') =>
  `${id}/${createHash('sha256').update(content).digest('hex')}.${type}`

interface Call {
  token?: string
  headers?: Record<string, string>
}

async function call(method: string, path: string, body?: BodyInit, { token, headers }: Call = {}) {
  const response = await fetch(`${backend.url}/storage/v1${path}`, {
    method,
    body,
    headers: {
      apikey: backend.publishableKey,
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
  })
  return { status: response.status, response, body: new Uint8Array(await response.arrayBuffer()) }
}

const upload = (name: string, content: Uint8Array, { token = member.token, type = 'image/webp' } = {}) =>
  call('POST', `/object/avatars/${name}`, content as BodyInit, {
    token,
    headers: { 'content-type': type, 'cache-control': 'max-age=3600' },
  })
const statusCode = ({ body }: { body: Uint8Array }) => JSON.parse(new TextDecoder().decode(body)).statusCode

test('a member adds a picture to their own folder, and anyone can read the picture by its URL', async () => {
  const content = bytes(1000)
  const name = nameOf(member.id, content)
  expect((await upload(name, content)).status).toBe(200)
  const read = await call('GET', `/object/public/avatars/${name}`)
  expect(read.status).toBe(200)
  expect(read.body).toEqual(content)
  expect(read.response.headers.get('content-type')).toBe('image/webp')
  expect(read.response.headers.get('cache-control')).toBe('max-age=3600')
  // Pictures are immutable: a second upload with the same name is refused, even as an upsert.
  expect(statusCode(await upload(name, content))).toBe('409')
  const upsert = { token: member.token, headers: { 'content-type': 'image/webp', 'x-upsert': 'true' } }
  expect((await call('POST', `/object/avatars/${name}`, content as BodyInit, upsert)).status).toBe(400)
})

test('unmodified supabase-js uploads, reads and removes a picture', async () => {
  const content = bytes(500, 9)
  const name = nameOf(member.id, content)
  const bucket = member.client.storage.from('avatars')
  expect((await bucket.upload(name, new Blob([content], { type: 'image/webp' }))).error).toBeNull()
  const { data } = await bucket.download(name)
  expect(new Uint8Array((await data?.arrayBuffer()) ?? [])).toEqual(content)
  expect((await bucket.remove([name])).data).toHaveLength(1)
  expect((await call('GET', `/object/public/avatars/${name}`)).status).toBe(400)
})

test.each([
  ['into the folder of another member', () => nameOf(other.id, bytes(10)), {}, '403'],
  ['without a session', () => nameOf(member.id, bytes(10)), { token: '' }, '403'],
  ['under a name that is not a hash', () => `${member.id}/me.webp`, {}, '403'],
  ['of a file that is not a picture', () => nameOf(member.id, bytes(10)), { type: 'text/html' }, '415'],
  ['outside every folder', () => 'picture.webp', {}, '403'],
])('refuses an upload %s', async (_, name, options, code) => {
  const refused = await upload(name(), bytes(10), options)
  expect(refused.status).toBe(400)
  expect(statusCode(refused)).toBe(code)
})

test('measures an upload without a declared length', async () => {
  const content = bytes(2 * 1024 * 1024 + 1)
  const chunks = new ReadableStream({
    start(controller) {
      controller.enqueue(content)
      controller.close()
    },
  })
  const response = await fetch(`${backend.url}/storage/v1/object/avatars/${nameOf(member.id, content)}`, {
    method: 'POST',
    body: chunks,
    duplex: 'half',
    headers: {
      apikey: backend.publishableKey,
      authorization: `Bearer ${member.token}`,
      'content-type': 'image/webp',
    },
  } as RequestInit)
  expect(response.status).toBe(400)
  // The real service measures only a declared length, so the row is refused.
  const code = process.env.POSTGREST_BIN ? '403' : '413'
  expect(((await response.json()) as { statusCode: string }).statusCode).toBe(code)
  expect((await call('GET', `/object/public/avatars/${nameOf(member.id, content)}`)).status).toBe(400)
})

const countOf = async (id: string) =>
  (
    await backend.sql<{ count: number }>(`select count(*)::int from storage.objects where name like $1`, [
      `${id}/%`,
    ])
  )[0]?.count

test('a member can store at most 20 pictures, and can store another picture after removing one of them', async () => {
  const { id, token, client } = await signUp(backend, 'collector@example.org')
  const names = Array.from({ length: 25 }, (_, at) => nameOf(id, bytes(10, at)))
  const results = []
  for (const [at, name] of names.entries()) results.push(await upload(name, bytes(10, at), { token }))
  expect(results.map(({ status }) => status)).toEqual([...Array(20).fill(200), ...Array(5).fill(400)])
  expect(statusCode(results[20] as { body: Uint8Array })).toBe('403')
  expect(await countOf(id)).toBe(20)
  await client.storage.from('avatars').remove([names[0] ?? ''])
  expect((await upload(names[20] ?? '', bytes(10, 20), { token })).status).toBe(200)
  // The limit does not affect another member.
  expect((await upload(nameOf(other.id, bytes(11)), bytes(11), { token: other.token })).status).toBe(200)
})

test('uploads at the same time pass no limit', async () => {
  const { id, token } = await signUp(backend, 'hasty@example.org')
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, at) => upload(nameOf(id, bytes(10, at)), bytes(10, at), { token })),
  )
  const refused = results.filter(({ status }) => status !== 200)
  expect(new Set(refused.map(statusCode))).toEqual(new Set(['403']))
  expect([refused.length, await countOf(id)]).toEqual([20, 20])
})

test('a member can store at most 10 MiB of pictures', async () => {
  const { id, token } = await signUp(backend, 'heavy@example.org')
  const size = 1_900_000
  const results = []
  for (let at = 0; at < 7; at++) {
    const content = bytes(size, at)
    results.push((await upload(nameOf(id, content), content, { token })).status)
  }
  expect(results).toEqual([...Array(5).fill(200), 400, 400])
  const [{ sum } = { sum: 0 }] = await backend.sql<{ sum: number }>(
    `select sum((metadata ->> 'size')::bigint)::int from storage.objects where name like $1`,
    [`${id}/%`],
  )
  expect(sum).toBe(5 * size)
})

test('the token of a deleted member cannot be used to store a picture', async () => {
  const { id, token } = await signUp(backend, 'deleted@example.org')
  await backend.sql('delete from auth.users where id = $1', [id])
  const refused = await upload(nameOf(id, bytes(12)), bytes(12), { token })
  expect([refused.status, statusCode(refused)]).toEqual([400, '403'])
  expect(await countOf(id)).toBe(0)
})

test('a member neither sees nor removes the pictures of another member', async () => {
  const content = bytes(20, 3)
  const name = nameOf(other.id, content)
  expect((await upload(name, content, { token: other.token })).status).toBe(200)
  expect((await member.client.storage.from('avatars').remove([name])).data).toEqual([])
  expect((await call('GET', `/object/public/avatars/${name}`)).status).toBe(200)
  expect((await call('GET', `/object/avatars/${name.replace(other.id, '..%2f..')}`)).status).toBe(400)
})

test('a profile can use only a picture in the folder of its member, and the sweep finds the pictures that no profile uses', async () => {
  const content = bytes(30, 4)
  const name = nameOf(member.id, content)
  await upload(name, content)
  const save = (avatar_path: string | null) =>
    member.client.from('profiles').update({ avatar_path }).eq('id', member.id).select('avatar_path')
  expect((await save(name)).data).toEqual([{ avatar_path: name }])
  expect((await save(nameOf(other.id, content))).error).toMatchObject({ code: '23514' })
  expect((await save(`${member.id}/../x.webp`)).error).toMatchObject({ code: '23514' })

  await backend.sql(`update storage.objects set created_at = now() - interval '2 hours'`)
  const orphans = (await backend.sql<{ name: string }>('select public.orphaned_pictures() as name')).map(
    (row) => row.name,
  )
  expect(orphans).not.toContain(name)
  expect(orphans).toContain(nameOf(other.id, bytes(20, 3)))
  expect((await member.client.rpc('orphaned_pictures' as never)).error).not.toBeNull()
})

test('a kill loses no acknowledged picture, and the next start removes incomplete files', async () => {
  const folder = await temporaryDataDir()
  let child = spawnEmbedded(folder.path)
  let url = await child.ready
  const { publishableKey } = readKeys(folder.path)
  const headers = { apikey: publishableKey, 'content-type': 'application/json' }
  const account = { email: 'kill@example.org', password: 'correct horse', data: { username: 'Kill' } }
  const signedUp = await fetch(`${url}/auth/v1/signup`, {
    method: 'POST',
    headers,
    body: JSON.stringify(account),
  })
  const { access_token, user } = (await signedUp.json()) as { access_token: string; user: { id: string } }
  const kept: string[] = []
  const uploads = Promise.allSettled(
    Array.from({ length: 30 }, async (_, i) => {
      const name = nameOf(user.id, bytes(50_000, i))
      const response = await fetch(`${url}/storage/v1/object/avatars/${name}`, {
        method: 'POST',
        headers: {
          apikey: publishableKey,
          authorization: `Bearer ${access_token}`,
          'content-type': 'image/webp',
        },
        body: bytes(50_000, i),
      })
      if (response.ok) kept.push(name)
    }),
  )
  while (kept.length < 5) await sleep(1)
  child.kill('SIGKILL')
  await uploads
  await child.exited
  writeFileSync(join(folder.path, 'files', '.temporary'), 'left by a kill')

  child = spawnEmbedded(folder.path)
  url = await child.ready
  for (const name of kept) {
    const response = await fetch(`${url}/storage/v1/object/public/avatars/${name}`)
    expect(response.status).toBe(200)
    expect((await response.arrayBuffer()).byteLength).toBe(50_000)
  }
  const files = readdirSync(join(folder.path, 'files'))
  expect(files).not.toContain('.temporary')
  expect(files.length).toBeGreaterThanOrEqual(kept.length)
  child.kill('SIGTERM')
  await child.exited
  folder.remove()
})
