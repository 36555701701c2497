import * as z from 'zod/mini'
import { maxCalls } from '../../chain/job-limits.ts'
import { type Chain, mapInBatches } from '../../chain/rpc.ts'
import { integerColumn, timestampColumn } from '../../platform/server/columns.server.ts'
import type { Service } from '../../platform/server/service.server.ts'
import type { LedgerReport } from './ledger-report.ts'
import { requireBlock } from './scan.ts'
import { dollarsOf, priceOf } from './valuation.ts'
import type { Watch } from './watch.ts'

/** Time between two readings of the price feeds, in milliseconds. */
const readAfter = 60 * 60_000

const askedRow = z.object({ symbol: z.string(), asked_at: timestampColumn })

/**
 * Reads the price feed of each token whose feed was read an hour ago or never, and stores the prices. If a
 * feed has no usable price, the stored price stays until it expires (ledger/rates.server.ts).
 */
export async function storeRates(service: Service, watch: Watch, chain: Chain): Promise<LedgerReport> {
  const feeds = watch.tokens.flatMap(({ symbol, value }) =>
    value && value !== 'usd' ? [{ symbol, feed: value.feed }] : [],
  )
  if (feeds.length === 0 || chain.calls > maxCalls) return {}
  const asked = await service.rows('token_rates', askedRow, (query) => query.eq('chain_id', watch.chainId))
  const now = Date.now()
  const due = feeds.filter(
    ({ symbol }) => !asked.some((row) => row.symbol === symbol && now - row.asked_at.getTime() < readAfter),
  )
  if (due.length === 0) return {}
  const block = await requireBlock(chain, chain.head)
  const rates = await mapInBatches(chain, due, async ({ symbol, feed }) => {
    const price = await priceOf(feed, block, chain)
    const rate = price && dollarsOf(price)
    if (!price || !rate || price.updatedAt > block.timestamp)
      return { symbol, rate_usd: null, priced_at: null }
    return { symbol, rate_usd: rate, priced_at: new Date(Number(price.updatedAt) * 1000).toISOString() }
  })
  return { priced: await service.call('store_rates', integerColumn, { chain: watch.chainId, rates }) }
}
