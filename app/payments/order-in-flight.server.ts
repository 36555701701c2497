/** How an order in flight ends: by its own receipt, by its nonce, or not yet. */
import { parseTransaction } from 'viem'
import * as z from 'zod/mini'
import { RangeTooLarge, Unreachable } from '../chain/chain-errors.ts'
import { maxCalls } from '../chain/job-limits.ts'
import { type Block, type Chain, type ChainLog, inGwei, type Receipt } from '../chain/rpc.ts'
import {
  addressOf,
  type FoundTransaction,
  findMined,
  replacementPrice,
  sendStored,
  signTransaction,
} from '../chain/stored-transaction.server.ts'
import { allowanceCall, balanceCall, numberOf, word } from '../chain/token-calls.ts'
import type { PayerReport } from '../ledger/job/ledger-report.ts'
import { append } from '../ledger/job/ledger-store.server.ts'
import { requireBlock, rowsOfTransaction } from '../ledger/job/scan.ts'
import type { Watch } from '../ledger/job/watch.ts'
import { transfersOf, transferTopic } from '../ledger/token-transfers.ts'
import { shownTransactionOf } from '../log/unknown-anchor.server.ts'
import type { Service } from '../platform/server/service.server.ts'
import { takeFreeNonce } from './free-nonce.server.ts'
import { mostGas, type SentOrder, transferFrom } from './payment-call.server.ts'

/** The minutes after which an order that is sent and not paid is a fault. */
const lateAfter = 30

/** The milliseconds by which the database's clock may differ from the time of blocks. */
const clockMargin = 10 * 60_000

/** When the first transaction of an order was signed, in milliseconds. */
const firstSigned = ({ transactions }: SentOrder) => (transactions.at(-1) ?? transactions[0]).signed_at

/** The report about an order that is sent; with a fault if it is sent for long. */
function withFault(order: SentOrder, report: PayerReport): PayerReport {
  const minutes = Math.floor((Date.now() - firstSigned(order)) / 60_000)
  if (report.fault || minutes < lateAfter) return report
  return {
    ...report,
    fault: `order ${order.id} was sent ${minutes} minutes ago, and the ledger has no payment of it`,
  }
}

/**
 * The transfer of an order by one of some transactions, in the event logs since its first one was signed; null without
 * one.
 */
async function findPayment(
  chain: Chain,
  order: SentOrder,
  hashes: readonly (string | null)[],
): Promise<ChainLog | null> {
  const { from_address, to_address, token_address, token_amount } = order
  const topics = [transferTopic, `0x${word(from_address)}`, `0x${word(to_address)}`]
  const since = firstSigned(order) - clockMargin
  let width = 1_000
  for (let end = chain.head; end >= 0; ) {
    if (chain.calls > maxCalls) throw new Unreachable('too many blocks to search for a payment in one run')
    const start = Math.max(0, end - width + 1)
    try {
      const logs = await chain.logs(start, end, topics, [token_address])
      const isIts = ({ data, transactionHash }: ChainLog) =>
        data === `0x${word(token_amount)}` && hashes.includes(transactionHash)
      const paid = logs.find(isIts)
      if (paid) return paid
      if ((await requireBlock(chain, start)).timestamp * 1000 < since) break
      end = start - 1
    } catch (error) {
      if (!(error instanceof RangeTooLarge) || width === 1) throw error
      width = Math.ceil(width / 2)
    }
  }
  return null
}

/** Whether the allowance, the balance or the event logs show a payment whose receipt says that it failed. */
async function hasMoved(chain: Chain, order: SentOrder, { blockNumber, transactionHash }: Receipt) {
  const { payer, from_address: owner, token_address: token, token_amount: amount } = order
  for (const data of [allowanceCall(owner, payer), balanceCall(owner)]) {
    const before = await numberOf(chain.call(token, data, blockNumber - 1))
    const after = await numberOf(chain.call(token, data, blockNumber))
    // Null if the endpoints no longer have this state.
    if (before !== null && after !== null && BigInt(before) - BigInt(after) === amount) return true
  }
  return (await findPayment(chain, order, [transactionHash])) !== null
}

/** The hash of another transaction with an order's nonce; null if the endpoints show none. */
async function otherTransaction(chain: Chain, { payer, nonce, transactions }: SentOrder) {
  const hash = (await shownTransactionOf(chain, payer, nonce))?.hash
  return hash && transactions.every(({ tx_hash }) => tx_hash !== hash) ? hash : null
}

/** What the ledger follows, with the wallet and the token of an order. */
function withOrder(
  watch: Watch,
  { account, from_address, token_symbol, token_address, token_decimals }: SentOrder,
): Watch {
  const token = {
    symbol: token_symbol,
    address: token_address,
    decimals: token_decimals,
    value: 'usd',
  } as const
  return {
    ...watch,
    accounts: new Map([...watch.accounts, [from_address, account]]),
    tokens: [...watch.tokens, token],
  }
}

/**
 * How stored bytes differ from a payment of an order that may be sent; null if they are one. The holder of the database's
 * secret key can store others.
 */
function differenceOf(
  raw: `0x${string}`,
  chainId: number,
  order: SentOrder,
  mostGasPrice: bigint,
): string | null {
  try {
    const { chainId: chain, nonce = 0, to, data, value = 0n, gasPrice = 0n } = parseTransaction(raw)
    const isIts = chain === chainId && nonce === order.nonce && to?.toLowerCase() === order.token_address
    if (!isIts || data !== transferFrom(order) || value !== 0n) return 'is not its payment'
    return gasPrice > mostGasPrice ? `offers ${inGwei(gasPrice)} for gas, above PAYMENT_MAX_GAS_GWEI` : null
  } catch {
    return 'is no transaction'
  }
}

/** The gas limit of signed bytes; the greatest if they are no transaction. */
function gasIn(raw: `0x${string}`): bigint {
  try {
    return parseTransaction(raw).gas ?? mostGas
  } catch {
    return mostGas
  }
}

/** What the steps about an order that is sent share. */
interface Flight {
  service: Service
  chain: Chain
  /** Undefined if the configuration has none any more. */
  key: `0x${string}` | undefined
  order: SentOrder
  watch: Watch
  /** What a transaction may offer for gas. */
  mostGasPrice: bigint
}

/**
 * Follows the order that is sent: until it is final and in the ledger, no other order is paid. It ends by evidence and never
 * by silence, and is named after half an hour.
 */
export async function followPayment(flight: Flight): Promise<PayerReport> {
  const { chain, order, watch, mostGasPrice } = flight
  const { payer: from, nonce, transactions } = order
  const found = await findMined(chain, { from, nonce, transactions }, watch.confirmations, mostGasPrice)
  switch (found.kind) {
    case 'used':
      return withFault(order, await endByNonce(flight))
    case 'mined':
      return withFault(
        order,
        found.isFinal ? await endByReceipt(flight, found.receipt, found.block) : { mined: order.id },
      )
    case 'waiting':
      return (
        (await takeFreeNonce({ ...flight, confirmations: watch.confirmations }, from, nonce)) ??
        withFault(order, await sendAgain(flight, found))
      )
  }
}

const recordEnd = ({ service, order }: Flight, outcome: 'failed' | 'mismatched' | 'lost', tx: string) =>
  service.call('end_payment', z.boolean(), { of_order: order.id, outcome, tx })

/** Its receipt is final: the order is paid, failed, or moved another amount than it says. */
async function endByReceipt(flight: Flight, receipt: Receipt, block: Block): Promise<PayerReport> {
  const { service, chain, order, watch } = flight
  const { id } = order
  if (receipt.status === '0x0') {
    if (await hasMoved(chain, order, receipt))
      return { fault: `the receipt of order ${id} says that it failed, and the token says that it was paid` }
    await recordEnd(flight, 'failed', receipt.transactionHash)
    return { failed: id }
  }
  const [moved, ...others] = transfersOf(receipt).filter(
    ({ token, from, to }) =>
      token === order.token_address && from === order.from_address && to === order.to_address,
  )
  if (moved?.amount !== order.token_amount || others.length > 0) {
    await recordEnd(flight, 'mismatched', receipt.transactionHash)
    return {
      mismatched: id,
      fault: `order ${id} moved another amount than it says: nothing more is paid in ${order.token_symbol}`,
    }
  }
  // The scan did not find it, for example because the configuration lost its wallet or its token.
  await append(service, await rowsOfTransaction(chain, withOrder(watch, order), receipt, block))
  return { mined: id }
}

/** Its nonce is used, and no endpoint has a receipt of it: it ends only by its transfer, or by another transaction. */
async function endByNonce(flight: Flight): Promise<PayerReport> {
  const { chain, order } = flight
  const { id, nonce, transactions } = order
  const other = await otherTransaction(chain, order)
  const paid = await findPayment(chain, order, [...transactions.map(({ tx_hash }) => tx_hash), other])
  const used = `the nonce ${nonce} of the payer is used`
  // Nodes that forgot in which block it is have the block.
  const receipt = paid && (await chain.receipt(paid.transactionHash, paid.blockNumber))
  if (receipt && receipt.transactionHash !== other)
    return endByReceipt(flight, receipt, await requireBlock(chain, receipt.blockNumber))
  if (paid || !other) {
    const words = paid ? `, but ${paid.transactionHash} moved its amount` : ''
    return { fault: `${used}, and no endpoint has a receipt of order ${id}${words}` }
  }
  await recordEnd(flight, 'lost', transactions[0].tx_hash)
  return { lost: id, fault: `${used} by ${other}: all payments are on hold` }
}

/** It is not mined: its stored bytes are sent again, or a replacement with the price that the network asks now. */
async function sendAgain(
  flight: Flight,
  found: FoundTransaction<SentOrder['transactions'][0]> & { kind: 'waiting' },
): Promise<PayerReport> {
  const { service, chain, key, order, mostGasPrice } = flight
  const { id, payer: from, nonce } = order
  const { newest } = found
  const foreign = differenceOf(newest.raw, chain.id, order, mostGasPrice)
  if (foreign) return { fault: `the stored transaction of order ${id} ${foreign}: it is not sent` }
  const gas = gasIn(newest.raw)
  /** Signs, stores and sends a replacement; null if none may be made. */
  const replace = async (price: bigint | null): Promise<PayerReport | null> => {
    // Without its key, the same bytes can be sent again, but not replaced.
    if (
      price === null ||
      !key ||
      addressOf(key) !== from ||
      (await chain.balance(from, chain.head)) < gas * price
    )
      return null
    const call = { chainId: chain.id, nonce, to: order.token_address, data: transferFrom(order) }
    const { raw, hash } = await signTransaction(key, { ...call, gas, gasPrice: price })
    const replacement = { of_order: id, raw, tx_hash: hash, gas_price: `${price}` as const }
    const isStored = await service.call('replace_order_transaction', z.boolean(), replacement)
    return isStored ? { resent: id, ...(await sendStored(chain, raw, found)) } : null
  }
  const replaced = await replace(found.price)
  if (replaced) return replaced
  const sending = await sendStored(chain, newest.raw, found)
  // A node says that its minimum, or another transaction with this nonce, asks more.
  if (/underpriced|fee too low|below minimum/i.test(sending.refused ?? '')) {
    const { price, fault } = await replacementPrice(chain, newest, mostGasPrice)
    return (await replace(price)) ?? { resent: id, ...sending, ...(fault && { fault }) }
  }
  return { resent: id, ...sending }
}
