import { hexToString } from 'viem'
import { CallRefused, TooLarge, Unreachable } from '../chain/chain-errors.ts'
import type { Chain } from '../chain/rpc.ts'
import type { Service } from '../platform/server/service.server.ts'
import { type AnchorState, readAnchorState } from './anchor-state.server.ts'
import { encodeBase64, LogError } from './bytes.ts'
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts'

/** A checkpoint that a transaction on the chain contains. */
export interface AnchoredCheckpoint {
  size: number
  /** In base64. */
  root: string
}

/**
 * The checkpoint in the newest transaction of the anchor address, if that address has sent more transactions
 * than the database has stored: the database was restored from a backup, or the key was used for something
 * else. Null if the database has all transactions, or if the newest transaction contains no checkpoint of
 * this log. Throws an Error if the endpoints do not have the state of the block in which that transaction was
 * mined.
 */
export async function findUnknownAnchor(
  service: Service,
  chain: Chain,
  address: string,
  origin: string,
): Promise<AnchoredCheckpoint | null> {
  const sent = await chain.nonce(address, chain.head)
  const known = nextNonce(await readAnchorState(service, chain.id, address))
  if (sent <= known) return null
  try {
    const newest = await transactionOf(chain, address, sent - 1)
    const checkpoint = newest && readCheckpoint(newest.input, origin)
    return checkpoint ? { size: checkpoint.size, root: encodeBase64(checkpoint.root) } : null
  } catch (error) {
    if (!(error instanceof CallRefused) || error instanceof TooLarge) throw error
    throw new Error(
      `the anchor address has sent ${sent} transactions, the ledger knows ${known}, and no two endpoints serve the state in which the last was sent: nothing is signed. See docs/ledger-job.md`,
    )
  }
}

const nextNonce = ({ next_nonce }: AnchorState) => next_nonce ?? 0

/** The transaction of an address with a used nonce, and its block. Throws CallRefused without old state. */
async function transactionOf(chain: Chain, address: string, nonce: number) {
  const blockNumber = await blockOfNonce(chain, address, nonce + 1)
  const block = await chain.blockWith(blockNumber, address)
  const found = block?.transactions.find((each) => each.from === address && each.nonce === nonce)
  return found && { ...found, blockNumber }
}

/** As transactionOf; null if the endpoints do not show it. */
export async function shownTransactionOf(chain: Chain, address: string, nonce: number) {
  try {
    return (await transactionOf(chain, address, nonce)) ?? null
  } catch (error) {
    if (error instanceof CallRefused || error instanceof Unreachable) return null
    throw error
  }
}

/** The block in which the address reached this number of transactions, by doubling, then bisection. */
async function blockOfNonce(chain: Chain, address: string, nonce: number): Promise<number> {
  let reached = chain.head
  let before = -1
  for (let step = 1; reached > 0; step *= 2) {
    const at = Math.max(0, reached - step)
    if ((await chain.nonce(address, at)) < nonce) {
      before = at
      break
    }
    reached = at
  }
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2)
    if ((await chain.nonce(address, middle)) < nonce) before = middle
    else reached = middle
  }
  return reached
}

/** The checkpoint in a transaction's data; null for other data, or for a checkpoint of another origin. */
function readCheckpoint(data: string, origin: string): Checkpoint | null {
  try {
    const checkpoint = parseCheckpoint(hexToString(data as `0x${string}`))
    return checkpoint.origin === origin ? checkpoint : null
  } catch (error) {
    if (error instanceof LogError) return null
    throw error
  }
}
