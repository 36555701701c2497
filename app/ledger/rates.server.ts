import * as z from 'zod/mini'
import { timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'

/** In milliseconds. The job replaces a price every hour; an older price than this is not used. */
const maxAge = 26 * 60 * 60_000

const rateRow = z.object({
  symbol: z.string(),
  /** US dollars per whole token, such as '612.34'. */
  rateUsd: z.string().check(z.regex(/^(?=.*[1-9])\d{1,15}(\.\d{1,18})?$/)),
  pricedAt: timestampColumn,
})
export type TokenRate = Pick<z.infer<typeof rateRow>, 'rateUsd' | 'pricedAt'>

/** The stored price of a token; null if the price is too old or cannot be read. */
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
