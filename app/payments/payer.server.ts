import * as z from 'zod/mini'
import { CallRefused, Unreachable } from '../chain/chain-errors.ts'
import { type Chain, inGwei, timeOf } from '../chain/rpc.ts'
import { addressOf, sendStored, signTransaction } from '../chain/stored-transaction.server.ts'
import { allowanceCall, balanceCall, numberOf, word } from '../chain/token-calls.ts'
import type { PayerReport } from '../ledger/job/ledger-report.ts'
import { decimalsOf } from '../ledger/job/token-check.ts'
import type { Watch } from '../ledger/job/watch.ts'
import { integerColumn } from '../platform/server/columns.server.ts'
import type { Service } from '../platform/server/service.server.ts'
import { formatTokens } from '../platform/tokens.ts'
import { takeFreeNonce } from './free-nonce.server.ts'
import { followPayment } from './order-in-flight.server.ts'
import { mostGas, type OrderFacts, orderFacts, sentOrder, transferFrom } from './payment-call.server.ts'

const paymentState = z.object({
  held: z.boolean(),
  open: z.nullable(sentOrder),
  due: z.array(orderFacts),
  /** Why the orders that were tried wait, by number. */
  waiting: z.record(z.string(), z.string()),
  next_nonce: integerColumn,
  look: z.array(z.object({ owner: z.string(), token: z.string() })),
})

/** The gas of a payment in a common token, for the sentence about what the payer needs. */
const commonGas = 150_000n
/** How many orders of a lane, a wallet and a token, a run simulates or gives to the database in vain. */
const mostInVain = 2

/** Why the database does not bind an order, and what to do, where its word says too little. */
const refusals: Record<string, string> = {
  approval: 'its two approvals or its standing order no longer hold: stop it',
  recipient: 'its recipient has another name or wallet now: stop it',
  wallet: 'its wallet is not configured now: configure it again, or stop it',
  limit: 'it is above PAYMENT_LIMIT: stop it, and order less',
  'the goal lacks less': 'its goal lacks less: stop it, and order the rest',
  token: 'CHAIN_TOKENS lacks its token, differs from its contract, or an order in it moved another amount',
  'paid after all':
    'the same payment was ordered before, ended without one, and is paid since: stop this one, and order again if you mean both',
  'paid by hand': 'the ledger has the same payment by hand: look at it, and stop this one if it was paid',
}

/** An amount of the chain's own coin in words. */
const inCoins = (amount: bigint) => formatTokens({ amount, symbol: 'coins', decimals: 18 })

interface PaymentLimits {
  /** What a transaction may offer for gas. */
  mostGasPrice: bigint
  /** The contract that answers isSanctioned(address), if one is configured. */
  sanctions?: string | undefined
}

/**
 * Pays the oldest due order that can be paid, from the paying wallet's allowance for the key's address; if an
 * order is sent already, follows that one instead. The endpoints agree on each fact, and the database checks
 * the order again in the transaction that gives it its nonce. The signed bytes are stored before they are
 * sent, so that after a killed run the next run sends the same bytes. The ledger marks an order as paid. While the
 * network asks more than `mostGasPrice`, nothing is sent. Without a key, only follows the order that is sent.
 */
export async function payOrders(
  service: Service,
  chain: Chain,
  key: `0x${string}` | undefined,
  watch: Watch,
  { mostGasPrice, sanctions }: PaymentLimits,
): Promise<PayerReport> {
  const payer = key ? addressOf(key) : ''
  if (watch.accounts.has(payer)) return { fault: 'PAYER_KEY is the key of a paying wallet: use a new key' }
  const state = await service.call('payment_state', paymentState, { chain: chain.id, payer })
  if (!key) {
    if (!state.open) return {}
    return chain.isSingle
      ? {
          fault: `order ${state.open.id} is sent, and only two endpoints that agree end it: name both in CHAIN_RPC_URLS`,
        }
      : followPayment({ service, chain, key, order: state.open, watch, mostGasPrice })
  }
  const read = remembered(chain)
  const report = state.open
    ? await followPayment({ service, chain, key, order: state.open, watch, mostGasPrice })
    : await payNext(service, chain, key, state, watch.confirmations, { mostGasPrice, sanctions }, read)
  if (report.waiting) {
    await service.call('record_tries', z.null(), { reasons: report.waiting })
    // A run tries the orders of some wallets and tokens; the others still wait for the reason of their last try.
    report.waiting = { ...state.waiting, ...report.waiting }
  }
  if (state.look.length === 0) return report
  try {
    await look(service, chain, payer, state.look, read)
    return report
  } catch (error) {
    return { ...report, unseen: (error as Error).message }
  }
}

/** Pays the first due order that can be paid. */
async function payNext(
  service: Service,
  chain: Chain,
  key: `0x${string}`,
  state: z.infer<typeof paymentState>,
  confirmations: number,
  { mostGasPrice, sanctions }: PaymentLimits,
  read: Read,
): Promise<PayerReport> {
  const payer = addressOf(key)
  if (state.held) return { held: true }
  if (state.due.length === 0) return {}

  const expected = state.next_nonce
  const freed = await takeFreeNonce({ service, chain, key, confirmations, mostGasPrice }, payer, expected)
  if (freed) return freed
  const nonce = await chain.nonce(payer, chain.head)
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
  /** The orders of each lane that were tried in vain, and not only compared with what was read of the lane. */
  const inVain = new Map<string, number>()
  for (const order of state.due) {
    const lane = order.from_address + order.token_address
    const tried = inVain.get(lane) ?? 0
    if (tried >= mostInVain) continue
    const lack = await (async () =>
      (await lackOf(payer, order, read)) ??
      (sanctions && (await sanctionOf(sanctions, order, read))))().catch(unreachable)
    if (lack) {
      waiting[order.id] = lack
      continue
    }
    inVain.set(lane, tried + 1)
    const gas = await gasOf(chain, payer, order).catch(unreachable)
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
      delete state.waiting[order.id]
      const others = Object.keys({ ...state.waiting, ...waiting }).length > 0
      return { sent: order.id, ...(others && { waiting }), ...sending }
    }
    waiting[order.id] = refusals[outcome] ?? `the database refuses it: ${outcome}`
  }
  return { waiting }
}

/** Why an order waits while too few endpoints answer about it, so that the others are still tried. */
function unreachable(error: unknown): string {
  if (error instanceof Unreachable) return `too few endpoints answer: ${error.message}`
  throw error
}

/** Stores the payer's coins for gas, and what each paying wallet lets it spend, for the operators' page. */
async function look(
  service: Service,
  chain: Chain,
  payer: string,
  pairs: z.infer<typeof paymentState>['look'],
  read: Read,
): Promise<void> {
  const [gas, gasPrice, ...means] = await Promise.all([
    chain.balance(payer, chain.head),
    chain.gasPrice(),
    ...pairs.map(async ({ owner, token }) => ({
      ...{ owner, token },
      allowance: await numberOf(read.call(token, allowanceCall(owner, payer), chain.head)),
      balance: await numberOf(read.call(token, balanceCall(owner), chain.head)),
    })),
  ])
  await service.call('record_payer', z.null(), {
    sight: { chain_id: chain.id, payer, gas: `${gas}`, payment_gas: `${commonGas * gasPrice}`, means },
  })
}

type Read = Pick<Chain, 'call' | 'head'>
/** The chain with the answers of this run to calls, so that a hundred orders of a wallet read its balance once. */
function remembered(chain: Chain): Read {
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

/** What an order lacks, by the decimals of its token, and the allowance and balance of its wallet; null if it lacks nothing. */
async function lackOf(payer: string, order: OrderFacts, read: Read): Promise<string | null> {
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
    if (missing > 0n)
      return `the ${means} is too small by ${formatTokens({ amount: missing, symbol, decimals: order.token_decimals })}`
  }
  return null
}

/** Whether the list of SANCTIONS_ORACLE has the recipient of an order, or does not say; null if it does not have it. */
async function sanctionOf(oracle: string, { to_address }: OrderFacts, read: Read): Promise<string | null> {
  const isListed = await numberOf(read.call(oracle, `0xdf592f7d${word(to_address)}`, read.head))
  if (isListed === null) return "the contract of SANCTIONS_ORACLE isn't working"
  return isListed === '0' ? null : 'the list of SANCTIONS_ORACLE has its recipient: stop it'
}

/** The gas limit of an order's payment, or why the token refuses it. */
async function gasOf(chain: Chain, payer: string, order: OrderFacts): Promise<bigint | string> {
  const token = order.token_address
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
