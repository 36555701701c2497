import * as z from 'zod'
import { timestampColumn } from '../server/columns.server'
import type { Data } from '../server/data.server'

/** Milliseconds. The schedule replaces a price each hour; an older one than this is not used. */
const maxAge = 26 * 60 * 60_000

const rateRow = z.object({
  symbol: z.string(),
  /** US dollars for a whole token: '612.34'. */
  rateUsd: z.string().regex(/^(?=.*[1-9])\d{1,15}(\.\d{1,18})?$/),
  pricedAt: timestampColumn,
})
export type TokenRate = Pick<z.infer<typeof rateRow>, 'rateUsd' | 'pricedAt'>

/** The stored price of a token; null if it is too old, or can't be read. */
export async function readRate(
  data: Data,
  chainId: number,
  symbol: string,
  now: number,
): Promise<TokenRate | null> {
  const rows = await data
    .optional()
    .rows('published_rates', rateRow, (query) => query.eq('chain_id', chainId).eq('symbol', symbol))
  return rows?.find(({ pricedAt }) => now - pricedAt.getTime() <= maxAge) ?? null
}
