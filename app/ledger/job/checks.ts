import { CallRefused, Unreachable } from '../../chain/chain-errors.ts'
import { type Block, type Chain, mapInBatches, type Receipt, timeOf } from '../../chain/rpc.ts'
import { listWords } from '../../platform/list.ts'
import type { Status } from '../statuses.ts'
import {
  differencesOf,
  firstWithin,
  nativeTransferOf,
  type Transfer,
  type TransferFacts,
  transfersOf,
  wrapsOf,
} from '../token-transfers.ts'
import { requireBlock } from './scan.ts'

/** The facts of a row that a check compares with the chain. */
export interface Claim extends TransferFacts {
  id: number
  occurred_at: Date
  /** The block in which the latest check found the transaction; null if no check has found it. */
  block_number: number | null
  tx_hash: string
  ordinal: number
}

/** The rows of one transaction. */
type Claims = readonly [Claim, ...Claim[]]
/** Reads a block, each once. */
type Canonical = (number: number) => Promise<Block>

/** Maximum number of transactions whose blocks are searched by time in one call: each needs some 30 blocks. */
const maxSearches = 10

/** A check in the form that record_checks accepts. */
export interface Check {
  transaction_id: number
  status: Status
  block_number: number | null
  block_hash: string | null
  block_time: string | null
  confirmations: number | null
  reason: string | null
}

/** The check of a row for which the endpoints agreed on no result. This status says nothing about the row. */
export function unreachable(id: number): Check {
  return { ...blockless, transaction_id: id, status: 'unreachable' }
}

const blockless = {
  block_number: null,
  block_hash: null,
  block_time: null,
  confirmations: null,
  reason: null,
}

/** Checks rows, asking once for each transaction and block. `depth`: confirmations of a final block. */
export async function checkRows(chain: Chain, depth: number, claims: readonly Claim[]): Promise<Check[]> {
  const blocks = new Map<number, Promise<Block>>()
  let searches = 0
  const canonical = (number: number) => {
    const block = blocks.get(number) ?? requireBlock(chain, number)
    blocks.set(number, block)
    return block
  }
  for (const [number, ofBlock] of groupBy(claims, ({ block_number }) => block_number))
    if (number !== null) await chain.loadReceipts(number, [...new Set(ofBlock.map(({ tx_hash }) => tx_hash))])
  /** The blocks that may have the transaction of a row: the known one, or those of the row's time. */
  const blocksOf = async ({ block_number, occurred_at }: Claim) => {
    if (block_number !== null) return [block_number]
    if (++searches > maxSearches) throw new Unreachable('a later run searches for its block')
    return blocksAt(chain, occurred_at.getTime() / 1000, canonical)
  }
  const transactions = groupBy(claims, ({ tx_hash }) => tx_hash)
  const checks = await mapInBatches(chain, [...transactions], async ([txHash, ofTransaction]) => {
    try {
      return await checkTransaction(chain, depth, txHash, ofTransaction, canonical, blocksOf)
    } catch (error) {
      if (error instanceof Unreachable || error instanceof CallRefused)
        return ofTransaction.map(({ id }) => unreachable(id))
      throw error
    }
  })
  return checks.flat()
}

function groupBy<T, Key>(items: readonly T[], keyOf: (item: T) => Key): Map<Key, [T, ...T[]]> {
  const groups = new Map<Key, [T, ...T[]]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

async function checkTransaction(
  chain: Chain,
  depth: number,
  txHash: string,
  claims: Claims,
  canonical: Canonical,
  blocksOf: (claim: Claim) => Promise<number[]>,
): Promise<Check[]> {
  const gone = (reason: string) =>
    claims.map(({ id }): Check => ({ ...blockless, transaction_id: id, status: 'reorganised', reason }))
  const claim = claims.find(({ block_number }) => block_number !== null) ?? claims[0]
  const receipt =
    (await chain.receipt(txHash, claim.block_number ?? undefined)) ??
    (await findReceipt(chain, txHash, await blocksOf(claim)))
  if (!receipt) return gone("This transaction isn't on the blockchain.")
  const block = await canonical(receipt.blockNumber)
  if (block.hash !== receipt.blockHash) return gone('Its block was replaced.')
  const confirmations = Math.max(0, chain.head - receipt.blockNumber + 1)
  const transfers = [...transfersOf(receipt), ...wrapsOf(receipt)]
  const native = claims.some(({ ordinal }) => ordinal < 0) ? await nativeOf(chain, receipt) : null
  return claims.map((claim) => {
    const moved = claim.ordinal < 0 ? native : transfers.find(({ ordinal }) => ordinal === claim.ordinal)
    const reason = claim.ordinal >= firstWithin ? failureOf(receipt) : difference(claim, receipt, moved)
    return {
      transaction_id: claim.id,
      status: reason ? 'mismatch' : confirmations < depth ? 'pending' : 'verified',
      block_number: receipt.blockNumber,
      block_hash: receipt.blockHash,
      block_time: timeOf(block),
      confirmations,
      reason,
    }
  })
}

/** The sentence that states why the chain contradicts a row, or null if the chain has the row's transfer. */
function difference(claim: Claim, receipt: Receipt, moved: Transfer | null | undefined): string | null {
  const failure = failureOf(receipt)
  if (failure) return failure
  return moved ? differenceOf(claim, moved) : "This transaction doesn't contain that transfer."
}

/**
 * For coins that a contract moved within the transaction, this is the whole check: the balances at the two ends of its
 * block proved them when the row was found, and endpoints without an archive no longer have these.
 */
function failureOf({ status }: Receipt): string | null {
  return status === '0x1' ? null : 'This transaction failed.'
}

/** The receipt of a transaction in one of these blocks; null if they lack the transaction. */
async function findReceipt(chain: Chain, txHash: string, numbers: number[]): Promise<Receipt | null> {
  for (const number of numbers) {
    const block = await chain.transactionsOf(number)
    if (!block) throw new Unreachable(`no endpoint has block ${number}`)
    if (!block.transactions.includes(txHash)) continue
    const receipt = await chain.receipt(txHash, number)
    if (!receipt) throw new Unreachable('no endpoint has its receipt')
    return receipt
  }
  return null
}

/** The blocks of a second: a chain with a block every 0.45 s has several. */
async function blocksAt(chain: Chain, second: number, canonical: Canonical): Promise<number[]> {
  const secondOf = async (number: number) => (await canonical(number)).timestamp
  let [first, end] = [0, chain.head + 1]
  while (first < end) {
    const middle = Math.floor((first + end) / 2)
    if ((await secondOf(middle)) < second) first = middle + 1
    else end = middle
  }
  const numbers: number[] = []
  for (; first <= chain.head && (await secondOf(first)) === second; first += 1) numbers.push(first)
  return numbers
}

async function nativeOf(
  chain: Chain,
  { transactionHash, blockNumber, blockHash }: Receipt,
): Promise<Transfer | null> {
  const transaction = await chain.transaction(transactionHash, blockNumber)
  // The endpoints have the receipt, not yet the transaction: they are importing the block.
  if (transaction?.blockHash !== blockHash) throw new Unreachable('no endpoint has the transaction')
  return nativeTransferOf(transaction)
}

/** A sentence with the facts in which a row and its transfer differ, or null. */
function differenceOf(claim: TransferFacts, moved: Transfer): string | null {
  const differing = differencesOf(claim, moved)
  return differing.length > 0 ? `The blockchain shows a different ${listWords(differing, 'and')}.` : null
}
