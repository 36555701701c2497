import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { deployFaults } from '../../scripts/deploy.ts'
import { startEmbedded } from '../../supabase/embedded/embedded.ts'
import { supabaseDir } from '../../supabase/embedded/settings.ts'
import { migratedDataDir, temporaryDataDir, temporaryFolder } from '../support/data-folder.ts'
import { startOn, startTemporary } from '../support/temporary-backend.ts'

const sha256Of = (file: string) =>
  createHash('sha256')
    .update(readFileSync(join(supabaseDir, 'migrations', file)))
    .digest('hex')

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

test('a database that was made with other migrations is refused with what to do, and does not change', async () => {
  const data = await temporaryDataDir()
  const migrations = temporaryFolder()
  const first = join(migrations.path, '20250101000000_first.sql')
  const start = () => startOn(data.path, { migrations: migrations.path })
  const refusal =
    /made with other migrations than this version has \(20250101000000_first\.sql\)\. Start it with the commit that made it, or set DATA_DIR to an empty folder/
  try {
    writeFileSync(first, 'create table public.first (id int);')
    const made = await start()
    await made.sql('insert into public.first values (7)')
    await made.close()

    writeFileSync(first, 'create table public.first (id int, name text);')
    await expect(start()).rejects.toThrow(refusal)
    rmSync(first)
    await expect(start()).rejects.toThrow(refusal)

    writeFileSync(first, 'create table public.first (id int);')
    const again = await start()
    expect(await again.sql('select * from public.first')).toEqual([{ id: 7 }])
    // As commit 5e60d2bb and the versions before it left a database.
    await again.sql('update supabase_migrations.schema_migrations set sha256 = null')
    await again.close()
    await expect(start()).rejects.toThrow(refusal)
  } finally {
    data.remove()
    migrations.remove()
  }
})

test('the demonstration of another version or day is made again, and a folder with other data is kept', async () => {
  const data = await migratedDataDir()
  const options = { dataDir: data.path, port: 0, mailPort: 0, siteUrl: 'http://127.0.0.1:8787' }
  const start = async (demo: boolean) => startEmbedded({ ...options, demo, log: (line) => lines.push(line) })
  const lines: string[] = []
  const age = `update supabase_migrations.schema_migrations set sha256 = 'another' where version = '20260101000200'`
  try {
    const own = await start(false)
    await own.sql(age)
    await own.close()
    await expect(start(true)).rejects.toThrow(/20260101000200_ledger\.sql/)

    const repaired = await PGlite.create(join(data.path, 'pg'))
    await repaired.exec(
      `update supabase_migrations.schema_migrations set sha256 = '${sha256Of('20260101000200_ledger.sql')}' where sha256 = 'another'`,
    )
    await repaired.close()
    const demo = await start(true)
    await demo.sql(age)
    await demo.sql(`update public.profiles set username = 'Changed' where username = 'Demo Member'`)
    await demo.close()
    await expect(start(false)).rejects.toThrow(/20260101000200_ledger\.sql/)

    const again = await start(true)
    expect(lines).toEqual(['The demonstration of another version is made again.'])
    expect(await again.sql(`select from public.profiles where username = 'Demo Member'`)).toHaveLength(1)
    await again.sql(`update private.ledger_scans set scanned_at = scanned_at - interval '1 day'`)
    await again.close()
    const today = await start(true)
    expect(lines.slice(1)).toEqual(['The demonstration of another day is made again.'])
    expect(await today.sql(`select from private.ledger_scans`)).toHaveLength(1)
    await today.close()
  } finally {
    data.remove()
  }
})

test('a deployment is refused for keys of the wrong kind or project, and for migrations that differ, without a digit of a key', async () => {
  const backend = await startTemporary({}, 'pglite')
  try {
    const jwt = (claims: object) =>
      ['{"alg":"HS256"}', JSON.stringify(claims), 'sign']
        .map((part) => Buffer.from(part).toString('base64url'))
        .join('.')
    const right = {
      SITE_URL: 'https://site.example',
      CONTACT_EMAIL: 'hello@site.example',
      SUPABASE_URL: backend.url,
      SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
      SUPABASE_SECRET_KEY: backend.secretKey,
    }
    const faultsOf = async (changes: object = {}, isBackedUp = true) => {
      const given: Record<string, string> = { ...right, ...changes }
      const faults = await deployFaults(given, { hasSecrets: true, isBackedUp })
      for (const key of [given.SUPABASE_SECRET_KEY, given.SUPABASE_PUBLISHABLE_KEY, given.LOG_KEY])
        if (key) expect(faults.join()).not.toContain(key.slice(12, 20))
      return faults.join('\n')
    }
    expect(await faultsOf()).toBe('')
    for (const [changes, fault] of [
      [{ SITE_URL: '' }, /^SITE_URL is missing/],
      [
        { SITE_URL: 'http://127.0.0.1:8787' },
        /^SITE_URL is http:\/\/127\.0\.0\.1:8787: it must be the https/,
      ],
      [{ SITE_URL: 'http://site.example' }, /it must be the https address/],
      [{ SUPABASE_SECRET_KEY: right.SUPABASE_PUBLISHABLE_KEY }, /^SUPABASE_SECRET_KEY is a publishable key/],
      [{ SUPABASE_PUBLISHABLE_KEY: right.SUPABASE_SECRET_KEY }, /^SUPABASE_PUBLISHABLE_KEY is a secret key/],
      [{ SUPABASE_SECRET_KEY: jwt({ role: 'anon' }) }, /^SUPABASE_SECRET_KEY is a publishable key/],
      [
        { SUPABASE_SECRET_KEY: jwt({ role: 'service_role', exp: 1 }) },
        /^SUPABASE_SECRET_KEY is a secret key that has expired$/,
      ],
      [
        {
          SUPABASE_URL: 'https://abcdefgh.supabase.co',
          SUPABASE_PUBLISHABLE_KEY: jwt({ role: 'anon', ref: 'another' }),
          SUPABASE_SECRET_KEY: jwt({ role: 'service_role', ref: 'another' }),
        },
        /^SUPABASE_PUBLISHABLE_KEY is a publishable key of another project\nSUPABASE_SECRET_KEY is a secret key of another project$/,
      ],
      [
        { SUPABASE_SECRET_KEY: `sb_secret_${'0'.repeat(31)}` },
        /^SUPABASE_SECRET_KEY is a secret key of another project, or one/,
      ],
      [{ SUPABASE_SECRET_KEY: 'a key of something else' }, /^SUPABASE_SECRET_KEY is no key of a project$/],
      [
        { PAYER_KEY: `0x${'1'.repeat(64)}`, CHAIN_RPC_URLS: 'https://rpc.example' },
        /CHAIN_RPC_URLS: must be two or more/,
      ],
    ] as const)
      expect(await faultsOf(changes)).toMatch(fault)
    expect(await faultsOf({ LOG_KEY: backend.logKey }, false)).toMatch(/^LOG_KEY: without a copy/)
    expect(await faultsOf({ LOG_KEY: backend.logKey })).toBe('')

    const versions = 'supabase_migrations.schema_migrations'
    await backend.sql(
      `update ${versions} set statements = array['select 1;'] where version = '20260101000720'`,
    )
    await backend.sql(`update ${versions} set version = '20990101000000' where version = '20260101000900'`)
    expect((await faultsOf()).split('\n')).toEqual([
      expect.stringMatching(/^The migration 20260101000720_votes\.sql is not the file that was applied/),
      expect.stringMatching(
        /^The database lacks the migration 20260101000900_published\.sql: npx supabase@3\.1\.0 db push --remote/,
      ),
      expect.stringMatching(/^The database has the migration 20990101000000, which no file has/),
    ])
    // As the command of the Supabase CLI stores them: in pieces, without white space and semicolons at their ends.
    const file = readFileSync('supabase/migrations/20260101000720_votes.sql', 'utf8')
    const pieces = file.split(/;\s*\n/).map((piece) => piece.trim())
    await backend.sql(`update ${versions} set statements = $1 where version = '20260101000720'`, [pieces])
    expect(await faultsOf()).not.toContain('20260101000720')
  } finally {
    await backend.close()
  }
})
