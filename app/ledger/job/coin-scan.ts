import { CallRefused, ReorgDetected, TooLarge } from '../../chain/chain-errors.ts'
import { type BlockWith, type Chain, mapInBatches, type Receipt } from '../../chain/rpc.ts'
import { nativeTransferOf } from '../token-transfers.ts'
import { findWithin } from './coins-within.ts'
import type { NewRow } from './new-row.ts'
import { rowsOfTransaction } from './scan.ts'
import type { Watch } from './watch.ts'

/**
 * Transfers of the chain's native coin leave no event log. Therefore, this scan halves ranges of blocks to
 * find the blocks in which a wallet's balance or nonce changed, and reads these blocks with their
 * transactions (decision 025).
 */

/**
 * The maximum length of a span in which every block is read because old state is missing: 2.5 hours of a chain with a
 * block every 0.45 s. Several runs read it; a wallet whose state at its start is unknown has only one.
 */
const maxBlocksWithoutState = 20_000
const maxBlocksOfOneRun = 200
/** Maximum number of receipts of a block that are requested singly, without eth_getBlockReceipts. */
const maxReceipts = 500
/** The number of receipts after which the scan checks the remaining time. */
const receiptsPerPart = 30

/** A wallet after a block: its balance in base units, and how many transactions it has sent. */
interface State {
  block_number: number
  amount: bigint
  nonce: number
}

/** A block and the wallet's state after it; null values if the endpoints no longer have it. */
type Bound = State | { block_number: number; amount: null; nonce: null }

/** A wallet, and the gas paid since the first read block, in base units; null if part is unknown. */
interface Paid {
  wallet: string
  gas_paid: bigint | null
}

/** The block after which a scan begins. */
export type Start = Bound & Paid

/** The coin transfers of a wallet in a range of blocks. */
export interface CoinTransfers {
  newRows: NewRow[]
  /** The state after the last block that was read. */
  last: State & Paid
  /** Unread blocks: the endpoints no longer have the state of a change, or a block is too large. */
  unread: string[]
  /** Changes of the balance without a transaction of the wallet, because a contract moved the coins. */
  unexplained: string[]
}

/** The block in which the state changed; if old state is missing, those in which it may have changed. */
interface Span {
  after: Bound
  until: Bound
}

/** Reads the state of the wallet after a block. If `nonce` is passed, it is not read again. */
type Read = (block: number, nonce?: number) => Promise<Bound>

/**
 * The start of a scan whose first block is `block`; the state of the wallet before that block is unknown.
 * `gasPaid` is the gas that was counted before: 0 at the start of a count, null if unknown.
 */
export function startBefore(block: number, wallet: string, gasPaid: bigint | null): Start {
  return { wallet, block_number: Math.max(0, block - 1), amount: null, nonce: null, gas_paid: gasPaid }
}

/**
 * Reads the coin transfers of a wallet after the block of `start` and up to `until`, in order. Ends after `limits`
 * (calls, and milliseconds) if the state after the last block is known. Within a span without state, that is what the
 * wallet's own transactions make of the state before; if a contract moved coins too, the end of the span shows it.
 * Throws CallRefused if the endpoints have no state of the block `until`, and ReorgDetected if the chain was
 * reorganised while it was being read.
 */
export async function scanCoins(
  chain: Chain,
  watch: Watch,
  start: Start,
  until: number,
  limits = { calls: Number.POSITIVE_INFINITY, duration: Number.POSITIVE_INFINITY },
): Promise<CoinTransfers> {
  const { wallet } = start
  const [callsBefore, startedAt] = [chain.calls, Date.now()]
  const read: Read = (block, nonce) => findState(chain, wallet, block, nonce)
  let end = await readState(chain, wallet, until)
  const after = start.amount === null ? await read(start.block_number) : start
  const newRows: NewRow[] = []
  const unread: string[] = []
  const unexplained: string[] = []
  let gasPaid = start.gas_paid
  const isOver = () => chain.calls - callsBefore > limits.calls || Date.now() - startedAt > limits.duration
  for await (const span of findChanges(read, after, end)) {
    const place = `${wallet}: ${inWords(span)}`
    const most = span.after.amount === null ? maxBlocksOfOneRun : maxBlocksWithoutState
    const isLong = span.until.block_number - span.after.block_number > most
    // The last span may begin just before the limit, so this span gets more time.
    const latest = startedAt + 2 * limits.duration
    const contents = isLong ? null : await readSpan(chain, watch, wallet, span, latest, isOver)
    if (contents === null || contents instanceof TooLarge) {
      unread.push(contents ? `${place} (${contents.message})` : place)
      gasPaid = null
    } else {
      if (gasPaid !== null) gasPaid += contents.gas
      if (contents.reached) {
        newRows.push(...contents.newRows)
        end = contents.reached
        break
      }
      const change = changeIn(span)
      const rest = change === null ? 0n : change - contents.explained
      const within = rest === 0n ? [] : await readWithin(chain, watch, wallet, span, rest)
      if (!within) unexplained.push(`${place}, ${rest} of them not by its own transactions`)
      const isIn = (rows: readonly NewRow[], { tx_hash, ordinal }: NewRow) =>
        rows.some((row) => row.tx_hash === tx_hash && row.ordinal === ordinal)
      newRows.push(...contents.newRows.filter((row) => !isIn(within ?? [], row)), ...(within ?? []))
    }
    if (isOver() && span.until.amount !== null) {
      end = span.until
      break
    }
  }
  return { newRows, unread, unexplained, last: { ...end, wallet, gas_paid: gasPaid } }
}

async function readState(chain: Chain, wallet: string, block: number, known?: number): Promise<State> {
  const [amount, nonce] = await Promise.all([
    chain.balance(wallet, block),
    known ?? chain.nonce(wallet, block),
  ])
  return { block_number: block, amount, nonce }
}

async function findState(chain: Chain, wallet: string, block: number, known?: number): Promise<Bound> {
  try {
    return await readState(chain, wallet, block, known)
  } catch (error) {
    if (error instanceof CallRefused) return { block_number: block, amount: null, nonce: null }
    throw error
  }
}

/**
 * The blocks in which the state of a wallet changed, in order. Between two compared blocks, changes that
 * cancel each other leave the balance unchanged, but a payment by the wallet raises its nonce. So this search
 * misses changes only if they cancel each other and a contract moved the coins out without a transaction of
 * the wallet. Endpoints without an archive have the state of the newest blocks, so before these there is one span.
 */
async function* findChanges(read: Read, after: Bound, until: Bound): AsyncGenerator<Span> {
  if (after.block_number >= until.block_number || isSame(after, until)) return
  const middle = Math.floor((after.block_number + until.block_number) / 2)
  // A nonce never falls: if it is the same at both ends, it is the same between them.
  const nonce = after.nonce !== null && after.nonce === until.nonce ? after.nonce : undefined
  const between = middle > after.block_number ? await read(middle, nonce) : null
  if (between === null) yield { after, until }
  else if (between.amount === null) {
    const oldest = await findOldest(read, middle, until, nonce)
    if (!isSame(after, oldest)) yield { after, until: oldest }
    yield* findChanges(read, oldest, until)
  } else {
    yield* findChanges(read, after, between)
    yield* findChanges(read, between, until)
  }
}

/** The state after the oldest block between the two that the endpoints have; they lack that of `missing`. */
async function findOldest(read: Read, missing: number, until: Bound, nonce?: number): Promise<Bound> {
  let [last, oldest] = [missing, until]
  while (oldest.block_number - last > 1) {
    const between = await read(Math.floor((last + oldest.block_number) / 2), nonce)
    if (between.amount === null) last = between.block_number
    else oldest = between
  }
  return oldest
}

function isSame(after: Bound, until: Bound): boolean {
  return after.amount !== null && after.amount === until.amount && after.nonce === until.nonce
}

/** The change of the balance in base units; null if a balance is unknown. */
function changeIn({ after, until }: Span): bigint | null {
  return after.amount === null || until.amount === null ? null : until.amount - after.amount
}

interface SpanContents {
  newRows: NewRow[]
  /** The gas that the wallet paid, in base units. */
  gas: bigint
  /** The change of the balance that the transfers and the gas explain, in base units. */
  explained: bigint
  /** The state after the last block that was read, if this is not the end of the span. */
  reached?: State
}

/**
 * The transactions from or to the wallet in a span, until `isOver` if the state before it is known. Returns TooLarge if a block is too large for the
 * endpoints, or cannot be read before the time `latest`.
 */
async function readSpan(
  chain: Chain,
  watch: Watch,
  wallet: string,
  { after, until }: Span,
  latest: number,
  isOver: () => boolean,
): Promise<SpanContents | TooLarge> {
  const contents: SpanContents = { newRows: [], gas: 0n, explained: 0n }
  let sent = 0
  try {
    for (let number = after.block_number; number < until.block_number; ) {
      const length = Math.min(chain.parallel, until.block_number - number)
      const numbers = Array.from({ length }, (_, at) => number + 1 + at)
      for (const block of await mapInBatches(chain, numbers, (each) => chain.blockWith(each, wallet))) {
        if (!block) throw new ReorgDetected()
        const { newRows, gas, carried } = await readBlock(chain, watch, wallet, block, latest)
        contents.newRows.push(...newRows)
        contents.gas += gas
        contents.explained += carried - gas
        sent += block.transactions.filter(({ from }) => from === wallet).length
      }
      number += length
      if (after.amount === null || number === until.block_number || !isOver()) continue
      const amount = after.amount + contents.explained
      if (amount >= 0n)
        return { ...contents, reached: { block_number: number, amount, nonce: after.nonce + sent } }
    }
    return contents
  } catch (error) {
    if (error instanceof TooLarge) return error
    throw error
  }
}

async function readBlock(chain: Chain, watch: Watch, wallet: string, block: BlockWith, latest: number) {
  const hashes = block.transactions.map(({ hash }) => hash)
  const isLoaded = await chain.loadReceipts(block.number, hashes)
  if (!isLoaded && hashes.length > maxReceipts)
    throw new TooLarge(`block ${block.number} has ${hashes.length} transactions of the wallet`)
  const receipts: (Receipt | null)[] = []
  while (receipts.length < hashes.length) {
    if (!isLoaded && Date.now() > latest)
      throw new TooLarge(
        `block ${block.number} has ${hashes.length} transactions of the wallet, too many for a run`,
      )
    const part = hashes.slice(receipts.length, receipts.length + receiptsPerPart)
    receipts.push(...(await mapInBatches(chain, part, (hash) => chain.receipt(hash, block.number))))
  }
  const newRows: NewRow[] = []
  let gas = 0n
  /** The coins that these transactions moved to the wallet, less those that they moved from it. */
  let carried = 0n
  for (const [at, transaction] of block.transactions.entries()) {
    const receipt = receipts[at]
    const cost = transaction.from === wallet ? await chain.gasCost(transaction.hash, block.number) : 0n
    if (receipt?.blockHash !== block.hash || cost === null) throw new ReorgDetected()
    gas += cost
    const transfer = receipt.status === '0x1' ? nativeTransferOf(transaction) : null
    if (!transfer) continue
    if (transfer.to === wallet) carried += transfer.amount
    if (transfer.from === wallet) carried -= transfer.amount
    newRows.push(...(await rowsOfTransaction(chain, watch, receipt, block, [], transfer)))
  }
  return { newRows, gas, carried }
}

/** The rows of coins that a contract moved in a span; null if the span has several blocks, or it is not clear. */
async function readWithin(
  chain: Chain,
  watch: Watch,
  wallet: string,
  { after, until }: Span,
  rest: bigint,
): Promise<NewRow[] | null> {
  if (until.block_number !== after.block_number + 1) return null
  try {
    return await findWithin(chain, watch, wallet, until.block_number, rest)
  } catch (error) {
    if (error instanceof CallRefused) return null
    throw error
  }
}

function inWords(span: Span): string {
  const [first, last] = [span.after.block_number + 1, span.until.block_number]
  const blocks = first === last ? `block ${last}` : `blocks ${first} to ${last}`
  const change = changeIn(span)
  if (change === null) return `${blocks} may have changed it`
  return change === 0n
    ? `${blocks} have its transactions, which did not change it`
    : `${blocks} changed it by ${change} base units`
}
