import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '@supabase/lite'
import { createPgliteConnection, type PgliteConnection } from '@supabase/lite/pglite'
import { AUTH_TABLES } from './auth-tables.ts'
import { supabaseDir } from './settings.ts'

const INT8 = 20
const NUMERIC = 1700
const TIMESTAMP = 1114
const TIMESTAMPTZ = 1184

// What a hosted project has before its first migration. Its default privileges are part of it, so that a
// migration that forgets to revoke is found here and not in production.
const HOSTED_BASE = `
do $$ begin
  if not exists (select from pg_roles where rolname = 'anon') then
    create role anon nologin noinherit;
    create role authenticated nologin noinherit;
    create role service_role nologin noinherit bypassrls;
    grant usage on schema public to anon, authenticated, service_role;
    alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
    alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
    alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
  end if;
end $$;
`
const AUTH_USAGE = 'grant usage on schema auth to anon, authenticated, service_role'

/** Opens PGlite, in memory without a folder. Values come out as a hosted project's JSON has them. */
export async function openDatabase(folder?: string): Promise<PgliteConnection> {
  const connection = await createPgliteConnection({
    url: folder ?? 'memory://',
    pgliteOptions: {
      parsers: {
        [INT8]: Number,
        [NUMERIC]: Number,
        [TIMESTAMP]: (value: string) => value.replace(' ', 'T'),
        [TIMESTAMPTZ]: (value: string) => value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'),
      },
    },
  })
  await connection.driver.waitReady
  return connection
}

/** Brings the database to the state of supabase/migrations; a failing file is named, with Postgres's message. */
export async function migrate(
  app: App,
  connection: PgliteConnection,
  folder = join(supabaseDir, 'migrations'),
): Promise<void> {
  const db = connection.driver
  await db.exec(HOSTED_BASE)
  await app.ensureSystemSchema()
  await db.exec(AUTH_USAGE)
  await db.exec(AUTH_TABLES)

  const { rows } = await db.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations',
  )
  const applied = new Set(rows.map((row) => row.version))
  const files = readdirSync(folder).filter((file) => /^\d{14}_\w+\.sql$/.test(file))
  for (const file of files.sort()) {
    const version = file.slice(0, 14)
    if (applied.has(version)) continue
    const text = readFileSync(join(folder, file), 'utf8')
    try {
      await db.transaction(async (transaction) => {
        await transaction.exec(text)
        await transaction.query(
          'insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)',
          [version, file.slice(15, -4), [text]],
        )
      })
    } catch (error) {
      throw new Error(`Migration ${file} failed: ${(error as Error).message}`)
    }
  }
  neverGrantAll(connection)
}

/**
 * At its first request on a database with row-level security, lite grants every privilege on every table
 * to anon and authenticated, over whatever the migrations revoked. It skips that once it believes it is done.
 */
function neverGrantAll(connection: PgliteConnection) {
  ;(connection as unknown as { rlsState: string }).rlsState = 'active'
}
