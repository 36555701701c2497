import * as z from 'zod'
import type { Backend } from '../server/backend.server'
import { timestampColumn } from '../server/columns.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'

/** The most updates of one pool that its page shows. */
const maxUpdates = 50

const row = z.object({
  id: z.coerce.number().int(),
  published_at: timestampColumn,
  text: z.string().nullable(),
  links: z.string().nullable(),
  helping: z.coerce.number().int().nullable(),
  helping_source: z.string().nullable(),
})

/** What the operator published about a pool. */
export interface PoolUpdate {
  id: number
  date: Date
  /** Null where it was withdrawn. */
  text: string | null
  links: string[]
  helping: number | null
  helpingSource: string | null
}

/** The updates of a pool, newest first; null if they can't be read. */
export async function listUpdates(backend: Backend, pool: string, log: Log): Promise<PoolUpdate[] | null> {
  const query = backend
    .from('published_updates')
    .select(Object.keys(row.shape).join(', '))
    .eq('pool_slug', pool)
    .order('published_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(maxUpdates)
  const rows = await readRows(query, z.array(row), log, 'updates.not-loaded')
  return (
    rows?.map(({ id, published_at: date, text, links, helping, helping_source: helpingSource }) => ({
      id,
      date,
      text,
      links: links?.split('\n').filter((link) => /^https:\/\/\S+$/.test(link)) ?? [],
      helping,
      helpingSource,
    })) ?? null
  )
}
