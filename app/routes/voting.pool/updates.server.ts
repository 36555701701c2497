import * as z from 'zod'
import { readPictureLink, type UpdatePicture } from '~/ledger/update-picture'
import { readWithdrawalReasons } from '~/ledger/withdrawals.server'
import { linkColumn, timestampColumn } from '~/server/columns.server'
import type { Api as Backend } from '~/server/data.server'
import type { Log } from '~/server/log.server'
import { readRows } from '~/server/read-rows.server'

/** Maximum number of updates on a pool's page. */
const maxUpdates = 50

const row = z.object({
  id: z.coerce.number().int(),
  published_at: timestampColumn,
  text: z.string().nullable(),
  text_hash: z.string(),
  links: z.string().nullable(),
  helping: z.coerce.number().int().nullable(),
  helping_source: linkColumn,
})

/** An update that the operator published about a pool. */
export interface PoolUpdate {
  id: number
  date: Date
  /** Null if it was withdrawn. */
  text: string | null
  /** Why the text was withdrawn; undefined if it was not, or if the reason cannot be read. */
  textReason: string | undefined
  pictures: UpdatePicture[]
  /** The other links. */
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
  if (!rows) return null
  const withdrawn = rows.map(({ text, text_hash }) => (text === null ? text_hash : null))
  const reasons = await readWithdrawalReasons(backend, withdrawn, log)
  return rows.map(
    ({ id, published_at: date, text, text_hash, links, helping, helping_source: helpingSource }) => ({
      id,
      date,
      text,
      textReason: reasons.get(text_hash),
      ...sortLinks(links),
      helping,
      helpingSource,
    }),
  )
}

/** The https links of an update, one a line: those that name a picture (readPictureLink), and the others. */
function sortLinks(text: string | null): Pick<PoolUpdate, 'pictures' | 'links'> {
  const all = text?.split('\n').filter((link) => /^https:\/\/\S+$/.test(link)) ?? []
  return {
    pictures: all.flatMap((link) => readPictureLink(link) ?? []),
    links: all.filter((link) => !readPictureLink(link)),
  }
}
