import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { onCluster } from './postgres.ts'

/**
 * The role that applies migrations on a hosted project, where it is called `postgres`. It is no superuser, owns
 * neither `auth` nor `storage`, and has every privilege on their tables.
 */
const owner = `
do $$ begin
  create role hosted_owner nologin createdb createrole bypassrls;
exception when duplicate_object then null;
end $$;
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

/**
 * Applies the migrations to a database that has the tables of auth and storage, as on a hosted project. The embedded
 * backend applies them as a superuser, who may do anything.
 */
export async function migrateAsHosted(databaseUrl: string): Promise<void> {
  const files = globSync('supabase/migrations/*.sql').toSorted()
  await onCluster(databaseUrl, async (sql) => {
    await sql.unsafe(owner)
    await sql.unsafe(`alter database ${new URL(databaseUrl).pathname.slice(1)} owner to hosted_owner`)
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
