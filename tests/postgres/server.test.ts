import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterEach, expect, test } from 'vitest'
import { demoMember } from '../../supabase/embedded/demo.ts'
import { readKeys, spawnEmbedded } from '../support/child.ts'
import { temporaryFolder } from '../support/data-folder.ts'
import { createDatabase } from '../support/postgres.ts'
import { clientOf, signUp, startOn, startTemporary, transaction } from '../support/temporary-backend.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function newDatabase() {
  const { url, drop } = await createDatabase(process.env.TEST_POSTGRES_URL as string)
  cleanUps.push(drop)
  return url
}

function newFolder() {
  const folder = temporaryFolder()
  cleanUps.push(folder.remove)
  return folder.path
}

async function start(databaseUrl: string, more = {}) {
  const backend = await startOn(newFolder(), { databaseUrl, ...more })
  cleanUps.push(() => backend.close())
  return backend
}

async function run(url: string, statements: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe(statements)
  await sql.end()
}

test('runs on the server that databaseUrl specifies, and finds the rows again after a restart', async () => {
  const url = await newDatabase()
  const dataDir = newFolder()
  const first = await start(url, { dataDir })
  const [version] = await first.sql<{ version: string }>('select version()')
  expect(version?.version).toMatch(/^PostgreSQL \d+\.\d+ /)
  await signUp(first, 'kept@example.org')
  await first.close()
  const second = await start(url, { dataDir })
  const { error } = await clientOf(second).auth.signInWithPassword({
    email: 'kept@example.org',
    password: 'correct horse',
  })
  expect(error).toBeNull()
})

test('refuses a database with a table that no migration creates, and leaves it unchanged', async () => {
  const empty = await newDatabase()
  await run(empty, 'create table public.invoices (id int)')
  await expect(start(empty)).rejects.toThrow(
    /^The database holds public\.invoices, which is not a table of this project: give DATABASE_URL an empty database$/,
  )
  const sql = postgres(empty, { max: 1 })
  expect(
    await sql`select nspname from pg_namespace where nspname in ('auth', 'private', 'supabase_migrations')`,
  ).toHaveLength(0)
  await sql.end()

  // Another program's auth schema could pass as ours: `create table if not exists` skips it.
  const other = await newDatabase()
  await run(other, 'create schema auth; create table auth.users (name text)')
  await expect(start(other)).rejects.toThrow(/^The database holds auth\.users, /)

  const own = await newDatabase()
  await (await start(own)).close()
  await run(own, 'create table public.invoices (id int)')
  await expect(start(own)).rejects.toThrow(/^The database holds public\.invoices, /)
})

test('reports an unreachable server in one line, without the password', async () => {
  const child = spawnEmbedded(newFolder(), { DATABASE_URL: 'postgresql://me:secret-word@127.0.0.1:9/x' })
  expect(await child.exited).toBe(1)
  expect(child.output()).toBe(
    'DATABASE_URL: the database cannot be opened (connect ECONNREFUSED 127.0.0.1:9)\n',
  )
})

test('applies each migration once when two processes start on an empty database', async () => {
  const url = await newDatabase()
  const [first] = await Promise.all([start(url), start(url)])
  const rows = await first.sql('select version from supabase_migrations.schema_migrations')
  expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length)
  expect(rows.length).toBeGreaterThan(4)
})

test('concurrent requests of two members read only their own rows', async () => {
  const backend = await startTemporary()
  cleanUps.push(() => backend.close())
  const members = [
    await signUp(backend, 'a@example.org', 'Member A'),
    await signUp(backend, 'b@example.org', 'Member B'),
  ]
  const reads = Array.from({ length: 60 }, async (_, i) => {
    const member = members[i % 2] as (typeof members)[0]
    const { data } = await member.client.from('profiles').select('id')
    return data?.length === 1 && data[0]?.id === member.id
  })
  expect((await Promise.all(reads)).filter((own) => !own)).toHaveLength(0)
})

test('starts with the demonstration', async () => {
  const backend = await startTemporary({ demo: true })
  cleanUps.push(() => backend.close())
  expect((await clientOf(backend).auth.signInWithPassword(demoMember)).error).toBeNull()
})

test('a kill -9 of the backend loses no acknowledged row', async () => {
  const dataDir = newFolder()
  const DATABASE_URL = await newDatabase()
  let child = spawnEmbedded(dataDir, { DATABASE_URL })
  let url = await child.ready
  const { secretKey } = readKeys(dataDir)
  const headers = { apikey: secretKey, 'content-type': 'application/json' }
  const acknowledged: string[] = []
  const writing = Promise.allSettled(
    Array.from({ length: 60 }, async () => {
      const row = transaction()
      const body = JSON.stringify({ entries: [row] })
      const { ok } = await fetch(`${url}/rest/v1/rpc/append_ledger`, { method: 'POST', headers, body })
      if (ok) acknowledged.push(row.tx_hash)
    }),
  )
  while (acknowledged.length < 15) await sleep(1)
  child.kill('SIGKILL')
  await writing
  child = spawnEmbedded(dataDir, { DATABASE_URL })
  url = await child.ready
  const response = await fetch(`${url}/rest/v1/transactions?select=tx_hash`, { headers })
  const kept = ((await response.json()) as { tx_hash: string }[]).map((row) => row.tx_hash)
  expect(acknowledged.filter((hash) => !kept.includes(hash))).toEqual([])
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})
