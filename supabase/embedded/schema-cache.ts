import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Connection } from '@supabase/lite'
import { authTables } from './auth-tables.ts'
import type { Queries } from './database.ts'

type SchemaCache = NonNullable<Connection['config']['schemaCache']>

const liteManifest = new URL('../../node_modules/@supabase/lite/package.json', import.meta.url)

/**
 * Stores lite's description of the schema in `file`, because making it from PostgreSQL's catalogs takes
 * longer than all other work of the first request after a start. The first line of the file names the schema
 * and the version of lite; if that line differs, the description is made again. Call this after the
 * migrations, and only for a database whose schema nothing else changes.
 */
export async function createSchemaCache(file: string, db: Queries): Promise<SchemaCache> {
  const { rows } = await db.query(
    'select version from supabase_migrations.schema_migrations order by version',
  )
  const name = createHash('sha256')
    .update(JSON.stringify([rows, authTables, JSON.parse(readFileSync(liteManifest, 'utf8')).version]))
    .digest('hex')
  return {
    get: async () => {
      const [first, description] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
      return first === name ? description : undefined
    },
    set: async (_key, description) => {
      try {
        writeFileSync(file, `${name}\n${description}`)
      } catch {
        // Without the file, the next start makes the description again.
      }
    },
    // lite deletes the description when it closes the connection.
    delete: async () => {},
  }
}
