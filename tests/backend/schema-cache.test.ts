import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryDataDir, temporaryFolder } from '../support/data-folder.ts'
import { startOn } from '../support/temporary-backend.ts'

let data: ReturnType<typeof temporaryFolder>
let migrations: ReturnType<typeof temporaryFolder>

beforeEach(async () => {
  data = await temporaryDataDir()
  migrations = temporaryFolder()
  migrate('20250101000000_first.sql', "create table public.notes (text text default 'a');")
})
afterEach(() => {
  data.remove()
  migrations.remove()
})

function migrate(name: string, text: string) {
  writeFileSync(join(migrations.path, name), text)
}

/** Starts a backend on the data folder and returns the response to one read. */
async function read(path: string): Promise<{ status: number; body: unknown }> {
  const backend = await startOn(data.path, { migrations: migrations.path })
  try {
    const headers = { apikey: backend.secretKey }
    const response = await fetch(`${backend.url}/rest/v1/${path}`, { headers })
    return { status: response.status, body: await response.json() }
  } finally {
    await backend.close()
  }
}

const file = () => join(data.path, 'pg', 'schema')

test('the second start reads the description of the schema from the data folder', async () => {
  expect(await read('notes')).toEqual({ status: 200, body: [] })
  // The database has this table. Only the file states that there is no such table.
  writeFileSync(file(), readFileSync(file(), 'utf8').replaceAll('"notes"', '"papers"'))
  expect(await read('notes')).toMatchObject({ status: 404, body: { code: 'PGRST205' } })
})

test('after a migration the API knows the new table', async () => {
  expect(await read('more_notes')).toMatchObject({ status: 404 })
  migrate('20250101000001_second.sql', 'create table public.more_notes (text text);')
  expect(await read('more_notes')).toEqual({ status: 200, body: [] })
})

test('a truncated or replaced schema file does no harm', async () => {
  await read('notes')
  const [name] = readFileSync(file(), 'utf8').split('\n')
  for (const text of ['', `${name}\n{`]) {
    writeFileSync(file(), text)
    expect(await read('notes')).toEqual({ status: 200, body: [] })
  }
})
