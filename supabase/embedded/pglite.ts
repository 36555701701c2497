import { createPgliteConnection } from '@supabase/lite/pglite'
import type { OpenDatabase } from './database.ts'
import { createQueue } from './queue.ts'
import { OIDS, PARSERS, TYPES } from './values.ts'

/** Opens PGlite (PostgreSQL in this process) on a folder, or in memory without one. */
export async function openPglite(folder?: string): Promise<OpenDatabase> {
  const connection = await createPgliteConnection({
    url: folder ?? 'memory://',
    pgliteOptions: { parsers: Object.fromEntries(TYPES.map((name) => [OIDS[name], PARSERS[name]])) },
  })
  const { driver } = connection
  await driver.waitReady
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
    // PGlite has no autovacuum, so nothing else collects the planner's statistics.
    analyze: () => exec('analyze'),
    close: () => connection.close(),
  }
}
