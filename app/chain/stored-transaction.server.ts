/**
 * Transactions whose signed bytes the database stores before they are sent: anchors, and payments of orders. All
 * transactions of one anchor or order have one nonce, so at most one of them is mined.
 */
import { keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod/mini'
import { unitsColumn } from '../platform/server/columns.server.ts'
import { type Block, type Chain, inGwei, type Receipt } from './rpc.ts'

/** A stored transaction, as the database returns it. */
export const storedTransaction = z.object({
  id: z.number(),
  raw: z.templateLiteral(['0x', z.string()]),
  tx_hash: z.templateLiteral(['0x', z.string()]),
  gas_price: unitsColumn,
  signed_at: z.pipe(
    z.string(),
    z.transform((time) => Date.parse(time)),
  ),
})
type StoredTransaction = z.infer<typeof storedTransaction>

/** The age in milliseconds after which an unmined transaction is replaced by one with a higher gas price. */
const replaceAfter = 10 * 60_000
/** Raises a gas price by an eighth. Nodes accept a replacement only if its price is at least a tenth higher. */
const raise = (price: bigint) => price + price / 8n + 1n
/** A replacement offers at most this many times the gas price that the network asks. */
const mostTimes = 20n

/** What the chain says about the transactions of one nonce, newest first. */
export type FoundTransaction<Stored extends StoredTransaction> =
  | { kind: 'mined'; transaction: Stored; receipt: Receipt; block: Block; isFinal: boolean }
  /** A final block used the nonce, and no endpoint has a receipt: another transaction, or a node that forgot ours. */
  | { kind: 'used' }
  /**
   * None is mined, or a reorganisation removed the block. `since`: when the first was signed, in milliseconds. `price`:
   * the gas price of a replacement, if one is due. `fault`: why none is due any more.
   */
  | { kind: 'waiting'; newest: Stored; since: number; price: bigint | null; fault?: string }

/**
 * Finds the transaction of a nonce that is mined, or why none is. `most`: the greatest gas price of a replacement, in
 * addition to `mostTimes`.
 */
export async function findMined<Stored extends StoredTransaction>(
  chain: Chain,
  {
    from,
    nonce,
    transactions,
  }: { from: string; nonce: number; transactions: readonly [Stored, ...Stored[]] },
  confirmations: number,
  most?: bigint,
): Promise<FoundTransaction<Stored>> {
  for (const transaction of transactions) {
    const receipt = await chain.receipt(transaction.tx_hash)
    if (!receipt) continue
    const block = await chain.block(receipt.blockNumber)
    if (block?.hash !== receipt.blockHash) continue
    const isFinal = chain.head - receipt.blockNumber + 1 >= confirmations
    return { kind: 'mined', transaction, receipt, block, isFinal }
  }
  if ((await chain.nonce(from, Math.max(0, chain.head - confirmations))) > nonce) return { kind: 'used' }
  const [newest] = transactions
  const since = transactions.at(-1)?.signed_at ?? newest.signed_at
  const waiting = { kind: 'waiting', newest, since, price: null } as const
  if (Date.now() - newest.signed_at < replaceAfter) return waiting
  return { ...waiting, ...(await replacementPrice(chain, newest, most)) }
}

/**
 * The gas price of a replacement: an eighth more, or what the network asks if that is more; or why none may be offered. `most`:
 * the greatest gas price, in addition to `mostTimes`.
 */
export async function replacementPrice(
  chain: Chain,
  { gas_price }: Pick<StoredTransaction, 'gas_price'>,
  most?: bigint,
): Promise<{ price: bigint | null; fault?: string }> {
  const asked = await chain.gasPrice()
  let price = raise(gas_price)
  if (asked > price) price = asked
  const limit = most !== undefined && most < mostTimes * asked ? most : mostTimes * asked
  if (price <= limit) return { price }
  return {
    price: null,
    fault: `no block has the transaction, and a replacement may offer at most ${inGwei(limit)}`,
  }
}

/** The minutes after which an unmined transaction needs an operator's eye: runs have sent it again three times. */
const soon = 3

/** What a run's report says about a transaction that was sent. */
export interface Sending {
  /** Why endpoints refuse it, in their words. */
  refused?: string
  /** Minutes since the first transaction of its nonce was signed, from the third on. */
  unmined?: number
  /** A sentence for the operator: nothing is anchored or paid. */
  fault?: string
}

/** Sends the newest transaction of a nonce. `since` and `fault` are those of findMined. */
export async function sendStored(
  chain: Chain,
  raw: string,
  { since = Date.now(), fault }: { since?: number; fault?: string } = {},
): Promise<Sending> {
  const { accepted, refused } = await chain.send(raw)
  const minutes = Math.floor((Date.now() - since) / 60_000)
  return {
    ...(refused && { refused }),
    ...(minutes >= soon && { unmined: minutes }),
    ...(fault && { fault }),
    ...(accepted === 0 && { fault: `no endpoint takes the transaction${refused ? `: ${refused}` : ''}` }),
  }
}

/** The address of a key, in lower case. */
export function addressOf(key: `0x${string}`): string {
  return privateKeyToAccount(key).address.toLowerCase()
}

/** A signed transaction without coins, with its hash. The same input gives the same bytes. */
export async function signTransaction(
  key: `0x${string}`,
  call: { chainId: number; nonce: number; to: string; data: `0x${string}`; gas: bigint; gasPrice: bigint },
): Promise<{ raw: `0x${string}`; hash: string }> {
  const raw = await privateKeyToAccount(key).signTransaction({
    ...call,
    type: 'legacy',
    to: call.to as `0x${string}`,
    value: 0n,
  })
  return { raw, hash: keccak256(raw) }
}
