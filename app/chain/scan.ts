import { RangeTooLarge, Unreachable } from './chain-errors.ts'
import { type Classification, classify } from './classification.ts'
import { type Block, type Chain, type ChainLog, inOrder, mapInBatches } from './rpc.ts'
import { type Transfer, transfersOf, transferTopics } from './transfers.ts'
import { rateOf, type Value, valueAt } from './valuation.ts'
import { tokenOf, type Watch, walletsOf } from './watch.ts'

/** A row in the form that append_ledger accepts. Amounts are text. */
export interface NewRow extends Value, Classification {
  occurred_at: string
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
  proof_url: string | null
  note: string | null
}

/** Our transfers in a range of blocks, and the last block that was read. */
export interface Scan {
  newRows: NewRow[]
  last: Block
}

/**
 * Maximum number of blocks in a call of eth_getLogs. Public endpoints allow 1,000 to 50,000; a rejected range is
 * halved.
 */
const maxBlocks = 1_000
/**
 * Maximum number of transactions in a step of several blocks: each costs a receipt and a block, and a step must stay
 * below the platform's call limit.
 */
const maxTransactions = 40

/** The chain was reorganised while it was read. Discard what was read. */
export class ReorgDetected extends Error {}

/**
 * Reads the blocks `from` to `to` in steps of up to `maxBlocks`, or of fewer if the endpoints allow fewer. The caller
 * stores each step before it requests the next. Throws ReorgDetected if the chain was reorganised meanwhile, and
 * Unreachable if a single block is too large for the endpoints.
 */
export async function* scanSteps(chain: Chain, watch: Watch, from: number, to: number): AsyncGenerator<Scan> {
  let width = maxBlocks
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

/**
 * Reads the transfers of a range of blocks, including both ends. `last` is before `to` if the range has too many
 * transactions and was cut.
 */
async function scanBlocks(chain: Chain, watch: Watch, from: number, to: number): Promise<Scan> {
  const ahead = await requireBlock(chain, to)
  const logs = await findLogs(chain, watch, from, to)
  const hashes = [...new Set(logs.map((log) => log.transactionHash))]
  const tooMany = logs.find((log) => log.transactionHash === hashes[maxTransactions])
  // A block is never cut, however many transactions it has.
  const end = tooMany ? Math.max(tooMany.blockNumber - 1, logs[0]?.blockNumber ?? to) : to
  const taken = logs.filter((log) => log.blockNumber <= end)
  const blockOf = new Map(taken.map((log) => [log.transactionHash, log.blockHash]))

  const newRows = await mapInBatches([...blockOf], async ([txHash, blockHash]) => {
    const receipt = await chain.receipt(txHash)
    const block = await chain.blockByHash(blockHash)
    if (!block || receipt?.blockHash !== blockHash) throw new ReorgDetected()
    const ours: NewRow[] = []
    for (const transfer of transfersOf(receipt)) {
      const newRow = await newRowOf(chain, watch, transfer, block)
      if (newRow) ours.push(newRow)
    }
    return ours
  })

  const last = await requireBlock(chain, end)
  if (end === to ? last.hash !== ahead.hash : (await requireBlock(chain, to)).hash !== ahead.hash)
    throw new ReorgDetected()
  return { newRows: newRows.flat(), last }
}

/**
 * The event logs of transfers of our tokens from or to our wallets, in the chain's order. The event log of a transfer
 * between two of our wallets is in the list twice.
 */
export async function findLogs(chain: Chain, watch: Watch, from: number, to: number): Promise<ChainLog[]> {
  const contracts = watch.tokens.flatMap(({ address }) => address ?? [])
  if (contracts.length === 0) return []
  const found = await Promise.all(
    transferTopics(walletsOf(watch)).map((topics) => chain.logs(from, to, topics, contracts)),
  )
  return found.flat().sort(inOrder)
}

/**
 * A transfer as a row, valued and classified. Null if the transfer is not ours, if its token is not followed, or if its
 * amount is zero: anyone can make a token contract emit a transfer of zero with any sender.
 */
export async function newRowOf(
  chain: Chain,
  watch: Watch,
  transfer: Transfer,
  block: Block,
): Promise<NewRow | null> {
  const token = tokenOf(watch, transfer.token)
  const classification = classify(transfer, watch)
  if (!token || !classification || transfer.amount === 0n) return null
  return {
    occurred_at: timeOf(block),
    ...classification,
    ...valueAt(transfer.amount, token.decimals, await rateOf(token, block, chain)),
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
    proof_url: null,
    note: null,
  }
}

export function timeOf({ timestamp }: Block): string {
  return new Date(timestamp * 1000).toISOString()
}

/** A block of the chain. Throws Unreachable if no endpoint has it. */
export async function requireBlock(chain: Chain, number: number): Promise<Block> {
  const block = await chain.block(number)
  if (!block) throw new Unreachable(`no endpoint has block ${number}`)
  return block
}
