import * as z from 'zod/mini'
import type { Chain } from '../../chain/rpc.ts'
import { integerColumn } from '../../platform/server/columns.server.ts'
import type { Service } from '../../platform/server/service.server.ts'
import type { Watch } from './watch.ts'

/** Maximum number of rows whose blocks are compared to find a reorganisation's start, two calls each. */
const maxForkCandidates = 50
/**
 * If `maxForkCandidates` rows were compared and none of their blocks is still part of the chain, the number
 * of blocks to read again is this factor times the number of confirmations at which a block is final.
 */
const forkDepthFactor = 100

const minedRow = z.object({ block_number: integerColumn, block_hash: z.nullable(z.string()) })

/**
 * The first block to read again after a reorganisation; `scanned` is the last block that was read. The job
 * rereads at least the blocks that were not final, and all blocks after the newest block that has a row and
 * is still part of the chain. Without such a block, the result is the first configured block if fewer than
 * `maxForkCandidates` rows were compared. Otherwise the result is `scanned` minus `forkDepthFactor` times the
 * number of confirmations at which a block is final.
 */
export async function findForkPoint(
  service: Service,
  watch: Watch,
  chain: Chain,
  scanned: number,
): Promise<number> {
  const newest = await service.rows('published_transactions', minedRow, (query) =>
    query
      .eq('chain_id', watch.chainId)
      .lte('block_number', scanned)
      .order('occurred_at', { ascending: false })
      .order('id', { ascending: false })
      .limit(maxForkCandidates),
  )
  const depth = Math.max(watch.startBlock, scanned - watch.confirmations)
  for (const { block_number: number, block_hash: hash } of newest) {
    if (number > chain.head) continue
    const block = await chain.block(number)
    if (block?.hash === hash) return Math.min(depth, number + 1)
  }
  return newest.length < maxForkCandidates
    ? watch.startBlock
    : Math.max(watch.startBlock, scanned - forkDepthFactor * watch.confirmations)
}
