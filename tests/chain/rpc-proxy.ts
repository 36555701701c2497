import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import type { Provider, ProviderError } from '../support/providers.ts'

/** The faults that an endpoint of the chain may have. */
export type RpcFault =
  | 'none'
  | 'dead'
  | 'hangs'
  | 'half a response'
  | 'not JSON'
  | 'limits'
  | 'lags'
  | 'other chain'
  | 'drops logs'
  | 'invents amounts'
  | 'denies receipts'
  | 'forgets old transactions'
  | 'has no receipts'
  | 'denies success'
  | 'indexes transactions'
  | 'invents balances'
  | 'invents nonces'
  | 'invents calls'
  | 'hides transactions'
  | 'small ranges'
  | 'swallows transactions'
  | 'misses coins'
  | 'loses replies to sending'
  | 'refuses old state'
  | 'refuses old calls'
  | 'says data of reverts'
  | 'lacks block receipts'
  | 'serves no logs'
  | 'limits logs'
  | 'logs are behind'
  | 'balances are behind'

export interface RpcProxy {
  url: string
  fault: RpcFault
  /** With 'lags', 'logs are behind' and 'balances are behind': the number of blocks by which the endpoint is behind. */
  lag: number
  /**
   * A node keeps the index of transactions for 2,350,000 blocks by default, and blocks, event logs and receipts for ever.
   * With 'refuses old state' and 'forgets old transactions': the number of blocks before the head that are served.
   */
  kept: number
  /** With 'small ranges': the largest number of blocks in one range. */
  widest: number
  /** With 'limits logs': the number of further calls of eth_getLogs that are refused. */
  refuses: number
  /** The provider whose limits and errors the endpoint has. */
  provider: Provider | null
  /** The gas price that the endpoint asks; null for that of the chain. */
  gasPrice: bigint | null
  /** Milliseconds before each response. */
  delay: number
  /** After this number of further calls, every connection ends without a response. */
  dies: number
  /** The methods that were called. */
  called: string[]
  /** Gets each call. */
  onCall?: (call: Call) => void
  close(): Promise<void>
}

interface Call {
  id: number
  method: string
  params: unknown[]
}

/**
 * A JSON-RPC endpoint that passes calls on to `target`, and applies the fault that is set. Refuses what go-ethereum 1.17
 * and the node of BNB Smart Chain 1.7 refuse and anvil does not, in their words.
 */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const sockets = new Set<Socket>()
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    if (incoming.headers['content-type'] !== 'application/json') {
      outgoing.writeHead(415).end('invalid content type, only application/json is supported')
      return
    }
    const call = JSON.parse(Buffer.concat(chunks).toString()) as Call
    proxy.called.push(call.method)
    proxy.onCall?.(call)
    await respond(proxy, target, call, outgoing).catch(() => incoming.socket.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: RpcProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: 'none',
    lag: 30,
    kept: 0,
    widest: 10,
    refuses: 0,
    provider: null,
    gasPrice: null,
    delay: 0,
    dies: Number.POSITIVE_INFINITY,
    called: [],
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return proxy
}

async function respond(proxy: RpcProxy, target: string, call: Call, outgoing: ServerResponse): Promise<void> {
  const send = (body: object, status = 200) =>
    outgoing
      .writeHead(status, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...body }))
  proxy.dies -= 1
  if (proxy.delay > 0) await sleep(proxy.delay)
  switch (proxy.dies < 0 ? 'dead' : proxy.fault) {
    case 'dead':
      outgoing.destroy()
      return
    case 'hangs':
      return
    case 'half a response':
      outgoing
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 900 })
        .write('{"jsonrpc":"2.0",')
      setTimeout(() => outgoing.destroy(), 20)
      return
    case 'not JSON':
      outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Welcome to nginx</h1>')
      return
    case 'limits':
      send({ error: { code: -32005, message: 'too many requests' } }, 429)
      return
  }
  const refused =
    (await refusalOfNode(target, call)) ?? (proxy.provider && (await refusalOf(proxy.provider, target, call)))
  if (refused) {
    send({ error: { code: refused.code, message: refused.message } }, refused.status ?? 200)
    return
  }
  if (call.method === 'eth_gasPrice' && proxy.gasPrice !== null) {
    send({ result: `0x${proxy.gasPrice.toString(16)}` })
    return
  }
  if (call.method === 'eth_getLogs' && proxy.fault === 'serves no logs') {
    send({ error: { code: -32005, message: 'limit exceeded' } })
    return
  }
  if (call.method === 'eth_getLogs' && proxy.fault === 'limits logs' && proxy.refuses-- > 0) {
    // app/chain/quorum.test.ts tests the waits of an endpoint that names none.
    outgoing.setHeader('Retry-After', '0')
    send({ error: { code: -32005, message: 'rate limit exceeded' } })
    return
  }
  if (proxy.fault === 'swallows transactions' && call.method === 'eth_sendRawTransaction') {
    send({ result: `0x${'0'.repeat(64)}` })
    return
  }
  if (proxy.fault === 'misses coins' && call.method === 'eth_sendRawTransaction') {
    const message = 'insufficient funds for gas * price + value: balance 1, tx cost 2, overshot 1'
    send({ error: { code: -32000, message } })
    return
  }
  if (proxy.fault === 'refuses old state' && isOfState(call)) {
    const { result: head } = await pass(target, { ...call, method: 'eth_blockNumber', params: [] })
    if (Number(call.params[1]) < Number(head) - proxy.kept) {
      send({ error: { code: -32000, message: 'missing trie node' } })
      return
    }
  }
  if (
    proxy.fault === 'indexes transactions' &&
    ['eth_getTransactionReceipt', 'eth_getTransactionByHash'].includes(call.method)
  ) {
    send({ error: { code: -32000, message: 'transaction indexing is in progress' } })
    return
  }
  if (proxy.fault === 'refuses old calls' && call.method === 'eth_call') {
    send({ error: { code: -32000, message: 'missing trie node' } })
    return
  }
  if (proxy.fault === 'lacks block receipts' && call.method === 'eth_getBlockReceipts') {
    send({ error: { code: -32601, message: 'the method eth_getBlockReceipts does not exist' } })
    return
  }
  if (proxy.fault === 'none' || proxy.fault === 'lacks block receipts') {
    // Streams the response: parsing a large response here would delay it.
    const response = await ask(target, call)
    outgoing.writeHead(200, { 'Content-Type': 'application/json' })
    await pipeline(response, outgoing)
    return
  }
  const { error, result } = await pass(target, call)
  if (proxy.fault === 'loses replies to sending' && call.method === 'eth_sendRawTransaction') {
    outgoing.destroy()
    return
  }
  // As the node of BNB Smart Chain 1.7.3 does.
  if (error && proxy.fault === 'says data of reverts' && !error.message.endsWith(String(error.data)))
    send({ error: { ...error, message: `${error.message}: ${error.data}` } })
  else if (error) send({ error })
  else if (proxy.fault === 'small ranges' && isTooWide(call, proxy.widest))
    send({ error: { code: -32000, message: 'exceed maximum block range' } })
  else send({ result: await alter(proxy, target, call, result) })
}

/** A call's result after the fault: old, false or missing data; the same if it concerns other methods. */
async function alter(proxy: RpcProxy, target: string, call: Call, result: unknown): Promise<unknown> {
  const { method } = call
  switch (proxy.fault) {
    case 'other chain':
      return method === 'eth_chainId' ? '0x1' : result
    case 'lags': {
      const { result: head } = await pass(target, { ...call, method: 'eth_blockNumber', params: [] })
      const seen = Number(head) - proxy.lag
      if (method === 'eth_blockNumber') return `0x${seen.toString(16)}`
      const of = result as { blockNumber?: string; number?: string } | null
      const number = Number(of?.blockNumber ?? of?.number ?? 0)
      if (Array.isArray(result)) return result.filter((log) => Number(log.blockNumber) <= seen)
      return number > seen ? null : result
    }
    case 'logs are behind': {
      const { result: head } = await pass(target, { ...call, method: 'eth_blockNumber', params: [] })
      const isKnown = (log: { blockNumber: string }) => Number(log.blockNumber) <= Number(head) - proxy.lag
      return method === 'eth_getLogs' ? (result as { blockNumber: string }[]).filter(isKnown) : result
    }
    case 'balances are behind': {
      if (!isOfState(call)) return result
      const [address, block] = call.params
      const earlier = `0x${Math.max(0, Number(block) - proxy.lag).toString(16)}`
      return (await pass(target, { ...call, params: [address, earlier] })).result
    }
    case 'drops logs':
      return method === 'eth_getLogs' ? (result as unknown[]).slice(0, -1) : result
    case 'invents amounts': {
      const invent = (logs: { data: string }[]) =>
        logs.map((log) => ({ ...log, data: log.data.replace(/.$/, (digit) => (digit === '1' ? '2' : '1')) }))
      if (method === 'eth_getLogs') return invent(result as { data: string }[])
      if (method === 'eth_getTransactionReceipt' && result)
        return { ...result, logs: invent((result as { logs: { data: string }[] }).logs) }
      if (method === 'eth_getBlockReceipts')
        return (result as { logs: { data: string }[] }[]).map((each) => ({
          ...each,
          logs: invent(each.logs),
        }))
      return result
    }
    case 'denies success': {
      const deny = (receipt: object) => ({ ...receipt, status: '0x0', logs: [] })
      if (method === 'eth_getTransactionReceipt') return result && deny(result)
      return method === 'eth_getBlockReceipts' ? (result as object[]).map(deny) : result
    }
    case 'has no receipts':
      return method.endsWith('Receipt') || method.endsWith('Receipts') ? null : result
    case 'denies receipts':
      if (method === 'eth_getBlockReceipts') return []
      return method === 'eth_getTransactionReceipt' ? null : result
    case 'forgets old transactions': {
      if (method !== 'eth_getTransactionReceipt' && method !== 'eth_getTransactionByHash') return result
      const { result: head } = await pass(target, { ...call, method: 'eth_blockNumber', params: [] })
      const found = result as { blockNumber: string | null } | null
      return found?.blockNumber && Number(found.blockNumber) <= Number(head) - proxy.kept ? null : result
    }
    case 'invents balances':
    case 'invents nonces':
      return method === (proxy.fault === 'invents balances' ? 'eth_getBalance' : 'eth_getTransactionCount')
        ? `0x${(BigInt(result as string) + 1n).toString(16)}`
        : result
    case 'invents calls':
      return method === 'eth_call'
        ? `0x${(BigInt(result as string) + 1n).toString(16).padStart(64, '0')}`
        : result
    case 'hides transactions':
      return method === 'eth_getBlockByNumber' && result ? { ...result, transactions: [] } : result
    default:
      return result
  }
}

/** In base units: the price below which the pools of BNB Smart Chain take no transaction. */
const minGasPrice = 100_000_000n

/** The error with which a real node refuses a call that anvil answers, or null. */
async function refusalOfNode(target: string, call: Call): Promise<Omit<ProviderError, 'source'> | null> {
  const { method, params } = call
  if (method === 'eth_getLogs') {
    const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
    if (Number(fromBlock) > Number(toBlock)) return { code: -32602, message: 'invalid block range params' }
    const { result: head } = await pass(target, { ...call, method: 'eth_blockNumber', params: [] })
    if (Number(toBlock) > Number(head))
      return { code: -32602, message: 'block range extends beyond current head block' }
  }
  if (method !== 'eth_sendRawTransaction') return null
  const raw = params[0] as `0x02${string}`
  const { chainId, nonce = 0, gasPrice, maxFeePerGas } = parseTransaction(raw)
  const refuse = (message: string) => ({ code: -32000, message })
  const { result: id } = await pass(target, { ...call, method: 'eth_chainId', params: [] })
  if (chainId !== Number(id)) return refuse(`invalid chain id for signer: have ${chainId} want ${Number(id)}`)
  const price = gasPrice ?? maxFeePerGas ?? 0n
  if (price < minGasPrice)
    return refuse(`transaction gas price below minimum: gas tip cap ${price}, minimum needed ${minGasPrice}`)
  const sender = (await recoverTransactionAddress({ serializedTransaction: raw })).toLowerCase()
  const { result: pool } = await pass(target, { ...call, method: 'txpool_content', params: [] })
  const { pending } = pool as { pending: Record<string, Record<string, { hash: Hex; gasPrice: Hex }>> }
  const waiting = Object.entries(pending).find(([address]) => address.toLowerCase() === sender)?.[1][nonce]
  if (waiting?.hash === keccak256(raw)) return refuse('already known')
  if (waiting && price * 10n < BigInt(waiting.gasPrice) * 11n)
    return refuse('replacement transaction underpriced')
  return null
}

const callTimes = new WeakMap<Provider, number[]>()

/** The error with which a provider refuses a call, or null. */
async function refusalOf(provider: Provider, target: string, call: Call): Promise<ProviderError | null> {
  const { rate, range, state, lacks } = provider
  if (rate) {
    const now = Date.now()
    const recent = (callTimes.get(provider) ?? []).filter((at) => now - at < 1000)
    if (recent.length >= rate.perSecond) return rate.error
    callTimes.set(provider, [...recent, now])
  }
  if (lacks?.methods.includes(call.method)) return lacks.error
  if (range && isTooWide(call, range.most)) return range.error
  if (state && isOfState(call)) {
    const { result: head } = await pass(target, { ...call, method: 'eth_blockNumber', params: [] })
    if (Number(call.params[1]) < Number(head) - state.kept) return state.error
  }
  return null
}

/** Whether a call reads an account at a block. */
function isOfState({ method }: Call): boolean {
  return method === 'eth_getTransactionCount' || method === 'eth_getBalance'
}

function isTooWide({ method, params }: Call, widest: number): boolean {
  if (method !== 'eth_getLogs') return false
  const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
  return Number(toBlock) - Number(fromBlock) >= widest
}

interface Passed {
  error?: { message: string; data?: unknown }
  result?: unknown
}

async function pass(target: string, call: Call): Promise<Passed> {
  return (await json(await ask(target, call))) as Passed
}

/** The connections of all proxies to their targets. A request with fetch takes twice the processor time. */
const agent = new Agent({ keepAlive: true })

function ask(target: string, call: Call): Promise<IncomingMessage> {
  const headers = { 'Content-Type': 'application/json' }
  return new Promise((resolve, reject) => {
    request(target, { method: 'POST', headers, agent }, resolve).on('error', reject).end(JSON.stringify(call))
  })
}
