import * as z from 'zod/mini'
import { integerColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'

/** The maximum age, in milliseconds, of a number that is shown. The job counts holders every hour. */
const maxAge = 24 * 60 * 60_000

const holderRow = z.object({ holders: integerColumn, host: z.string(), countedAt: timestampColumn })
export type Holders = z.infer<typeof holderRow>

/** How many addresses hold the token, as one endpoint counted; null if it is too old or unreadable. */
export async function readHolders(
  data: Data,
  token: string | undefined,
  now: number,
): Promise<Holders | null> {
  if (!token) return null
  const rows = await data
    .optional()
    .rows('published_holders', holderRow, (query) => query.eq('token', token.toLowerCase()))
  return rows?.find(({ countedAt }) => now - countedAt.getTime() <= maxAge) ?? null
}
