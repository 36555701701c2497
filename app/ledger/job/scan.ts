import { CallRefused, RangeTooLarge, ReorgDetected, TooLarge, Unreachable } from '../../chain/chain-errors.ts'
import { type Block, type Chain, type ChainLog, inOrder, type Receipt, timeOf } from '../../chain/rpc.ts'
import { nativeTransferOf, type Transfer, transfersOf, wrapsOf } from '../token-transfers.ts'
import { classify } from './classification.ts'
import { classifyTogether } from './joint-classification.ts'
import type { NewRow } from './new-row.ts'
import { transferTopics } from './transfer-topics.ts'
import { rateOf, valueAt } from './valuation.ts'
import { tokenOf, type Watch, walletsOf } from './watch.ts'

/** A transaction whose receipt no endpoint delivered, in the form that append_ledger accepts. */
export interface UnreadTransaction {
  tx_hash: string
  block_number: number
  block_hash: string
  block_time: string
  /** The reason, in words. */
  fault: string
  /** True if the response is too large: tried again once a day; after any other fault sooner. */
  is_too_large: boolean
}

/** How far a chain was read: all blocks up to `block`, and the beginning of the next block. */
export interface Position {
  block: Block
  /** The next block's hash, and the index of the last transaction read in it; null if none was read. */
  begun: Begun | null
}
interface Begun {
  hash: string
  index: number
}

/** Our transfers in a part of the chain, unreadable transactions, and the position after that part. */
export interface Step {
  newRows: NewRow[]
  unread: UnreadTransaction[]
  read: Position
}

/** A transaction with one of our transfers, and its place on the chain. */
interface Place {
  txHash: string
  index: number
  blockNumber: number
  blockHash: string
}

/** Maximum blocks of an eth_getLogs: public endpoints allow 1,000 to 50,000; the scan halves a range. */
const maxBlocks = 1_000
/** Limits after which a step ends and the caller stores it: transactions, rows, and milliseconds. */
const maxTransactions = 100
const maxRows = 1_000
const maxDuration = 5_000

/**
 * Reads the blocks from `from` to `to`. In the first block, reads only what follows `begun`, unless another
 * block has replaced it. The caller stores each step before it requests the next. A range that is too large
 * for the endpoints is halved, down to one block; a block with many of our transactions is read in several
 * steps. Throws ReorgDetected if the chain was reorganised while it was being read.
 */
export async function* scanSteps(
  chain: Chain,
  watch: Watch,
  from: number,
  to: number,
  begun: Begun | null = null,
): AsyncGenerator<Step> {
  let width = maxBlocks
  /** Half of a refused range. Grows slowly, because most ranges that are wider would be refused again. */
  let widest = maxBlocks
  for (let first = from; first <= to; ) {
    const end = Math.min(to, first + width - 1)
    const ahead = await requireBlock(chain, end)
    try {
      const places = await findPlaces(chain, watch, first, ahead)
      const isBefore = ({ blockNumber, blockHash, index }: Place) =>
        blockNumber === from && blockHash === begun?.hash && index <= begun.index
      yield* readPlaces(chain, watch, places.slice(places.findLastIndex(isBefore) + 1), ahead)
      first = end + 1
      widest = Math.min(maxBlocks, Math.ceil(widest * 1.1))
      width = Math.min(widest, width * 2)
    } catch (error) {
      if (!(error instanceof RangeTooLarge)) throw error
      width = widest = Math.ceil((end - first + 1) / 2)
    }
  }
}

/**
 * Reads transactions in steps, up to the end of the block `ahead`. A step also ends after a transaction whose
 * receipt the endpoints did not deliver, unless the receipt is too large: if no endpoint responds any more,
 * the step fails; otherwise the scan continues after this transaction.
 */
async function* readPlaces(
  chain: Chain,
  watch: Watch,
  places: readonly Place[],
  ahead: Block,
): AsyncGenerator<Step> {
  for (let at = 0; at === 0 || at < places.length; ) {
    const newRows: NewRow[] = []
    const unread: UnreadTransaction[] = []
    const startedAt = Date.now()
    const limit = Math.min(places.length, at + maxTransactions)
    for (let isCut = false; at < limit && !isCut; ) {
      const batch = places.slice(at, Math.min(limit, at + chain.parallel))
      await loadBlock(chain, places, at)
      for (const result of await Promise.all(batch.map((place) => readPlace(chain, watch, place)))) {
        at += 1
        if ('newRows' in result) newRows.push(...result.newRows)
        else {
          unread.push(result.unread)
          isCut = !result.unread.is_too_large
        }
        if (isCut) break
      }
      isCut ||= newRows.length >= maxRows || Date.now() - startedAt >= maxDuration
    }
    const [last, next] = [places[at - 1], places[at]]
    yield { newRows, unread, read: await positionAfter(chain, last, next, ahead) }
    if (!next) return
  }
}

/** Requests the receipts of a block in one call, before the first of its receipts is needed. */
async function loadBlock(chain: Chain, places: readonly Place[], at: number): Promise<void> {
  const number = places[at]?.blockNumber
  if (number === undefined) return
  const ours = places.slice(at).filter(({ blockNumber }) => blockNumber === number)
  await chain.loadReceipts(
    number,
    ours.map(({ txHash }) => txHash),
  )
}

/**
 * The position after the transaction `last` and before `next`; without `next`, the position after the block `ahead`.
 * Throws ReorgDetected if the chain no longer has the block of `last` or the block `ahead`.
 */
async function positionAfter(
  chain: Chain,
  last: Place | undefined,
  next: Place | undefined,
  ahead: Block,
): Promise<Position> {
  if (!last || !next) {
    if ((await requireBlock(chain, ahead.number)).hash !== ahead.hash) throw new ReorgDetected()
    return { block: ahead, begun: null }
  }
  const block = await requireBlock(chain, last.blockNumber)
  if (block.hash !== last.blockHash) throw new ReorgDetected()
  if (next.blockNumber > last.blockNumber) return { block, begun: null }
  return {
    block: await requireBlock(chain, last.blockNumber - 1),
    begun: { hash: last.blockHash, index: last.index },
  }
}

/** The rows of a transaction, or the reason why it was not read. */
type ReadTransaction = { newRows: NewRow[] } | { unread: UnreadTransaction }

async function readPlace(chain: Chain, watch: Watch, { txHash, blockHash }: Place): Promise<ReadTransaction> {
  const block = await chain.blockByHash(blockHash)
  if (!block) throw new ReorgDetected()
  return readTransaction(chain, watch, txHash, block)
}

/**
 * Our transfers in a transaction of a block, or the reason why the endpoints did not deliver its receipt.
 * Throws ReorgDetected if the transaction is no longer in that block.
 */
export async function readTransaction(
  chain: Chain,
  watch: Watch,
  txHash: string,
  block: Block,
): Promise<ReadTransaction> {
  const receipt = await chain.receipt(txHash, block.number).catch((error: unknown) => {
    if (error instanceof CallRefused || error instanceof Unreachable) return error
    throw error
  })
  if (receipt instanceof Error) return { unread: unreadOf(txHash, block, receipt) }
  if (!receipt) {
    if ((await requireBlock(chain, block.number)).hash !== block.hash) throw new ReorgDetected()
    return { unread: unreadOf(txHash, block, new CallRefused('no endpoint has its receipt')) }
  }
  if (receipt.blockHash !== block.hash) throw new ReorgDetected()
  return { newRows: await rowsOfTransaction(chain, watch, receipt, block) }
}

/**
 * All our rows of a transaction, classified together: the coins that it carried, its token transfers, what wrapped
 * coins credited and debited, and `within`, the coins that a contract moved in it. The coins that it carried are read
 * only if one of our wallets sent it, because otherwise they are a part of no exchange of ours.
 */
export async function rowsOfTransaction(
  chain: Chain,
  watch: Watch,
  receipt: Receipt,
  block: Block,
  within: readonly Transfer[] = [],
  carried?: Transfer | null,
): Promise<NewRow[]> {
  if (receipt.status !== '0x1') return []
  const sender = watch.accounts.get(receipt.from)
  const native = carried === undefined && sender ? await nativeIn(chain, watch, receipt) : (carried ?? null)
  const transfers = [...(native ? [native] : []), ...transfersOf(receipt), ...wrapsOf(receipt), ...within]
  const newRows: NewRow[] = []
  for (const transfer of transfers) {
    const newRow = await newRowOf(chain, watch, transfer, block)
    if (newRow) newRows.push(newRow)
  }
  return newRows.length > 0 ? classifyTogether(newRows, sender) : []
}

async function nativeIn(chain: Chain, watch: Watch, receipt: Receipt): Promise<Transfer | null> {
  if (!tokenOf(watch, null)) return null
  const transaction = await chain.transaction(receipt.transactionHash, receipt.blockNumber)
  if (transaction?.blockHash !== receipt.blockHash) throw new ReorgDetected()
  return nativeTransferOf(transaction)
}

function unreadOf(txHash: string, block: Block, fault: Error): UnreadTransaction {
  return {
    tx_hash: txHash,
    block_number: block.number,
    block_hash: block.hash,
    block_time: timeOf(block),
    fault: fault.message.slice(0, 300),
    is_too_large: fault instanceof TooLarge,
  }
}

/**
 * The transactions with transfers of our tokens from or to our wallets in the blocks from `from` to `ahead`,
 * in the chain's order. If the event logs of a single block are too large, requests them for each token and
 * wallet. If one of these responses is too large too, returns all transactions of the block.
 */
async function findPlaces(chain: Chain, watch: Watch, from: number, ahead: Block): Promise<Place[]> {
  try {
    return placesOf(await findLogs(chain, watch, from, ahead.number))
  } catch (error) {
    if (!(error instanceof RangeTooLarge) || from < ahead.number) throw error
  }
  // An endpoint that has switched the method off refuses every range.
  await chain.probe()
  try {
    const logs: ChainLog[] = []
    for (const token of watch.tokens)
      for (const { accounts, goals } of separately(watch))
        logs.push(...(await findLogs(chain, { tokens: [token], accounts, goals }, from, from)))
    return placesOf(logs.sort(inOrder))
  } catch (error) {
    if (!(error instanceof RangeTooLarge)) throw error
  }
  const block = await chain.transactionsOf(from)
  if (block?.hash !== ahead.hash) throw new ReorgDetected()
  return block.transactions.map((txHash, index) => ({
    txHash,
    index,
    blockNumber: from,
    blockHash: block.hash,
  }))
}

/** Splits a watch into one filter for each wallet. */
function separately({ accounts, goals }: Watch): Pick<Watch, 'accounts' | 'goals'>[] {
  return [
    ...Array.from(accounts, (entry) => ({ accounts: new Map([entry]), goals: new Map() })),
    ...Array.from(goals, (entry) => ({ accounts: new Map(), goals: new Map([entry]) })),
  ]
}

/** The transactions of event logs, in the order of the logs. Each transaction occurs once. */
function placesOf(logs: readonly ChainLog[]): Place[] {
  const places = new Map<string, Place>()
  for (const { transactionHash: txHash, transactionIndex: index, blockNumber, blockHash } of logs)
    if (!places.has(txHash)) places.set(txHash, { txHash, index, blockNumber, blockHash })
  return [...places.values()]
}

/**
 * The event logs of our tokens' transfers from or to our wallets, and of those to goals' wallets, in the
 * chain's order. The event log of a transfer between two of our wallets occurs twice.
 */
export async function findLogs(
  chain: Chain,
  watch: Pick<Watch, 'tokens' | 'accounts' | 'goals'>,
  from: number,
  to: number,
): Promise<ChainLog[]> {
  const contracts = watch.tokens.flatMap(({ address }) => address ?? [])
  if (contracts.length === 0) return []
  const logs = await Promise.all(
    transferTopics(walletsOf(watch), watch.goals.keys()).map((topics) =>
      chain.logs(from, to, topics, contracts),
    ),
  )
  return logs.flat().sort(inOrder)
}

/**
 * A transfer as a row, valued and classified. Null if the transfer is not ours, if its token is not followed,
 * or if its amount is zero: anyone can make a token contract emit a transfer of a zero amount from any
 * sender.
 */
async function newRowOf(
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

/** A block of the chain. Throws Unreachable if no endpoint has the block. */
export async function requireBlock(chain: Chain, number: number): Promise<Block> {
  const block = await chain.block(number)
  if (!block) throw new Unreachable(`no endpoint has block ${number}`)
  return block
}
