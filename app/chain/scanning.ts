import { classify } from './classifying.ts'
import {
  type Block,
  type Chain,
  type ChainLog,
  inOrder,
  mapInBatches,
  RangeTooLarge,
  Unreachable,
} from './rpc.ts'
import { type Transfer, transfersOf, transferTopics } from './transfers.ts'
import { rateOf, uncounted, type Value, valueAt } from './valuing.ts'
import { tokenOf, type Watch, walletsOf } from './watch.ts'

/** A row as append_ledger takes it. Amounts are text. */
export interface Entry extends Value {
  occurred_at: string
  type: string
  direction: string
  token_amount: string
  token_symbol: string
  token_decimals: number
  token_address: string | null
  from_address: string
  to_address: string
  tx_hash: string
  chain_id: number
  ordinal: number
  revision: number
  pool_slug: string | null
  proof_url: string | null
  note: string | null
}

/** What a range of blocks holds for us, and the block that it was read up to. */
export interface Scan {
  entries: Entry[]
  last: Block
}

/** Blocks that are read at once, where the endpoints allow it. */
const mostBlocks = 1_000
/** A range with more transactions for us is cut after this many, between two blocks. */
const mostTransactions = 40

/** The chain was reorganised while it was read: nothing of what was read counts. */
export class ReorgDetected extends Error {}

/** Reads a range in steps, each as wide as the endpoints allow and written before the next one is read. */
export async function* scanSteps(chain: Chain, watch: Watch, from: number, to: number): AsyncGenerator<Scan> {
  let width = mostBlocks
  for (let first = from; first <= to; ) {
    const end = Math.min(to, first + width - 1)
    try {
      const scan = await scanBlocks(chain, watch, first, end)
      yield scan
      first = scan.last.number + 1
    } catch (error) {
      if (!(error instanceof RangeTooLarge)) throw error
      if (end === first) throw new Unreachable(`block ${first} is too large for every endpoint`)
      width = Math.ceil((end - first + 1) / 2)
    }
  }
}

/** Reads the transfers of a range of blocks, both ends included; `last` tells where it had to end sooner. */
async function scanBlocks(chain: Chain, watch: Watch, from: number, to: number): Promise<Scan> {
  const ahead = await requireBlock(chain, to)
  const logs = await findLogs(chain, watch, from, to)
  const hashes = [...new Set(logs.map((log) => log.transactionHash))]
  const tooMany = logs.find((log) => log.transactionHash === hashes[mostTransactions])
  // A block is never read in part, however much is in it.
  const end = tooMany ? Math.max(tooMany.blockNumber - 1, logs[0]?.blockNumber ?? to) : to
  const taken = logs.filter((log) => log.blockNumber <= end)
  const blockOf = new Map(taken.map((log) => [log.transactionHash, log.blockHash]))

  const entries = await mapInBatches([...blockOf], async ([txHash, blockHash]) => {
    const receipt = await chain.receipt(txHash)
    const block = await chain.blockByHash(blockHash)
    if (!block || receipt?.blockHash !== blockHash) throw new ReorgDetected()
    const ours: Entry[] = []
    for (const transfer of transfersOf(receipt)) {
      const entry = await entryOf(chain, watch, transfer, block)
      if (entry) ours.push(entry)
    }
    return ours
  })

  const last = await requireBlock(chain, end)
  if (end === to ? last.hash !== ahead.hash : (await requireBlock(chain, to)).hash !== ahead.hash)
    throw new ReorgDetected()
  return { entries: entries.flat(), last }
}

/** The logs that name our wallets and tokens, in the chain's order. */
export async function findLogs(chain: Chain, watch: Watch, from: number, to: number): Promise<ChainLog[]> {
  const contracts = watch.tokens.flatMap(({ address }) => address ?? [])
  if (contracts.length === 0) return []
  const found = await Promise.all(
    transferTopics(walletsOf(watch)).map((topics) => chain.logs(from, to, topics, contracts)),
  )
  return found.flat().sort(inOrder)
}

/**
 * A transfer as a row, valued and classified, or null where it is none of ours. A transfer of nothing is none:
 * anybody can make a token log one in anybody's name.
 */
export async function entryOf(
  chain: Chain,
  watch: Watch,
  transfer: Transfer,
  block: Block,
): Promise<Entry | null> {
  const token = tokenOf(watch, transfer.token)
  const kind = classify(transfer, watch)
  if (!token || !kind || transfer.amount === 0n) return null
  const value = kind.counts
    ? valueAt(transfer.amount, token.decimals, await rateOf(token, block, chain))
    : uncounted
  return {
    occurred_at: timeOf(block),
    type: kind.type,
    direction: kind.direction,
    ...value,
    token_amount: transfer.amount.toString(),
    token_symbol: token.symbol,
    token_decimals: token.decimals,
    token_address: token.address,
    from_address: transfer.from,
    to_address: transfer.to,
    tx_hash: transfer.txHash,
    chain_id: chain.id,
    ordinal: transfer.ordinal,
    revision: 0,
    pool_slug: kind.pool,
    proof_url: null,
    note: kind.note,
  }
}

export function timeOf({ timestamp }: Block): string {
  return new Date(timestamp * 1000).toISOString()
}

async function requireBlock(chain: Chain, number: number): Promise<Block> {
  const block = await chain.block(number)
  if (!block) throw new Unreachable(`block ${number} is not there`)
  return block
}
