import { cpSync, globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { requestKey } from '../../app/request-key.ts'
import { supabaseDir } from '../../supabase/embedded/settings.ts'
import { catalogOf, rowsOf } from '../support/catalog.ts'
import { migratedDataDir, temporaryDataDir, temporaryFolder } from '../support/data-folder.ts'
import { czCall, signUp, startOn, transaction } from '../support/temporary-backend.ts'

const history = join(supabaseDir, 'history')

const folders: { remove: () => void }[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove()
})

function kept<T extends { path: string; remove: () => void }>(folder: T): string {
  folders.push(folder)
  return folder.path
}

const versions = 'select version, name from supabase_migrations.schema_migrations order by version'

test('a database from the folded migrations gets the catalog of a new one, and no row changes', async () => {
  const path = kept(await temporaryDataDir())
  const before = await startOn(path, { migrations: history })
  const firstRows = await rowsOf(before)
  // The start on this project's own migrations stores the key of the requests that the site signs.
  delete firstRows['private.request_key']
  await before.sql('select public.keep_request_key($1)', [await requestKey(before.secretKey)])
  await signUp(before, 'member@example.com')
  const { sql } = before
  await sql('select public.append_ledger($1)', [JSON.stringify([transaction({ note: 'A note' })])])
  await sql('select public.append_statement($1)', [JSON.stringify(czCall({ confirmed_by: 'Its source' }))])
  const rows = await rowsOf(before)
  expect(rows['private.log_entries']).toHaveLength(2)
  // An added file may add kinds of acts.
  delete rows['private.act_kinds']
  delete firstRows['private.act_kinds']
  await before.close()

  const updated = await startOn(path)
  const created = await startOn(kept(await migratedDataDir()))
  try {
    const catalog = await catalogOf(created)
    expect(Object.keys(catalog).length).toBeGreaterThan(1_000)
    expect(await catalogOf(updated)).toEqual(catalog)
    expect(await updated.sql(versions)).toEqual(await created.sql(versions))
    expect(await rowsOf(updated)).toMatchObject(rows)
    const kinds = 'private.act_kinds'
    expect((await rowsOf(updated))[kinds]).toEqual((await rowsOf(created))[kinds])
    for (const [table, first] of Object.entries(firstRows))
      if (!table.startsWith('storage.')) expect((await rowsOf(created))[table], table).toMatchObject(first)
  } finally {
    await updated.close()
    await created.close()
  }
})

test('a database from before the oldest release is refused with the next step, and does not change', async () => {
  const earlier = kept(temporaryFolder())
  for (const file of globSync(join(history, '202511*.sql'))) cpSync(file, join(earlier, basename(file)))
  const path = kept(await temporaryDataDir())
  await (await startOn(path, { migrations: earlier })).close()
  await expect(startOn(path)).rejects.toThrow(/start it once with commit d2b64cbb/)
  const again = await startOn(path, { migrations: earlier })
  try {
    expect(await again.sql(versions)).toHaveLength(15)
  } finally {
    await again.close()
  }
})
