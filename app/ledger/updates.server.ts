import * as z from 'zod/mini'
import { integerColumn, linkColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import { isPhotograph, readPictureLink, type UpdatePicture } from './update-picture'
import { readWithdrawalReasons } from './withdrawals.server'

/** Maximum number of updates on a pool's page. */
const maxUpdates = 50

/** An update of a pool, published by an operator, or of a goal, published by its member. */
const updateRow = z.pipe(
  z.object({
    id: integerColumn,
    /** The number of the update, from 1 for each pool and goal. */
    number: integerColumn,
    publishedAt: timestampColumn,
    /** Null if the text was withdrawn. */
    text: z.nullable(z.string()),
    textHash: z.string(),
    links: z.nullable(z.string()),
    helping: z.nullable(integerColumn),
    helpingSource: linkColumn,
  }),
  z.transform((row) => ({ ...row, ...sortLinks(row.links) })),
)

/** `textReason`: why the text was withdrawn; undefined if it was not, or if the reason is unreadable. */
export type PoolUpdate = z.infer<typeof updateRow> & { textReason: string | undefined }

/** The updates of the pool or goal with this slug, newest first, at most `most`; null if unreadable. */
export async function listUpdates(data: Data, slug: string, most = maxUpdates): Promise<PoolUpdate[] | null> {
  const rows = await data.rows('published_updates', updateRow, (query) =>
    query
      .eq('pool_slug', slug)
      .order('published_at', { ascending: false })
      .order('id', { ascending: false })
      .limit(most),
  )
  if (!rows) return null
  const withdrawn = rows.map(({ text, textHash }) => (text === null ? textHash : null))
  const reasons = await readWithdrawalReasons(data, withdrawn)
  return rows.map((row) => ({ ...row, textReason: reasons.get(row.textHash) }))
}

/** Sorts the https links of an update, one on each line, into pictures (readPictureLink) and other links. */
export function sortLinks(text: string | null): { pictures: UpdatePicture[]; links: string[] } {
  const all = text?.split('\n').filter((link) => /^https:\/\/\S+$/.test(link)) ?? []
  return {
    // Photographs come before drawings.
    pictures: all
      .flatMap((link) => readPictureLink(link) ?? [])
      .toSorted((a, b) => Number(isPhotograph(b)) - Number(isPhotograph(a))),
    links: all.filter((link) => !readPictureLink(link)),
  }
}
