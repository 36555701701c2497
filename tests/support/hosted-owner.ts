import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { migrateAuth, migrateStorage, type Programs } from './hosted-services.ts'
import { onCluster } from './postgres.ts'

/** Does a statement that another database of the cluster may have done: roles belong to the whole cluster. */
const once = (statement: string) =>
  `do $$ begin ${statement}; exception when duplicate_object then null; end $$;`

/** The roles of the services on a hosted project. `library` is safeupdate, without its suffix. */
const roles = (library: string) => `
  ${once('create role anon nologin')}
  ${once('create role authenticated nologin')}
  ${once('create role service_role nologin bypassrls')}
  ${once('create role authenticator login noinherit')}
  ${once('create role supabase_auth_admin login noinherit createrole')}
  ${once('create role supabase_storage_admin login noinherit createrole')}
  grant anon, authenticated, service_role to authenticator, supabase_storage_admin;
  grant authenticator to supabase_storage_admin;
  alter role anon set statement_timeout = '3s';
  alter role authenticated set statement_timeout = '8s';
  alter role authenticator set statement_timeout = '8s';
  alter role authenticator set lock_timeout = '8s';
  alter role authenticator set session_preload_libraries = '${library}';
  alter role supabase_auth_admin set search_path = 'auth';
  alter role supabase_storage_admin set search_path = 'storage';`

/** What a hosted project has beside the tables of its services. */
const schemas = (database: string) => `
  create schema auth authorization supabase_auth_admin;
  create schema storage authorization supabase_storage_admin;
  create schema extensions;
  create extension pgcrypto schema extensions;
  create extension "uuid-ossp" schema extensions;
  grant create on database ${database} to supabase_auth_admin, supabase_storage_admin;
  grant usage on schema public, auth, storage, extensions to anon, authenticated, service_role;
  grant usage on schema extensions to supabase_auth_admin, supabase_storage_admin;
  create schema supabase_migrations;
  create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text, sha256 text);`

/** Makes PostgREST read a changed schema. */
const eventTriggers = `
  create function extensions.reload_api() returns event_trigger language plpgsql as $f$
    begin notify pgrst, 'reload schema'; end
  $f$;
  create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.reload_api();
  create event trigger pgrst_drop_watch on sql_drop execute function extensions.reload_api();`

/** Makes an empty database that of a new hosted project, with the tables of its services. */
export async function prepareHosted(databaseUrl: string, programs: Programs): Promise<void> {
  const database = new URL(databaseUrl).pathname.slice(1)
  await onCluster(databaseUrl, async (sql) => {
    await sql.unsafe(roles(programs.safeupdate))
    await sql.unsafe(owner)
    await sql.unsafe(schemas(database))
  })
  const asAuthenticator = new URL(databaseUrl)
  asAuthenticator.username = 'authenticator'
  await onCluster(asAuthenticator.href, (sql) => sql`select 1`).catch(({ message }: Error) => {
    throw new Error(`SAFEUPDATE_LIB: PostgreSQL cannot use it (${message})`)
  })
  migrateAuth(programs.auth, databaseUrl)
  migrateStorage(programs.storage, databaseUrl)
  await onCluster(databaseUrl, (sql) => sql.unsafe(eventTriggers))
}

/**
 * The role that applies migrations on a hosted project, where it is called `postgres`. It is no superuser, owns
 * neither `auth` nor `storage`, and has every privilege on their tables.
 */
const owner = `
do $$ begin
  create role hosted_owner nologin createdb createrole bypassrls;
exception when duplicate_object then null;
end $$;`

const privileges = `
grant usage on schema auth, storage, supabase_migrations to hosted_owner;
grant all on all tables in schema auth, storage, supabase_migrations to hosted_owner;
grant all on all sequences in schema auth, storage to hosted_owner;
grant all on all routines in schema auth, storage to hosted_owner;
alter default privileges for role hosted_owner in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges for role hosted_owner in schema public grant all on sequences to anon, authenticated, service_role;
alter default privileges for role hosted_owner in schema public grant all on functions to anon, authenticated, service_role;`

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

/** Policies of storage.objects, for which supautils makes the role its owner. */
const storagePolicies = /^create policy [^;]* on storage\.objects\b[^;]*;/gm

/** Gives a database that has the tables of auth and storage to the role that applies migrations on a hosted project. */
export async function giveToOwner(databaseUrl: string): Promise<void> {
  await onCluster(databaseUrl, async (sql) => {
    await sql.unsafe(owner + privileges)
    await sql.unsafe(`alter database ${new URL(databaseUrl).pathname.slice(1)} owner to hosted_owner`)
  })
}

/** Applies the migrations as this role. The embedded backend applies them as a superuser, who may do anything. */
export async function migrateAsHosted(databaseUrl: string): Promise<void> {
  const files = globSync('supabase/migrations/*.sql').toSorted()
  await giveToOwner(databaseUrl)
  await onCluster(databaseUrl, async (sql) => {
    for (const path of files) {
      const text = readFileSync(path, 'utf8').replace(
        storagePolicies,
        (policy) => `reset role; ${policy} set role hosted_owner;`,
      )
      await sql.unsafe(`begin; set role hosted_owner; ${text}; reset role; commit`).catch((error: Error) => {
        throw new Error(`${basename(path)} as the owner of a hosted project: ${error.message}`)
      })
    }
    for (const path of files)
      await sql`insert into supabase_migrations.schema_migrations (version, name, statements, sha256)
        values (${basename(path).slice(0, 14)}, ${basename(path).slice(15, -4)}, '{}', ${sha256(readFileSync(path))})`
  })
}
