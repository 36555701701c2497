import { createPostgresConnection } from '@supabase/lite/postgres'
import type { ReservedSql, Sql } from 'postgres'
import type { OpenDatabase, Queries } from './database.ts'
import { typeNames, typeOids, typeParsers } from './values.ts'

/** Callers pass JSON as text or value. PGlite accepts both; postgres.js would encode text again. */
const asJson = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const asText = (value: unknown) => (value instanceof Date ? value.toISOString() : `${value}`)

const types = Object.fromEntries(
  typeNames.map((name) => [
    name,
    {
      to: typeOids[name],
      from: [typeOids[name]],
      serialize: name.startsWith('json') ? asJson : asText,
      parse: typeParsers[name],
    },
  ]),
)

/** Connects to a PostgreSQL server. On failure it throws an error for the operator, without the password. */
export async function openPostgres(url: string): Promise<OpenDatabase> {
  const connection = createPostgresConnection({
    url,
    // By default, notices ('relation exists, skipping') go to the console.
    postgresOptions: { types, onnotice: () => {}, max: 10, connect_timeout: 10 },
  })
  const pool = connection.driver
  const session = await pool.reserve().catch(async (error: Error & { code?: string }) => {
    await pool.end({ timeout: 0 })
    throw new Error(`DATABASE_URL: the database cannot be opened (${error.message || error.code})`)
  })
  return {
    connection,
    ...queriesOf(pool),
    transaction: (work) => pool.begin((transaction) => work(queriesOf(transaction))) as never,
    session: queriesOf(session),
    shared: true,
    // No queue is needed: requests use separate connections of the pool.
    queue: (work) => work(),
    analyze: async () => {},
    async close() {
      session.release()
      await connection.close()
    },
  }
}

function queriesOf(sql: Pick<Sql | ReservedSql, 'unsafe'>): Queries {
  return {
    async query<T>(text: string, params: unknown[] = []) {
      return { rows: [...(await sql.unsafe(text, params as never[]))] as T[] }
    },
    exec: async (text) => void (await sql.unsafe(text)),
  }
}
