import type * as z from 'zod'
import type { Log } from './log.server'

/** Maximum number of rows in one response of the data API. */
export const rowsPerCall = 1_000

interface Query {
  retry(enabled: boolean): PromiseLike<{ data: unknown; error: { code?: string } | null }>
}

/**
 * Runs a query against the data API and parses its data with `schema`: an array of rows, or one row after
 * `.single()`. Every page reads its rows by this function. The client's own retries are off, because backend.server.ts
 * repeats reads within their timeout.
 *
 * Returns null, and logs `event`, if the backend fails (`reason: 'backend'`, with its code) or if the data has
 * another shape (`reason: 'shape'`).
 */
export async function readRows<Data>(
  query: Query,
  schema: z.ZodType<Data>,
  log: Log,
  event: string,
): Promise<Data | null> {
  const { data, error } = await query.retry(false)
  const parsed = schema.safeParse(data)
  if (!error && parsed.success) return parsed.data
  log.error(event, { code: error?.code, reason: error ? 'backend' : 'shape' })
  return null
}
