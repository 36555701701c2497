import { createHash } from 'node:crypto'

/**
 * The hash of a migration without its comments, white space and semicolons, in which the Supabase CLI's list of statements
 * differs from the file. The database has the same calculation (applied_migrations).
 */
export function contentHash(sql: string): string {
  return createHash('sha256')
    .update(sql.replace(/--[^\n]*/g, '').replace(/[\s;]+/g, ''))
    .digest('hex')
}
