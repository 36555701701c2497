import { parseTransaction } from 'viem'
import * as z from 'zod/mini'
import { CallRefused, RangeTooLarge, Unreachable } from '../chain/chain-errors.ts'
import { maxCalls } from '../chain/job-limits.ts'
import { type Block, type Chain, type ChainLog, inGwei, type Receipt, timeOf } from '../chain/rpc.ts'
import {
  addressOf,
  findMined,
  replacementPrice,
  sendStored,
  signTransaction,
  storedTransaction,
} from '../chain/stored-transaction.server.ts'
import type { PayerReport } from '../ledger/job/ledger-report.ts'
import { append } from '../ledger/job/ledger-store.server.ts'
import { requireBlock, rowsOfTransaction } from '../ledger/job/scan.ts'
import { decimalsOf } from '../ledger/job/token-check.ts'
import type { Watch } from '../ledger/job/watch.ts'
import { transfersOf, transferTopic } from '../ledger/token-transfers.ts'
import { transactionOf } from '../log/unknown-anchor.server.ts'
import { integerColumn, unitsColumn } from '../platform/server/columns.server.ts'
import type { Service } from '../platform/server/service.server.ts'
import { formatTokens } from '../platform/tokens.ts'

const orderFacts = z.object({
  id: integerColumn,
  from_address: z.string(),
  to_address: z.string(),
  token_address: z.string(),
  token_symbol: z.string(),
  token_decimals: integerColumn,
  token_amount: unitsColumn,
})
type OrderFacts = z.infer<typeof orderFacts>

const sentOrder = z.extend(orderFacts, {
  account: z.string(),
  payer: z.string(),
  nonce: integerColumn,
  transactions: z.pipe(
    z.array(storedTransaction),
    z.transform((all, check) => {
      const [first, ...others] = all
      if (first) return [first, ...others] as const
      check.issues.push({ code: 'custom', message: 'an order that is sent has a transaction', input: all })
      return z.NEVER
    }),
  ),
})
type SentOrder = z.infer<typeof sentOrder>

const paymentState = z.object({
  held: z.boolean(),
  open: z.nullable(sentOrder),
  due: z.array(orderFacts),
  next_nonce: integerColumn,
  look: z.array(z.object({ owner: z.string(), token: z.string() })),
})

/** The minutes after which an order that is sent and not paid is a fault. */
const lateAfter = 30

/** The milliseconds by which the database's clock may differ from the time of blocks. */
const clockMargin = 10 * 60_000

/** The gas of a payment in a common token, for the sentence about what the payer needs. */
const commonGas = 150_000n
/** The greatest gas limit of a payment. */
const mostGas = 1_000_000n

/** An amount of the chain's own coin in words. */
const inCoins = (amount: bigint) => formatTokens({ amount, symbol: 'coins', decimals: 18 })

/** An argument of a contract call: 32 bytes in hex. */
const word = (value: string | bigint) =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')
/** The call transferFrom(from, to, amount). The database compares the same bytes. */
const transferFrom = ({ from_address, to_address, token_amount }: OrderFacts): `0x${string}` =>
  `0x23b872dd${word(from_address)}${word(to_address)}${word(token_amount)}`

/**
 * Pays the oldest due order that can be paid, from the paying wallet's allowance for the key's address; if an
 * order is sent already, follows that one instead. The endpoints agree on each fact, and the database checks
 * the order again in the transaction that gives it its nonce. The signed bytes are stored before they are
 * sent, so that after a killed run the next run sends the same bytes. The ledger marks an order as paid. While the
 * network asks more than `mostGasPrice`, nothing is sent.
 */
export async function payOrders(
  service: Service,
  chain: Chain,
  key: `0x${string}`,
  watch: Watch,
  mostGasPrice: bigint,
): Promise<PayerReport> {
  const payer = addressOf(key)
  if (watch.accounts.has(payer)) return { fault: 'PAYER_KEY is the key of a paying wallet: use a new key' }
  const state = await service.call('payment_state', paymentState, { chain: chain.id, payer })
  const report = state.open
    ? withFault(state.open, await followPayment(service, chain, key, state.open, watch, mostGasPrice))
    : await payNext(service, chain, key, state, watch.confirmations, mostGasPrice)
  if (report.waiting) await service.call('record_tries', z.null(), { numbers: Object.keys(report.waiting) })
  if (state.look.length === 0) return report
  try {
    await look(service, chain, payer, state.look)
    return report
  } catch (error) {
    return { ...report, unseen: (error as Error).message }
  }
}

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

/** Pays the oldest due order that can be paid. */
async function payNext(
  service: Service,
  chain: Chain,
  key: `0x${string}`,
  state: z.infer<typeof paymentState>,
  confirmations: number,
  mostGasPrice: bigint,
): Promise<PayerReport> {
  const payer = addressOf(key)
  if (state.held) return { held: true }
  if (state.due.length === 0) return {}

  const nonce = await chain.nonce(payer, chain.head)
  const expected = state.next_nonce
  if (nonce !== expected) {
    await followGap(service, chain, payer, nonce)
    return {
      fault: `the payer has sent ${nonce} transactions, and the ledger knows ${expected}: a backup was restored, or its key was used elsewhere. Nothing is paid (docs/running.md)`,
    }
  }
  const gasPrice = await chain.gasPrice()
  if (gasPrice > mostGasPrice)
    return {
      fault: `the network asks ${inGwei(gasPrice)} for gas, and PAYMENT_MAX_GAS_GWEI allows ${inGwei(mostGasPrice)}`,
    }
  const coins = await chain.balance(payer, chain.head)
  const lacks = (needed: bigint) =>
    coins < needed && `the payer ${payer} needs ${inCoins(needed)} for gas, and has ${inCoins(coins)}`
  const fault = lacks(commonGas * gasPrice)
  if (fault) return { fault }
  const final = await chain.block(Math.max(0, chain.head - confirmations + 1))
  if (!final) return { fault: 'no final block' }

  const waiting: Record<string, string> = {}
  const read = remembered(chain)
  for (const order of state.due) {
    const gas = await gasOf(chain, payer, order, read).catch(unreachable)
    const missing = typeof gas === 'string' ? gas : lacks(gas * gasPrice)
    if (typeof gas === 'string' || missing) {
      waiting[order.id] = `${missing}`
      continue
    }
    const call = { chainId: chain.id, nonce, to: order.token_address, data: transferFrom(order) }
    // The number in the gas limit makes the hash another one than that of an ended order to the same recipient.
    const own = { ...call, gas: gas + BigInt(order.id % 1_000), gasPrice }
    const { raw, hash } = await signTransaction(key, own)
    const outcome = await service.call('bind_order', z.string(), {
      of_order: order.id,
      payment: { payer, nonce, raw, tx_hash: hash, gas_price: `${gasPrice}`, block_time: timeOf(final) },
    })
    if (outcome === 'bound') {
      const sending = await sendStored(chain, raw)
      return { sent: order.id, ...(Object.keys(waiting).length > 0 && { waiting }), ...sending }
    }
    waiting[order.id] = `the database refuses it: ${outcome}`
  }
  return { waiting }
}

/** Why an order waits while too few endpoints answer about it, so that the others are still tried. */
function unreachable(error: unknown): string {
  if (error instanceof Unreachable) return `too few endpoints answer: ${error.message}`
  throw error
}

/** The calls allowance(owner, spender) and balanceOf(owner). */
export const allowanceCall = (owner: string, spender: string): `0x${string}` =>
  `0xdd62ed3e${word(owner)}${word(spender)}`
const balanceCall = (owner: string): `0x${string}` => `0x70a08231${word(owner)}`

/** A number of a token's contract; null if the contract answers with another text, or refuses the call. */
export async function numberOf(answer: Promise<string>): Promise<string | null> {
  try {
    const text = await answer
    return /^0x[0-9a-f]{64}$/.test(text) ? `${BigInt(text)}` : null
  } catch (error) {
    if (error instanceof CallRefused) return null
    throw error
  }
}

/** Stores the payer's coins for gas, and what each paying wallet lets it spend, for the operators' page. */
async function look(
  service: Service,
  chain: Chain,
  payer: string,
  pairs: z.infer<typeof paymentState>['look'],
): Promise<void> {
  const [gas, gasPrice, ...means] = await Promise.all([
    chain.balance(payer, chain.head),
    chain.gasPrice(),
    ...pairs.map(async ({ owner, token }) => ({
      ...{ owner, token },
      allowance: await numberOf(chain.call(token, allowanceCall(owner, payer), chain.head)),
      balance: await numberOf(chain.call(token, balanceCall(owner), chain.head)),
    })),
  ])
  await service.call('record_payer', z.null(), {
    sight: { chain_id: chain.id, payer, gas: `${gas}`, payment_gas: `${commonGas * gasPrice}`, means },
  })
}

/** The chain with the answers of this run to calls, so that a hundred orders of a wallet read its balance once. */
function remembered(chain: Chain): Pick<Chain, 'call' | 'head'> {
  const answers = new Map<string, Promise<`0x${string}`>>()
  return {
    head: chain.head,
    call: (token, data, block) => {
      const answer = answers.get(token + data) ?? chain.call(token, data, block)
      answers.set(token + data, answer)
      return answer
    },
  }
}

/**
 * Finds out who sent the payments without an order, while the payer has sent another number of transactions
 * than the ledger knows. Two operators can let it go on once each payment of the payer has an order.
 */
async function followGap(service: Service, chain: Chain, payer: string, nonce: number): Promise<void> {
  const gap = { chain_id: chain.id, payer, nonce }
  const record = (senders: { tx_hash: string; sender: string }[]) =>
    service.call('record_gap', z.array(z.string()), { gap, senders })
  const senders: { tx_hash: string; sender: string }[] = []
  for (const tx_hash of await record([])) {
    const receipt = await chain.receipt(tx_hash)
    if (receipt) senders.push({ tx_hash, sender: receipt.from.toLowerCase() })
  }
  if (senders.length > 0) await record(senders)
}

/** The gas limit of an order's payment, or why the order cannot be paid now. `read` answers calls. */
async function gasOf(
  chain: Chain,
  payer: string,
  order: OrderFacts,
  read: Pick<Chain, 'call' | 'head'>,
): Promise<bigint | string> {
  const { from_address: owner, token_address: token, token_symbol: symbol, token_amount: amount } = order
  const ask = (data: `0x${string}`) => numberOf(read.call(token, data, read.head))
  const decimals = await ask(decimalsOf)
  if (decimals !== `${order.token_decimals}`)
    return `the contract of ${symbol} says ${decimals ?? 'no'} decimals, the order ${order.token_decimals}`
  for (const [means, data] of [
    ['allowance', allowanceCall(owner, payer)],
    ['balance', balanceCall(owner)],
  ] as const) {
    const found = await ask(data)
    if (found === null) return `the contract of ${symbol} does not say the ${means}`
    const missing = amount - BigInt(found)
    if (missing > 0n) return `the ${means} is too small by ${missing} base units of ${symbol}`
  }
  const estimate = await chain.estimateGas(payer, token, transferFrom(order))
  const wanted = estimate === null ? mostGas : (estimate * 5n) / 4n
  const gas = wanted < mostGas ? wanted : mostGas
  try {
    // A refused estimate does not say why; the simulated call does.
    const answer = await chain.simulate(payer, token, transferFrom(order), chain.head, gas)
    if (answer !== '0x' && BigInt(answer) !== 1n) return 'the token refuses it'
    return estimate === null ? 'the endpoints do not estimate its gas' : gas
  } catch (error) {
    if (error instanceof CallRefused)
      return error.reason ? `the token refuses it: ${error.reason}` : 'the token refuses it'
    throw error
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
  try {
    const hash = (await transactionOf(chain, payer, nonce))?.hash
    return hash && transactions.every(({ tx_hash }) => tx_hash !== hash) ? hash : null
  } catch (error) {
    if (error instanceof CallRefused || error instanceof Unreachable) return null
    throw error
  }
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

/** Follows the order that is sent: until it is final and in the ledger, no other order is paid. */
async function followPayment(
  service: Service,
  chain: Chain,
  key: `0x${string}`,
  order: SentOrder,
  watch: Watch,
  mostGasPrice: bigint,
): Promise<PayerReport> {
  const { id, payer: from, nonce, transactions } = order
  const found = await findMined(chain, { from, nonce, transactions }, watch.confirmations, mostGasPrice)
  const record = (outcome: 'failed' | 'mismatched' | 'lost', tx: string) =>
    service.call('end_payment', z.boolean(), { of_order: id, outcome, tx })
  /** Ends the order as its final receipt says. */
  const end = async (receipt: Receipt, block: Block): Promise<PayerReport> => {
    if (receipt.status === '0x0') {
      if (await hasMoved(chain, order, receipt))
        return {
          fault: `the receipt of order ${id} says that it failed, and the token says that it was paid`,
        }
      await record('failed', receipt.transactionHash)
      return { failed: id }
    }
    const [moved, ...others] = transfersOf(receipt).filter(
      (each) =>
        each.token === order.token_address &&
        each.from === order.from_address &&
        each.to === order.to_address,
    )
    if (moved?.amount !== order.token_amount || others.length > 0) {
      await record('mismatched', receipt.transactionHash)
      return {
        mismatched: id,
        fault: `order ${id} moved another amount than it says: nothing more is paid in ${order.token_symbol}`,
      }
    }
    // The scan did not find it, for example because the configuration lost its wallet or its token.
    await append(service, await rowsOfTransaction(chain, withOrder(watch, order), receipt, block))
    return { mined: id }
  }
  if (found.kind === 'used') {
    const other = await otherTransaction(chain, order)
    const paid = await findPayment(chain, order, [...transactions.map(({ tx_hash }) => tx_hash), other])
    const used = `the nonce ${nonce} of the payer is used`
    // Nodes that forgot in which block it is have the block.
    const receipt = paid && (await chain.receipt(paid.transactionHash, paid.blockNumber))
    if (receipt && receipt.transactionHash !== other)
      return end(receipt, await requireBlock(chain, receipt.blockNumber))
    if (paid || !other) {
      const words = paid ? `, but ${paid.transactionHash} moved its amount` : ''
      return { fault: `${used}, and no endpoint has a receipt of order ${id}${words}` }
    }
    await record('lost', transactions[0].tx_hash)
    return { lost: id, fault: `${used} by ${other}: all payments are on hold` }
  }
  if (found.kind === 'mined') return found.isFinal ? end(found.receipt, found.block) : { mined: id }
  const { newest } = found
  const foreign = differenceOf(newest.raw, chain.id, order, mostGasPrice)
  if (foreign) return { fault: `the stored transaction of order ${id} ${foreign}: it is not sent` }
  const gas = gasIn(newest.raw)
  /** Signs, stores and sends a replacement; null if none may be made. */
  const replace = async (price: bigint | null): Promise<PayerReport | null> => {
    // With another key, the same bytes can be sent again, but not replaced.
    if (price === null || addressOf(key) !== from || (await chain.balance(from, chain.head)) < gas * price)
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
