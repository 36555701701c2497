import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type App, type Connection, setExperimental } from '@supabase/lite'
import { authTables } from './auth-tables.ts'
import type { Queue } from './queue.ts'
import { supabaseDir } from './settings.ts'

export interface Queries {
  query<T>(text: string, params?: unknown[]): Promise<{ rows: T[] }>
  /** Runs several SQL commands. */
  exec(text: string): Promise<void>
}

export interface Database extends Queries {
  /** Commits when `work` resolves and rolls back when it rejects. */
  transaction<T>(work: (transaction: Queries) => Promise<T>): Promise<T>
}

/** PGlite or a PostgreSQL server, with the same behaviour for both. */
export interface OpenDatabase extends Database {
  connection: Connection
  /** Always the same connection, so `begin` and `set` also apply to later queries. */
  session: Queries
  /** Whether the database is on a server that other programs may use too. */
  shared: boolean
  /** Runs requests one after another if the engine cannot run them concurrently. */
  queue: Queue
  /** Collects the planner's statistics if the engine does not do so itself. */
  analyze(): Promise<void>
  close(): Promise<void>
}

// Unless this is set before lite creates its schema, lite omits the tables of storage, which migrations use.
setExperimental('storage', true)

const migrationsDir = join(supabaseDir, 'migrations')

/** The database was made with other files than those of the folder of migrations. */
export class OtherSchema extends Error {
  constructor(file: string) {
    super(
      `The database was made with other migrations than this version has (${file}). Start it with the commit that made it, or set DATA_DIR to an empty folder (DATABASE_URL to an empty database)`,
    )
  }
}

/**
 * The roles and privileges that a hosted project has before its first migration. The default privileges are
 * included, so that the tests detect a migration that does not revoke them. Roles belong to the whole
 * cluster: another start, on a different database of the cluster, may have created them or may be creating
 * them now.
 */
const hostedBase = `
do $$
declare
  wanted text;
begin
  foreach wanted in array array['anon', 'authenticated', 'service_role bypassrls'] loop
    begin
      execute 'create role ' || wanted || ' nologin noinherit';
    exception when duplicate_object or unique_violation then null;
    end;
  end loop;
end $$;
grant usage on schema public to anon, authenticated, service_role;
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
`
/**
 * As on a hosted project, the roles may use the schema auth and have every privilege on the tables of
 * storage; row-level security restricts access to these tables.
 */
const schemaGrants = `
grant usage on schema auth to anon, authenticated, service_role;
grant usage on schema storage to anon, authenticated, service_role;
grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
`

/** The key of the lock against two starts that run one migration. The number is arbitrary. */
const migrationLock = 7_165_001

/**
 * Brings the database to the state of supabase/migrations. Throws an error for the operator if a server's
 * database contains tables of a different project, and OtherSchema if it was made with other migrations. If a
 * migration fails, throws an error with the name of its file and PostgreSQL's message.
 */
export async function migrate(app: App, database: OpenDatabase, folder = migrationsDir): Promise<void> {
  const { session } = database
  await session.query('select pg_advisory_lock($1)', [migrationLock])
  try {
    if (database.shared) await refuseForeignTables(session, folder)
    await session.exec(hostedBase)
    await app.ensureSystemSchema()
    await session.exec(schemaGrants)
    await session.exec(authTables)
    await applyMigrations(database, folder)
  } finally {
    await session.query('select pg_advisory_unlock($1)', [migrationLock])
  }
  skipGrants(database)
  skipCastSearch(database)
  if (database.shared) limitStatements(database)
}

/**
 * Runs the files of `folder` that the database lacks, and stores the hash of each file with its version. A file is not
 * changed after it was applied to a database that someone keeps (CONTRIBUTING.md), so another hash is refused.
 */
async function applyMigrations(database: OpenDatabase, folder: string): Promise<void> {
  await database.exec(
    'alter table supabase_migrations.schema_migrations add column if not exists sha256 text',
  )
  const { rows: applied } = await database.query<{ version: string; name: string; sha256: string | null }>(
    'select version, name, sha256 from supabase_migrations.schema_migrations order by version',
  )
  const files = migrationFiles(folder).map((path) => {
    const text = readFileSync(path, 'utf8')
    return { path, text, version: basename(path).slice(0, 14), sha256: sha256(text) }
  })
  const ofVersion = new Map(files.map((file) => [file.version, file]))
  const other = applied.find(({ version, sha256 }) => ofVersion.get(version)?.sha256 !== sha256)
  if (other) throw new OtherSchema(`${other.version}_${other.name}.sql`)
  await database.transaction(async (transaction) => {
    for (const { version } of applied) ofVersion.delete(version)
    for (const { path, text, version, sha256 } of ofVersion.values()) {
      try {
        await transaction.exec(text)
        await transaction.query(
          'insert into supabase_migrations.schema_migrations (version, name, statements, sha256) values ($1, $2, $3, $4)',
          [version, basename(path).slice(15, -4), [text], sha256],
        )
      } catch (error) {
        throw new Error(`Migration ${basename(path)} failed: ${(error as Error).message}`)
      }
    }
  })
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * Throws if the database contains a table that no migration creates, because `DATABASE_URL` then names the
 * database of a different project. Tables of extensions are ignored. If lite's table of migrations exists,
 * tables of lite's schemas are ignored too.
 */
async function refuseForeignTables(db: Queries, folder: string): Promise<void> {
  const { rows } = await db.query<{ name: string; managed: boolean }>(`
    select
      n.nspname || '.' || c.relname as name,
      n.nspname in ('auth', 'storage', 'supabase_migrations')
        and to_regclass('supabase_migrations.schema_migrations') is not null as managed
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'f') and n.nspname !~ '^(pg_|information_schema$)'
      and not exists (select from pg_depend where objid = c.oid and classid = 'pg_class'::regclass and deptype = 'e')
    order by 1`)
  const own = new Set(migrationFiles(folder).flatMap(createdTables))
  const foreign = rows.find(({ name, managed }) => !managed && !own.has(name))
  if (foreign)
    throw new Error(
      `The database holds ${foreign.name}, which is not a table of this project: give DATABASE_URL an empty database`,
    )
}

/** The paths of the migrations of a folder, in their order. */
function migrationFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => /^\d{14}_\w+\.sql$/.test(file))
    .sort()
    .map((file) => join(folder, file))
}

/** The names of the tables that a migration creates, with their schema. */
function createdTables(path: string): string[] {
  const names = readFileSync(path, 'utf8').matchAll(/\bcreate table (?:if not exists )?([\w.]+)/gi)
  return [...names].map(([, name = '']) => (name.includes('.') ? name : `public.${name}`).toLowerCase())
}

/**
 * At its first request on a database with row-level security, lite grants every privilege on every table to
 * anon and authenticated. These grants undo the revokes of the migrations. lite skips this step if `rlsState`
 * is 'active'.
 */
function skipGrants({ connection }: OpenDatabase) {
  ;(connection as unknown as { rlsState: string }).rlsState = 'active'
}

/**
 * At each request lite searches the definition of every view for casts, to find the types of the view's
 * columns. The search took a quarter of the time of a request, and is not needed, because PostgreSQL has
 * already reported the types. lite also reads the definition when a view joins two embedded tables, but no
 * request of the site does so.
 */
function skipCastSearch({ connection }: OpenDatabase) {
  const { introspect } = connection
  connection.introspect = async (options) => {
    const schema = await introspect.call(connection, options)
    for (const view of schema.views) view.sql = ''
    return schema
  }
}

/** The time limits of the roles of a hosted project. The service has that of PostgREST's own role. */
const timeLimits: Record<string, string> = { anon: '3s', authenticated: '8s', service_role: '8s' }

interface Running {
  executeQuery(query: {
    sql: string
    parameters: unknown[]
    query: object
    queryId: object
  }): Promise<unknown>
}

interface RoleSetting {
  applyJwtSessionContext(running: Running, context: { auth?: { role?: string } }, sets: boolean): unknown
}

/** Ends a statement of the API after the time limit of its role. PGlite cannot interrupt a statement. */
function limitStatements({ connection }: OpenDatabase) {
  const setting = connection as unknown as RoleSetting
  const apply = setting.applyJwtSessionContext
  setting.applyJwtSessionContext = async (running, context, sets) => {
    await apply.call(connection, running, context, sets)
    const limit = timeLimits[context.auth?.role ?? 'anon']
    if (!limit) return
    const text = `set local statement_timeout = '${limit}'`
    await running.executeQuery({ sql: text, parameters: [], query: { kind: 'RawNode' }, queryId: {} })
  }
}
