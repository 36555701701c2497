import * as z from 'zod/mini'
import { timestampColumn } from '../platform/server/columns.server.ts'
import type { Data } from '../platform/server/data.server.ts'

/** The accounts of the shares; null in a vote on a goal. */
export const namesColumn = z.nullable(z.array(z.string()))
/** Percentages or thousandths of the shares; null in a vote on a goal. */
export const partsColumn = z.nullable(z.array(z.number()))

const splitRow = z.object({
  slug: z.string(),
  endsAt: timestampColumn,
  /** The valid result in thousandths. */
  shares: partsColumn,
  /** The first month in which a valid result holds. */
  fromMonth: z.nullable(timestampColumn),
  /** The part of the tax that is divided now, in tenths of a percent; null without a rule. */
  percent: z.nullable(z.number()),
})
type Split = z.infer<typeof splitRow>

/** The newest votes on the split, newest first; null if they cannot be read. */
export function listSplits(data: Data): Promise<Split[] | null> {
  return data.rows('published_splits', splitRow, (query) =>
    query.order('opened_at', { ascending: false }).limit(12),
  )
}

/** A vote on the split by its name; 'none' if two operators did not open it, null if it cannot be read. */
export async function readSplit(data: Data, slug: string): Promise<Split | 'none' | null> {
  const rows = await data.rows('published_splits', splitRow, (query) => query.eq('slug', slug))
  return rows && (rows[0] ?? 'none')
}
