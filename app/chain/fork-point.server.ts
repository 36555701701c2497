import { type Service, unwrap } from './ledger-writer.server.ts'
import type { Chain } from './rpc.ts'
import type { Watch } from './watch.ts'

/** Rows whose blocks are compared to find where a reorganisation began: each costs two calls. */
const maxForkCandidates = 50
/**
 * If that many rows were compared and none of their blocks is still part of the chain, this many times the
 * confirmations of a final block are read again.
 */
const forkDepthFactor = 100

/**
 * The first block to read again after a reorganisation. At least the blocks that were not final are read again; beyond
 * them, back to the newest block with a row that is still part of the chain. If there is no such block, and fewer than
 * `maxForkCandidates` rows, it is the configured first block.
 */
export async function findForkPoint(
  service: Service,
  watch: Watch,
  chain: Chain,
  scanned: number,
): Promise<number> {
  const newest = await unwrap(
    'published_transactions',
    service
      .from('published_transactions')
      .select('block_number, block_hash')
      .eq('chain_id', watch.chainId)
      .lte('block_number', scanned)
      .order('occurred_at', { ascending: false })
      .order('id', { ascending: false })
      .limit(maxForkCandidates)
      .retry(false),
  )
  const depth = Math.max(watch.startBlock, scanned - watch.confirmations)
  for (const { block_number: number, block_hash: hash } of newest) {
    if (number === null || number > chain.head) continue
    const block = await chain.block(number)
    if (block?.hash === hash) return Math.min(depth, number + 1)
  }
  return newest.length < maxForkCandidates
    ? watch.startBlock
    : Math.max(watch.startBlock, scanned - forkDepthFactor * watch.confirmations)
}
