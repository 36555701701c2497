import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { createPgliteConnection, type PgliteConnection } from '@supabase/lite/pglite'
import type { OpenDatabase } from './database.ts'
import { createQueue } from './queue.ts'
import { typeNames, typeOids, typeParsers } from './values.ts'

/**
 * PGlite has no autovacuum, so nothing else collects the planner's statistics. The system catalogs are
 * excluded: their statistics are collected when the cluster is created, and collecting them again took a
 * third of every start.
 */
const analyzeFilledTables = `
do $$
declare
  filled regclass;
begin
  for filled in
    select oid from pg_class
    where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'auth', 'storage') and pg_relation_size(oid) > 0
  loop
    execute 'analyze ' || filled;
  end loop;
end $$`

/** Opens PGlite on a folder, or in memory. Throws an error for the operator if it is damaged. */
export async function openPglite(folder?: string): Promise<OpenDatabase> {
  const connection = folder ? await openFolder(folder) : await connect('memory://')
  const { driver } = connection
  const exec = async (text: string) => void (await driver.exec(text))
  return {
    connection,
    query: (text, params) => driver.query(text, params),
    exec,
    transaction: (work) =>
      driver.transaction((transaction) =>
        work({
          query: (text, params) => transaction.query(text, params),
          exec: async (text) => void (await transaction.exec(text)),
        }),
      ),
    session: { query: (text, params) => driver.query(text, params), exec },
    shared: false,
    queue: createQueue(),
    analyze: () => exec(analyzeFilledTables),
    close: () => connection.close(),
  }
}

/**
 * A SIGKILL while the cluster is being created leaves an incomplete cluster. A marker file exists during the creation:
 * if it is found, the cluster is deleted and created again.
 */
async function openFolder(folder: string): Promise<PgliteConnection> {
  const unfinished = `${folder}.unfinished`
  if (existsSync(unfinished)) rmSync(folder, { recursive: true, force: true })
  const isNew = !existsSync(folder)
  if (isNew) writeFileSync(unfinished, '')
  try {
    const connection = await connect(folder)
    if (isNew) rmSync(unfinished)
    return connection
  } catch (error) {
    throw new Error(
      `DATA_DIR: the database in ${folder} cannot be opened (${reasonOf(error)}): restore the data folder from a backup, or move it away to start with an empty one`,
    )
  }
}

/** PostgreSQL clears its buffers at every start: 128 MB, the default, took an eighth of the start. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']

async function connect(url: string): Promise<PgliteConnection> {
  const parsers = Object.fromEntries(typeNames.map((name) => [typeOids[name], typeParsers[name]]))
  const connection = await createPgliteConnection({ url, pgliteOptions: { parsers, startParams } })
  const { driver } = connection
  await driver.waitReady
  restoreStackAfterEachCall(driver)
  driver.parsers = Object.fromEntries(
    Object.entries(driver.parsers).filter(([oid]) => isBuiltIn(Number(oid))),
  )
  return connection
}

/**
 * PGlite 0.4 does not restore its stack pointer after an error: each refused statement takes 0.7 to
 * 5.5 kB of the stack. After 2,000 to 15,000 refused statements, the stack reaches the memory of PostgreSQL,
 * and every further statement fails ('Aborted()', 'ERRORDATA_STACK_SIZE exceeded').
 */
function restoreStackAfterEachCall(driver: PgliteConnection['driver']): void {
  const { ___stack_pointer: pointer } = driver.Module as { ___stack_pointer?: WebAssembly.Global<'i32'> }
  if (!pointer) throw new Error('This version of PGlite does not expose its stack pointer.')
  const run = driver.execProtocolRawSync.bind(driver)
  driver.execProtocolRawSync = (message) => {
    const before = pointer.value
    try {
      return run(message)
    } finally {
      pointer.value = before
    }
  }
}

/**
 * The types of PostgreSQL itself have fixed numbers below 10,000. PGlite also has a parser for arrays of
 * every other type (rows of each table, enumerations, domains), and copies all parsers at each query. These
 * copies took half the time of a small query. No query of the API returns such an array
 * (tests/backend/migrations.test.ts).
 */
function isBuiltIn(oid: number): boolean {
  return oid < 10_000
}

/** The first sentence of the error. The rest ('Build with -sASSERTIONS for more info') is for PGlite's developers. */
function reasonOf(error: unknown): string {
  return `${error instanceof Error ? error.message : error}`.split(/[.\n]/)[0] || 'unknown error'
}
