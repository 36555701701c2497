import * as z from 'zod/mini'
import { findChain } from '../platform/chains.ts'
import { formatTokens } from '../platform/tokens.ts'
import type { Capabilities } from './capabilities.ts'
import { CallRefused, TooLarge, Unreachable } from './chain-errors.ts'
import {
  type Ask,
  type Broadcast,
  broadcast,
  probeCapabilities,
  probeEndpoints,
  requestEach,
  requestQuorum,
} from './quorum.ts'

/** Above so many responses, and event logs in them (600 bytes each), a run's cache is cleared. */
const maxCached = 20_000
/** The number of connections that a worker may have at the same time. */
const connections = 6
/**
 * The minimum number of receipts for which the receipts of the whole block are requested in one call. The
 * long response takes as much time as a few single receipts.
 */
const minBlockReceipts = 8

const hex = (pattern: RegExp) =>
  z.pipe(
    z.string().check(z.regex(pattern)),
    z.transform((value) => value.toLowerCase()),
  )
const quantity = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/)),
  z.transform((value: string) => BigInt(value)),
)
const small = z.pipe(z.pipe(quantity, z.transform(Number)), z.int())
const hash = hex(/^0x[0-9a-fA-F]{64}$/)
const address = hex(/^0x[0-9a-fA-F]{40}$/)
const bytes = hex(/^0x([0-9a-fA-F]{2})*$/)
/** What a call returns, and the code of a contract. */
const content = z.pipe(
  bytes,
  z.transform((value) => value as `0x${string}`),
)

const log = z.object({
  address,
  topics: z.array(hash).check(z.maxLength(4)),
  data: bytes,
  blockNumber: small,
  blockHash: hash,
  transactionHash: hash,
  transactionIndex: small,
  logIndex: small,
})
const block = z.object({ number: small, hash, timestamp: small })
const receipt = z.object({
  transactionHash: hash,
  blockNumber: small,
  blockHash: hash,
  status: z.enum(['0x0', '0x1']),
  from: address,
  to: z.pipe(
    z.nullish(address),
    z.transform((to) => to ?? null),
  ),
  // Keep only logs that may be transfers of ERC-20 or wrapped coins: others may have megabytes.
  logs: z.pipe(
    z.array(log),
    z.transform((logs) => logs.filter(mayTransfer)),
  ),
})
function mayTransfer({ topics, data }: ChainLog): boolean {
  return (topics.length === 3 || topics.length === 2) && data.length === 66
}
/** The hashes of a block's transactions, in order. */
const blockTransactions = z.object({ hash, transactions: z.array(hash) })
const transaction = z.object({
  hash,
  from: address,
  to: z.pipe(
    z.nullish(address),
    z.transform((to) => to ?? null),
  ),
  value: quantity,
  blockHash: z.nullish(hash),
})

const sentTransaction = z.extend(transaction, { nonce: small, input: bytes })
const parties = z.looseObject({ from: address, to: z.nullish(address) })
/** The receipts of a block. Parses only the receipts of these transactions. */
const receiptsOf = <T>(hashes: ReadonlySet<string>, schema: z.ZodMiniType<T>) =>
  z.pipe(
    z.pipe(
      z.array(z.looseObject({ transactionHash: hash })),
      z.transform((all) => all.filter(({ transactionHash }) => hashes.has(transactionHash)) as unknown[]),
    ),
    z.array(schema as z.ZodMiniType<T, unknown>),
  )
/** A block with its transactions from or to an address. Of others, parses only the two addresses. */
const blockOf = (of: string) =>
  z.extend(block, {
    transactions: z.pipe(
      z.pipe(
        z.array(parties),
        z.transform((all) => all.filter(({ from, to }) => from === of || to === of) as unknown[]),
      ),
      z.array(sentTransaction as z.ZodMiniType<SentTransaction, unknown>),
    ),
  })
const wholeTransaction = z.object({
  hash,
  from: address,
  to: z.pipe(
    z.nullish(address),
    z.transform((to) => to ?? null),
  ),
  value: quantity,
  input: bytes,
})
/** The calls of a transaction as the tracer 'callTracer' returns them. */
interface TracedCall {
  type: string
  from: string
  to?: string | null | undefined
  value?: bigint | undefined
  error?: string | undefined
  calls?: TracedCall[] | undefined
}
const tracedCall: z.ZodMiniType<TracedCall> = z.object({
  type: z.string(),
  from: address,
  to: z.nullish(address),
  value: z.optional(quantity),
  error: z.optional(z.string()),
  calls: z.optional(z.array(z.lazy(() => tracedCall))),
})

/** The coins that a call's inner calls moved. A call that failed moved none, nor did its inner calls. */
function movesIn({ calls = [], error }: TracedCall): { from: string; to: string; amount: bigint }[] {
  if (error) return []
  return calls.flatMap((call) => [
    ...(!call.error &&
    call.to &&
    call.value &&
    ['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'].includes(call.type)
      ? [{ from: call.from, to: call.to, amount: call.value }]
      : []),
    ...movesIn(call),
  ])
}

/** A block with all its transactions. */
const wholeBlock = z.extend(block, { transactions: z.array(wholeTransaction) })
/** The gas that the sender paid. */
const gasReceipt = z.object({ gasUsed: quantity, effectiveGasPrice: z._default(quantity, 0n) })

/** The base fee of a block: 0 on chains without EIP-1559. */
const feeBlock = z.object({ baseFeePerGas: z._default(quantity, 0n) })

export type ChainLog = z.infer<typeof log>
export type Block = z.infer<typeof block>
export type Receipt = z.infer<typeof receipt>
type NativeTransfer = z.infer<typeof transaction>
type SentTransaction = z.infer<typeof sentTransaction>
export type WholeTransaction = z.infer<typeof wholeTransaction>
/** A block with its transactions from or to an address. */
export type BlockWith = Block & { transactions: SentTransaction[] }

/** The chain during one run. Two endpoints agreed on each result, if two are configured, except of `send`. */
export interface Chain {
  id: number
  /** The newest block that enough endpoints have. */
  head: number
  /** The newest block that any endpoint claims to have. */
  newest: number
  /** The names of the endpoints that did not respond, or were not asked. */
  silent: string[]
  /** The fault of each endpoint, by its place in the list, because URLs may contain keys. */
  faults: Record<string, string>
  /** What each endpoint serves and lacks. */
  capabilities: Record<string, Capabilities>
  /** Probes again what the endpoints serve, once in a run. */
  probe(): Promise<void>
  /** True if only one endpoint is configured, so that no other contradicts it. */
  isSingle: boolean
  /** Number of calls so far. */
  calls: number
  /** The number of items that are read at the same time, so that no call waits for a connection. */
  parallel: number
  block(number: number): Promise<Block | null>
  blockByHash(hash: string): Promise<Block | null>
  /**
   * The receipt of a transaction. Nodes forget in which block a transaction is, by default after 2,350,000 blocks, and
   * keep the block: an endpoint that returns null is asked for `block`. Null says nothing about an old transaction
   * whose block is not given.
   */
  receipt(hash: string, block?: number): Promise<Receipt | null>
  /**
   * Requests the receipts of a block in one call if at least `minBlockReceipts` of them are needed, so that
   * `receipt` returns them without a call. Returns false if the receipts were not requested or not delivered,
   * for example because the endpoints lack that method or the response is too large.
   */
  loadReceipts(block: number, hashes: readonly string[]): Promise<boolean>
  /** The hash of a block, and the hashes of its transactions in order. */
  transactionsOf(block: number): Promise<z.infer<typeof blockTransactions> | null>
  /** A transaction, also by its block, as `receipt`. */
  transaction(hash: string, block?: number): Promise<NativeTransfer | null>
  logs(
    from: number,
    to: number,
    topics: (string | string[] | null)[],
    addresses: string[],
  ): Promise<ChainLog[]>
  /** The result of a call to a contract at a block (eth_call). */
  call(to: string, data: string, at: number): Promise<`0x${string}`>
  /** The result of a call from an address with this gas, which changes nothing. Throws CallRefused if it would fail. */
  simulate(from: string, to: string, data: string, at: number, gas: bigint): Promise<`0x${string}`>
  /** The gas that a call from an address takes: the lower of the two highest estimates; null if too few endpoints give one. */
  estimateGas(from: string, to: string, data: string): Promise<bigint | null>
  /** The balance of an address in the native coin, in base units. */
  balance(of: string, at: number): Promise<bigint>
  /** The code at an address; '0x' without one. */
  code(of: string, at: number): Promise<`0x${string}`>
  /** The number of transactions that an address has sent up to a block. */
  nonce(of: string, at: number): Promise<number>
  /** A block with its transactions from or to an address. */
  blockWith(number: number, of: string): Promise<BlockWith | null>
  /** The coins that contracts moved within a transaction. Throws CallRefused if the endpoints do not trace. */
  trace(hash: string): Promise<{ from: string; to: string; amount: bigint }[]>
  /** A block with all its transactions. */
  wholeBlock(number: number): Promise<z.infer<typeof wholeBlock> | null>
  /** The gas that the sender of a transaction paid, in base units of the coin; null without a receipt. */
  gasCost(hash: string, block: number): Promise<bigint | null>
  /**
   * A legacy gas price for the next block: the lower of the two highest that the endpoints ask, so that one that lies
   * can neither burn coins nor stop a transaction; at least the base fee and a tenth, plus the minimum of the chain for the
   * validator. Names endpoints that differ thirtyfold, and one that says 0.
   */
  gasPrice(): Promise<bigint>
  /** Sends a signed transaction to every endpoint. */
  send(raw: string): Promise<Broadcast>
}

/** The minimum for gas on an unknown chain, in base units. */
const otherMinGasPrice = 100_000_000n
/** Honest endpoints have minimums of their own, from 0.05 to 1 gwei: one that asks more times another's price is named. */
const mostApart = 30n

/**
 * Probes the endpoints. Throws Unreachable if too few are usable. `oldest` returns the hash of an old transaction that
 * is on the chain, which the probe asks for. Does not ask the endpoints named in `unasked` (silence.ts).
 */
export async function openChain(
  urls: readonly string[],
  id: number,
  deadline?: AbortSignal,
  oldest?: () => Promise<string | null>,
  unasked?: ReadonlySet<string>,
): Promise<Chain> {
  const quorum = await probeEndpoints(urls, id, deadline, oldest, unasked)
  const { head, newest, silent, faults } = quorum
  const request = <T>(method: string, params: unknown[], schema: z.ZodMiniType<T>) =>
    requestQuorum(quorum, method, params, schema)

  let probed: Promise<void> | undefined
  const cache = new Map<string, Promise<unknown>>()
  let cached = 0
  function keep<T>(method: string, params: unknown[], response: Promise<T>, weight = 1): Promise<T> {
    cached += weight
    if (cached > maxCached) {
      cache.clear()
      cached = weight
    }
    cache.set(JSON.stringify([method, params]), response)
    return response
  }
  function requestOnce<T>(method: string, params: unknown[], schema: z.ZodMiniType<T>): Promise<T> {
    const known = cache.get(JSON.stringify([method, params])) as Promise<T> | undefined
    return known ?? keep(method, params, request(method, params, schema))
  }
  /** By hash, and by the block `at`. A null is asked again, because the block may be known then. */
  async function requestOf<T>(
    method: string,
    of: string,
    schema: z.ZodMiniType<T>,
    at: number | undefined,
    byBlock: ByBlock<T>,
  ): Promise<T | null> {
    const cached = cache.get(JSON.stringify([method, [of]])) as Promise<T | null> | undefined
    const known = cached && (await cached)
    const otherwise = at === undefined ? undefined : (ask: Ask) => byBlock(ask, at, of)
    return known ?? keep(method, [of], requestQuorum(quorum, method, [of], z.nullable(schema), { otherwise }))
  }

  /** False after the endpoints have refused eth_getBlockReceipts. */
  let hasBlockReceipts = true
  /** The blocks whose receipts were requested, and whether the endpoints delivered them. */
  const loaded = new Map<number, boolean>()
  async function loadReceipts(number: number, hashes: readonly string[]): Promise<boolean> {
    if (hashes.length < minBlockReceipts || !hasBlockReceipts) return false
    const known = loaded.get(number)
    if (known !== undefined) return known
    const wanted = new Set(hashes)
    const method = 'eth_getBlockReceipts'
    try {
      const receipts = await requestQuorum(
        quorum,
        method,
        [toHex(number)],
        z.nullable(receiptsOf(wanted, receipt)),
        { optional: true },
      )
      for (const each of receipts ?? [])
        keep('eth_getTransactionReceipt', [each.transactionHash], Promise.resolve(each), 1 + each.logs.length)
      loaded.set(number, true)
      return true
    } catch (error) {
      if (!(error instanceof CallRefused || error instanceof Unreachable)) throw error
      if (!(error instanceof TooLarge)) hasBlockReceipts = false
      loaded.set(number, false)
      return false
    }
  }

  let price: Promise<bigint> | undefined
  async function readGasPrice(): Promise<bigint> {
    const { baseFeePerGas } = await request('eth_getBlockByNumber', [toHex(head), false], feeBlock)
    const least = (baseFeePerGas * 11n) / 10n + (findChain(id)?.minGasPrice ?? otherMinGasPrice)
    const asked = await requestEach(quorum, 'eth_gasPrice', [], quantity)
    const prices = asked.map((price) => (price > least ? price : least))
    const [highest = least, lowest = least] = [prices[0], prices.at(-1)]
    if (highest > mostApart * lowest || asked.includes(0n))
      faults.eth_gasPrice = `differs: the endpoints ask ${inGwei(asked.at(-1) ?? 0n)} to ${inGwei(highest)}`
    return prices[quorum.needed - 1] ?? least
  }

  return {
    id,
    head,
    newest,
    silent,
    faults,
    capabilities: quorum.capabilities,
    probe: () => (probed ??= probeCapabilities(quorum, true)),
    isSingle: urls.length === 1,
    get calls() {
      return quorum.calls
    },
    parallel: Math.max(1, Math.floor(connections / quorum.needed)),
    loadReceipts,
    transactionsOf: (number) =>
      request('eth_getBlockByNumber', [toHex(number), false], z.nullable(blockTransactions)),
    block: (number) => request('eth_getBlockByNumber', [toHex(number), false], z.nullable(block)),
    blockByHash: (of) => requestOnce('eth_getBlockByHash', [of, false], z.nullable(block)),
    receipt: (of, at) => {
      // If the receipts of the block were delivered, this one was not among them.
      const block = at !== undefined && loaded.get(at) ? undefined : at
      return requestOf('eth_getTransactionReceipt', of, receipt, block, receiptIn)
    },
    transaction: (of, at) => requestOf('eth_getTransactionByHash', of, transaction, at, transactionIn),
    logs: async (from, to, topics, addresses) => {
      const filter = { fromBlock: toHex(from), toBlock: toHex(to), address: addresses, topics }
      const inRange = z.array(
        log.check(z.refine((each) => each.blockNumber >= from && each.blockNumber <= to)),
      )
      const schema = z.pipe(
        inRange,
        z.transform((logs) => logs.sort(inOrder)),
      )
      return requestQuorum(quorum, 'eth_getLogs', [filter], schema, { upTo: to })
    },
    call: (to, data, at) => requestOnce('eth_call', [{ to, data }, toHex(at)], content),
    simulate: (from, to, data, at, gas) =>
      request('eth_call', [{ from, to, data, gas: `0x${gas.toString(16)}` }, toHex(at)], content),
    estimateGas: async (from, to, data) =>
      (await requestEach(quorum, 'eth_estimateGas', [{ from, to, data }], quantity))[quorum.needed - 1] ??
      null,
    balance: (of, at) => requestOnce('eth_getBalance', [of, toHex(at)], quantity),
    code: (of, at) => requestOnce('eth_getCode', [of, toHex(at)], content),
    nonce: (of, at) => requestOnce('eth_getTransactionCount', [of, toHex(at)], small),
    blockWith: (number, of) =>
      request('eth_getBlockByNumber', [toHex(number), true], z.nullable(blockOf(of))),
    trace: async (of) =>
      movesIn(await requestOnce('debug_traceTransaction', [of, { tracer: 'callTracer' }], tracedCall)),
    wholeBlock: (number) => request('eth_getBlockByNumber', [toHex(number), true], z.nullable(wholeBlock)),
    gasCost: async (of, at) => {
      const inBlock = z.nullable(receiptsOf(new Set([of]), gasReceipt))
      const otherwise = async (ask: Ask) =>
        (await ask('eth_getBlockReceipts', [toHex(at)], inBlock))?.[0] ?? null
      const paid = await requestQuorum(quorum, 'eth_getTransactionReceipt', [of], z.nullable(gasReceipt), {
        otherwise,
      })
      return paid && paid.gasUsed * paid.effectiveGasPrice
    },
    gasPrice: () => (price ??= readGasPrice()),
    send: (raw) => broadcast(quorum, 'eth_sendRawTransaction', [raw]),
  }
}

/** Asks an endpoint for a transaction, or its receipt, by its block; null if the endpoint does not show it there. */
type ByBlock<T> = (ask: Ask, block: number, hash: string) => Promise<T | null>

const transactionIn: ByBlock<NativeTransfer> = async (ask, number, of) => {
  const block = await ask('eth_getBlockByNumber', [toHex(number), true], z.nullable(wholeBlock))
  const found = block?.transactions.find((each) => each.hash === of)
  if (!found || !block) return null
  const { from, to, value } = found
  return { hash: of, from, to, value, blockHash: block.hash }
}

/**
 * Without eth_getBlockReceipts, makes the receipt from the block's event logs. A transaction that failed has none, so
 * without event logs nothing is known.
 */
const receiptIn: ByBlock<Receipt> = async (ask, number, of) => {
  const at = toHex(number)
  const receipts = await ask('eth_getBlockReceipts', [at], z.nullable(receiptsOf(new Set([of]), receipt)))
  if (receipts !== undefined) return receipts?.[0] ?? null
  const all = await ask('eth_getLogs', [{ fromBlock: at, toBlock: at }], z.array(log))
  const logs = (all ?? []).filter(({ transactionHash }) => transactionHash === of)
  const [first] = logs
  if (!first) return null
  const place = [at, toHex(first.transactionIndex)]
  const sent = await ask('eth_getTransactionByBlockNumberAndIndex', place, z.nullable(transaction))
  if (sent?.hash !== of || sent.blockHash !== first.blockHash) return null
  const { from, to, blockHash } = sent
  return {
    ...{ transactionHash: of, blockNumber: number, blockHash, status: '0x1', from, to },
    logs: logs.filter(mayTransfer),
  }
}

/** Maps items in batches, as large as the platform's number of connections allows. Keeps their order. */
export async function mapInBatches<T, R>(
  { parallel }: Pick<Chain, 'parallel'>,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const done: R[] = []
  for (let at = 0; at < items.length; at += parallel)
    done.push(...(await Promise.all(items.slice(at, at + parallel).map(work))))
  return done
}

/** Compares two event logs by their order on the chain. */
export function inOrder(a: ChainLog, b: ChainLog): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
}

/** A gas price in words. */
export const inGwei = (amount: bigint) => formatTokens({ amount, symbol: 'gwei', decimals: 9 })

/** The time of a block, as ISO 8601. */
export function timeOf({ timestamp }: Block): string {
  return new Date(timestamp * 1000).toISOString()
}

function toHex(number: number): string {
  return `0x${number.toString(16)}`
}
