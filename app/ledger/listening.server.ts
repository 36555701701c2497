import * as z from 'zod/mini'
import { timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import type { Config } from '../platform/server/env.server'

const sourceRow = z.object({
  /** The host of the source, and its name. */
  host: z.string(),
  name: z.string(),
  link: z.string(),
  /** The time of the last good read; null before the first good read. */
  wellAt: z.nullable(timestampColumn),
  /** The time since which all reads of the source have failed; null if the last read was good. */
  faultSince: z.nullable(timestampColumn),
})
export type Source = z.infer<typeof sourceRow>

/** The sources that the scheduled work reads; 'none': none configured, null: they cannot be read. */
export async function readSources(
  data: Data,
  { STATEMENT_SOURCES }: Pick<Config, 'STATEMENT_SOURCES'>,
): Promise<Source[] | 'none' | null> {
  if (STATEMENT_SOURCES.length === 0) return 'none'
  const rows = await data.optional().rows('listening_sources', sourceRow, (query) => query.order('name'))
  return rows?.length === 0 ? 'none' : rows
}
