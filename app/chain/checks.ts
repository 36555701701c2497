import type { Status } from '../ledger/statuses.ts'
import { listWords } from '../list.ts'
import { Refused, Unreachable } from './chain-errors.ts'
import { type Block, type Chain, mapInBatches, type Receipt } from './rpc.ts'
import { timeOf } from './scan.ts'
import { nativeTransferOf, type Transfer, transfersOf } from './transfers.ts'

/** The facts of a row that can be checked on chain. */
export interface Claim {
  id: number
  tx_hash: string
  ordinal: number
  token_address: string | null
  token_amount: bigint | null
  from_address: string
  to_address: string
}

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

/** The check of a row for which the endpoints returned no agreed result. This status says nothing about the row. */
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

/**
 * Checks rows against the chain. Requests each block once. `depth` is the number of confirmations at which a block is
 * final.
 */
export async function checkRows(chain: Chain, depth: number, claims: readonly Claim[]): Promise<Check[]> {
  const blocks = new Map<number, Promise<Block | null>>()
  const canonical = (number: number) => {
    const block = blocks.get(number) ?? chain.block(number)
    blocks.set(number, block)
    return block
  }
  return mapInBatches(claims, (claim) => check(chain, depth, claim, canonical))
}

async function check(
  chain: Chain,
  depth: number,
  claim: Claim,
  canonical: (number: number) => Promise<Block | null>,
): Promise<Check> {
  const gone = (reason: string): Check => ({
    ...blockless,
    transaction_id: claim.id,
    status: 'reorganised',
    reason,
  })
  try {
    const receipt = await chain.receipt(claim.tx_hash)
    if (!receipt) return gone("This transaction isn't on the blockchain.")
    const block = await canonical(receipt.blockNumber)
    if (block?.hash !== receipt.blockHash) return gone('Its block was replaced.')
    const found = await difference(chain, claim, receipt)
    const confirmations = Math.max(0, chain.head - receipt.blockNumber + 1)
    return {
      transaction_id: claim.id,
      status: found ? 'mismatch' : confirmations < depth ? 'pending' : 'verified',
      block_number: receipt.blockNumber,
      block_hash: receipt.blockHash,
      block_time: timeOf(block),
      confirmations,
      reason: found,
    }
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Refused) return unreachable(claim.id)
    throw error
  }
}

/** Why the chain contradicts a row, or null if it does not. */
async function difference(chain: Chain, claim: Claim, receipt: Receipt): Promise<string | null> {
  if (receipt.status !== '0x1') return 'This transaction failed.'
  const moved = claim.ordinal < 0 ? await nativeOf(chain, receipt) : transfersOf(receipt)[claim.ordinal]
  return moved ? differenceOf(claim, moved) : "This transaction doesn't contain that transfer."
}

async function nativeOf(chain: Chain, { transactionHash, blockHash }: Receipt): Promise<Transfer | null> {
  const transaction = await chain.transaction(transactionHash)
  // The endpoints have the receipt, but not the transaction in the same block: they are importing the block.
  if (transaction?.blockHash !== blockHash) throw new Unreachable('no endpoint has the transaction')
  return nativeTransferOf(transaction)
}

/** The facts in which a row and its transfer differ, as a sentence, or null. */
function differenceOf(claim: Omit<Claim, 'id'>, moved: Transfer): string | null {
  const differing = [
    claim.from_address !== moved.from && 'sender',
    claim.to_address !== moved.to && 'recipient',
    claim.token_address !== moved.token && 'token',
    claim.token_amount !== moved.amount && 'amount',
  ].filter((fact) => fact !== false)
  return differing.length > 0 ? `The blockchain shows a different ${listWords(differing, 'and')}.` : null
}
