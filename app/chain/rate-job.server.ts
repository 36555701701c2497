import * as z from 'zod'
import { integerColumn, timestampColumn } from '../server/columns.server.ts'
import { maxCalls } from './job-limits.ts'
import type { LedgerReport } from './ledger-report.ts'
import type { Service } from './ledger-store.server.ts'
import { type Chain, mapInBatches } from './rpc.ts'
import { requireBlock } from './scan.ts'
import { dollarsOf, priceOf } from './valuation.ts'
import type { Watch } from './watch.ts'

/** Time between two readings of the price feeds, in milliseconds. */
const readAfter = 60 * 60_000

const storedRow = z.object({ symbol: z.string(), stored_at: timestampColumn })

/**
 * Stores the newest price of each token with a price feed, if the stored one is an hour old. A feed without a usable
 * price leaves the stored price as it is, which then expires (donate/rates.server.ts).
 */
export async function storeRates(service: Service, watch: Watch, chain: Chain): Promise<LedgerReport> {
  const feeds = watch.tokens.flatMap(({ symbol, value }) =>
    value && value !== 'usd' ? [{ symbol, feed: value.feed }] : [],
  )
  if (feeds.length === 0 || chain.calls > maxCalls) return {}
  const stored = await service.rows('published_rates', storedRow, (query) =>
    query.eq('chain_id', watch.chainId),
  )
  const now = Date.now()
  const due = feeds.filter(
    ({ symbol }) => !stored.some((row) => row.symbol === symbol && now - row.stored_at.getTime() < readAfter),
  )
  if (due.length === 0) return {}
  const block = await requireBlock(chain, chain.head)
  const prices = await mapInBatches(chain, due, async ({ symbol, feed }) => {
    const price = await priceOf(feed, block, chain)
    const rate = price && dollarsOf(price)
    if (!price || !rate || price.updatedAt > block.timestamp) return []
    return [{ symbol, rate_usd: rate, priced_at: new Date(Number(price.updatedAt) * 1000).toISOString() }]
  })
  const rates = prices.flat()
  if (rates.length === 0) return {}
  return { priced: await service.call('store_rates', integerColumn, { chain: watch.chainId, rates }) }
}
