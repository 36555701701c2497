import { Refused } from './chain-errors.ts'
import { type Chain, mapInBatches } from './rpc.ts'
import { type Entry, entryOf, ReorgDetected } from './scan.ts'
import { nativeTransferOf } from './transfers.ts'
import type { Watch } from './watch.ts'

/**
 * Transfers of the chain's own coin leave no log. A wallet's balance shows where they are: the blocks in which it changed
 * are found by halving, and read with their transactions.
 */

/** Where old state is missing, so many blocks are read with all of their transactions. Of 0.45 s each: 90 seconds. */
const maxBlocksWithoutState = 200

/** The balance of a wallet after a block, in base units. */
interface CoinBalance {
  wallet: string
  block_number: number
  amount: bigint
  /** What the wallet has paid for gas until then, from the first block that was read; null where part is not known. */
  gas_paid: bigint | null
}

/** Where to begin; `amount` is null where it is not known. */
export interface Start extends Omit<CoinBalance, 'amount'> {
  amount: bigint | null
}

/** The coin transfers of a wallet in the blocks after one and up to another. */
export interface CoinScan {
  entries: Entry[]
  /** The balance at the end of what was read. */
  last: CoinBalance
  /** Blocks that were not read: the endpoints no longer have the state that says where the balance changed. */
  unread: string[]
  /** Changes that no transaction from or to the wallet explains: a contract moved coins. */
  unexplained: string[]
}

/** Blocks with a change of the balance: one, or several where old state is missing. */
interface Span {
  after: number
  until: number
  /** In base units; null where the balance before is not known. */
  change: bigint | null
}

/** The balance after a block, or null where the endpoints no longer have that state. */
type BalanceAt = (block: number) => Promise<bigint | null>

/** The state before a block, where the balance of the wallet is not known. `gasPaid` is 0 for the first block to read. */
export function startBefore(block: number, wallet: string, gasPaid: bigint | null): Start {
  return { wallet, block_number: Math.max(0, block - 1), amount: null, gas_paid: gasPaid }
}

/**
 * Reads the coin transfers of a wallet after the block of `start` and up to `until`, in order. Begins no further span of
 * blocks after `maxCalls` calls. Throws Refused where the endpoints have no state of the last block.
 */
export async function scanCoins(
  chain: Chain,
  watch: Watch,
  start: Start,
  until: number,
  maxCalls = Number.POSITIVE_INFINITY,
): Promise<CoinScan> {
  const { wallet } = start
  const begun = chain.calls
  const balanceAt: BalanceAt = async (block) =>
    block === start.block_number && start.amount !== null ? start.amount : findBalance(chain, wallet, block)
  const end = await chain.balance(wallet, until)
  const entries: Entry[] = []
  const unread: string[] = []
  const unexplained: string[] = []
  let gasPaid = start.gas_paid
  for await (const span of findChanges(balanceAt, start.block_number, until)) {
    const place = `${wallet}: ${inWords(span)}`
    if (span.until - span.after > maxBlocksWithoutState) {
      unread.push(place)
      gasPaid = null
    } else {
      const found = await readSpan(chain, watch, wallet, span)
      entries.push(...found.entries)
      if (gasPaid !== null) gasPaid += found.gas
      if (span.change !== null && span.change !== found.explained)
        unexplained.push(`${place}, ${span.change - found.explained} of them not by its own transactions`)
    }
    const amount = await balanceAt(span.until)
    if (chain.calls - begun > maxCalls && amount !== null)
      return {
        entries,
        unread,
        unexplained,
        last: { wallet, block_number: span.until, amount, gas_paid: gasPaid },
      }
  }
  return {
    entries,
    unread,
    unexplained,
    last: { wallet, block_number: until, amount: end, gas_paid: gasPaid },
  }
}

async function findBalance(chain: Chain, wallet: string, block: number): Promise<bigint | null> {
  try {
    return await chain.balance(wallet, block)
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}

/**
 * The blocks in which a balance changed, in order. Changes that cancel each other between two blocks that are compared
 * are not found. A payment costs gas, so a wallet with a key makes them only if what it receives is exactly what it pays.
 */
async function* findChanges(balanceAt: BalanceAt, after: number, until: number): AsyncGenerator<Span> {
  const before = await balanceAt(after)
  const end = await balanceAt(until)
  if (after >= until || (before !== null && before === end)) return
  const middle = Math.floor((after + until) / 2)
  if (middle === after || (await balanceAt(middle)) === null)
    yield { after, until, change: before === null || end === null ? null : end - before }
  else {
    yield* findChanges(balanceAt, after, middle)
    yield* findChanges(balanceAt, middle, until)
  }
}

/** The wallet's own transactions in a span: their transfers as rows, their gas, and the change that both explain. */
async function readSpan(
  chain: Chain,
  watch: Watch,
  wallet: string,
  { after, until }: Span,
): Promise<{ entries: Entry[]; gas: bigint; explained: bigint }> {
  const numbers = Array.from({ length: until - after }, (_, at) => after + 1 + at)
  const blocks = await mapInBatches(numbers, (number) => readBlock(chain, watch, wallet, number))
  return {
    entries: blocks.flatMap(({ entries }) => entries),
    gas: blocks.reduce((sum, { gas }) => sum + gas, 0n),
    explained: blocks.reduce((sum, { gas, carried }) => sum + carried - gas, 0n),
  }
}

async function readBlock(chain: Chain, watch: Watch, wallet: string, number: number) {
  const block = await chain.blockWith(number, wallet)
  if (!block) throw new ReorgDetected()
  const entries: Entry[] = []
  let gas = 0n
  /** What the transactions themselves carried to the wallet, less what they carried from it. */
  let carried = 0n
  for (const transaction of block.transactions) {
    const receipt = await chain.receipt(transaction.hash)
    const cost = transaction.from === wallet ? await chain.gasCost(transaction.hash) : 0n
    if (receipt?.blockHash !== block.hash || cost === null) throw new ReorgDetected()
    gas += cost
    const transfer = receipt.status === '0x1' ? nativeTransferOf(transaction) : null
    if (!transfer) continue
    if (transfer.to === wallet) carried += transfer.amount
    if (transfer.from === wallet) carried -= transfer.amount
    const entry = await entryOf(chain, watch, transfer, block)
    if (entry) entries.push(entry)
  }
  return { entries, gas, carried }
}

function inWords({ after, until, change }: Span): string {
  const blocks = until - after === 1 ? `block ${until}` : `blocks ${after + 1} to ${until}`
  return `${blocks} ${change === null ? 'may have changed it' : `changed it by ${change} base units`}`
}
