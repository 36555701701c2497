/** Copies data folders from templates: creating a database takes longer than most tests. */
import { createHash } from 'node:crypto'
import {
  constants,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { startEmbedded } from '../../supabase/embedded/embedded.ts'
import { migrateAsHosted, prepareHosted } from './hosted-owner.ts'
import { hostedPrograms } from './hosted-services.ts'
import { createDatabase, onCluster, urlOf } from './postgres.ts'

const templates = resolve('node_modules/.cache')
/** Making a template takes seconds, even on a busy machine. */
const abandonedMs = 50_000

/** Makes an empty folder; `remove` deletes the folder. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'goodblock-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Makes a data folder with an empty database cluster. The backend applies all migrations when it starts. */
export async function temporaryDataDir() {
  return copyOf(
    await template(`cluster-${versionOf('@electric-sql/pglite')}`, async () => {
      const folder = temporaryFolder()
      const pglite = new PGlite(join(folder.path, 'pg'))
      await pglite.waitReady
      await pglite.close()
      return folder
    }),
  )
}

/** Makes a data folder whose database has all migrations of this version, and no rows. */
export async function migratedDataDir() {
  return copyOf(
    await template(`migrated-${sourcesHash()}`, async () => {
      const folder = await temporaryDataDir()
      const backend = await startEmbedded({
        dataDir: folder.path,
        port: 0,
        mailPort: 0,
        siteUrl: 'http://127.0.0.1:8787',
        log: () => {},
      })
      // The first request stores the description of the schema in the data folder.
      await (
        await fetch(`${backend.url}/rest/v1/profiles?limit=0`, { headers: { apikey: backend.secretKey } })
      ).text()
      await backend.close()
      return folder
    }),
  )
}

/**
 * Makes what a backend of a test needs, with all migrations and no rows: a data folder, and with TEST_POSTGRES_URL a
 * database in this cluster. Without it, and with the engine 'pglite', the database is PGlite, in the folder. `remove` deletes
 * both.
 */
export async function migratedData(engine: 'any' | 'pglite' = 'any') {
  const { TEST_POSTGRES_URL } = process.env
  if (!TEST_POSTGRES_URL || engine === 'pglite')
    return { ...(await migratedDataDir()), databaseUrl: undefined }
  const { url, drop } = await copyMigratedDatabase(TEST_POSTGRES_URL)
  const folder = temporaryFolder()
  const remove = async () => {
    await drop()
    folder.remove()
  }
  return { path: folder.path, databaseUrl: url, remove }
}

/** Creates a database with all migrations and no rows, as a copy of one that the first call in a cluster makes. */
async function copyMigratedDatabase(clusterUrl: string) {
  await onCluster(clusterUrl, async (sql) => {
    // The lock of the session: other processes wait until the template is complete.
    await sql`select pg_advisory_lock(1)`
    if ((await sql`select from pg_database where datname = 'migrated'`).length > 0) return
    await sql.unsafe('drop database if exists incomplete')
    await sql.unsafe('create database incomplete')
    const databaseUrl = urlOf(clusterUrl, 'incomplete')
    const programs = hostedPrograms()
    await (programs ? prepareHosted(databaseUrl, programs) : prepareEmbedded(databaseUrl))
    await migrateAsHosted(databaseUrl)
    await sql.unsafe('alter database incomplete rename to migrated')
  })
  return createDatabase(clusterUrl, 'migrated')
}

/** Makes the tables of an embedded backend's services in an empty database. */
async function prepareEmbedded(databaseUrl: string): Promise<void> {
  const folder = temporaryFolder()
  const none = temporaryFolder()
  const backend = await startEmbedded({
    dataDir: folder.path,
    port: 0,
    mailPort: 0,
    siteUrl: 'http://127.0.0.1:8787',
    log: () => {},
    databaseUrl,
    migrations: none.path,
  })
  await backend.close()
  for (const { remove } of [folder, none]) remove()
}

function versionOf(name: string): string {
  return JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version
}

/** Returns a hash of everything that determines the content of a migrated database. */
function sourcesHash(): string {
  const hash = createHash('sha256')
  for (const name of ['@electric-sql/pglite', '@supabase/lite']) hash.update(versionOf(name))
  for (const path of globSync('supabase/{config.toml,migrations/*,embedded/*.ts}').toSorted())
    hash.update(path).update(readFileSync(path))
  return hash.digest('hex').slice(0, 16)
}

/**
 * Returns the path of a template's database. If no earlier run has made the template, `create` makes a data
 * folder with it. If several test processes start at the same time, one of them makes the template and the
 * others wait.
 */
async function template(
  name: string,
  create: () => Promise<ReturnType<typeof temporaryFolder>>,
): Promise<string> {
  const path = join(templates, `goodblock-${name}`)
  if (existsSync(path)) return path
  mkdirSync(templates, { recursive: true })
  const lock = `${path}.lock`
  await take(lock)
  try {
    if (existsSync(path)) return path
    const folder = await create()
    const copy = `${path}.${process.pid}`
    cpSync(join(folder.path, 'pg'), copy, { recursive: true })
    // A cluster has three databases, and only `create database` reads two of them. Without these two, a test
    // backend has only a third of the files to copy.
    for (const unused of ['1', '4']) rmSync(join(copy, 'base', unused), { recursive: true, force: true })
    renameSync(copy, path)
    folder.remove()
    return path
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/** Creates the folder `lock` once no other process holds it, or from a process that was killed. */
async function take(lock: string): Promise<void> {
  for (;;) {
    try {
      mkdirSync(lock)
      return
    } catch {
      const madeAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
      if (Date.now() - madeAt > abandonedMs) rmSync(lock, { recursive: true, force: true })
    }
    await sleep(50)
  }
}

/** A data folder with a copy of the database. A backend makes its keys at the first start. */
function copyOf(database: string) {
  const folder = temporaryFolder()
  cpSync(database, join(folder.path, 'pg'), { recursive: true, mode: constants.COPYFILE_FICLONE })
  return folder
}
