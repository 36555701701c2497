import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migratedDataDir, temporaryDataDir, temporaryFolder } from '../support/data-folder.ts'
import { startOn } from '../support/temporary-backend.ts'

test('a failing migration is rolled back; a migration that is added between two starts is applied once, and keeps the rows', async () => {
  const data = await temporaryDataDir()
  const migrations = temporaryFolder()
  const write = (file: string, text: string) => writeFileSync(join(migrations.path, file), text)
  const start = () => startOn(data.path, { migrations: migrations.path })
  try {
    write('20250101000000_first.sql', 'create table public.first (id int primary key);')
    write('20250101000001_second.sql', 'create table public.second (id int);\nselect * from public.absent;')
    await expect(start()).rejects.toThrow(
      /^Migration 20250101000001_second\.sql failed: relation "public\.absent" does not exist$/,
    )

    write(
      '20250101000001_second.sql',
      `create table public.second (id int);\ninsert into public.second values (7);`,
    )
    write('notes.md', 'not a migration')
    const repaired = await start()
    expect(await repaired.sql('select id from public.second')).toEqual([{ id: 7 }])
    await repaired.close()

    write(
      '20250101000002_third.sql',
      "alter table public.second add column name text not null default 'added';",
    )
    for (const _ of [1, 2]) {
      const again = await start()
      expect(await again.sql('select * from public.second')).toEqual([{ id: 7, name: 'added' }])
      expect(
        await again.sql('select version, name from supabase_migrations.schema_migrations order by 1'),
      ).toEqual([
        { version: '20250101000000', name: 'first' },
        { version: '20250101000001', name: 'second' },
        { version: '20250101000002', name: 'third' },
      ])
      await again.close()
    }
  } finally {
    data.remove()
    migrations.remove()
  }
})

test('no column or function of the API has an array of a custom type, which PGlite would return as text', async () => {
  const data = await migratedDataDir()
  const backend = await startOn(data.path)
  try {
    const own = await backend.sql(`
      select relname || '.' || attname as place from pg_attribute
      join pg_class on pg_class.oid = attrelid and relnamespace = 'public'::regnamespace
      join pg_type on pg_type.oid = atttypid and typcategory = 'A' and pg_type.oid >= 10000
      union all
      select proname from pg_proc
      join pg_type on pg_type.oid = any (array[prorettype] || coalesce(proallargtypes, '{}'))
        and typcategory = 'A' and pg_type.oid >= 10000
      where pronamespace = 'public'::regnamespace`)
    expect(own).toEqual([])
  } finally {
    await backend.close()
    data.remove()
  }
})
