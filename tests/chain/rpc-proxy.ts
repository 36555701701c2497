import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'

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
  | 'invents balances'
  | 'invents calls'
  | 'hides transactions'
  | 'small ranges'
  | 'swallows transactions'
  | 'loses replies to sending'
  | 'refuses old state'
  | 'refuses old calls'
  | 'lacks block receipts'

export interface RpcProxy {
  url: string
  fault: RpcFault
  /** With 'lags': the number of blocks by which the endpoint is behind. */
  lag: number
  /** With 'refuses old state': the number of blocks before the head whose state is still served. */
  kept: number
  /** With 'small ranges': the largest number of blocks in one range. */
  widest: number
  /** Milliseconds before each response. */
  delay: number
  /** After this number of further calls, every connection ends without a response. */
  dies: number
  /** The methods that were called. */
  called: string[]
  close(): Promise<void>
}

interface Call {
  id: number
  method: string
  params: unknown[]
}

/** A JSON-RPC endpoint that passes calls on to `target`, and applies the fault that is set. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const sockets = new Set<Socket>()
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const call = JSON.parse(Buffer.concat(chunks).toString()) as Call
    proxy.called.push(call.method)
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
  if (proxy.fault === 'swallows transactions' && call.method === 'eth_sendRawTransaction') {
    send({ result: `0x${'0'.repeat(64)}` })
    return
  }
  if (proxy.fault === 'refuses old state' && isOfState(call)) {
    const { result: head } = await pass(target, { ...call, method: 'eth_blockNumber', params: [] })
    if (Number(call.params[1]) < Number(head) - proxy.kept) {
      send({ error: { code: -32000, message: 'missing trie node' } })
      return
    }
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
    const { body } = await request(target, call)
    outgoing.writeHead(200, { 'Content-Type': 'application/json' })
    await pipeline(Readable.fromWeb(body as ReadableStream), outgoing)
    return
  }
  const { error, result } = await pass(target, call)
  if (proxy.fault === 'loses replies to sending' && call.method === 'eth_sendRawTransaction') {
    outgoing.destroy()
    return
  }
  if (error) send({ error })
  else if (proxy.fault === 'small ranges' && isTooWide(call, proxy.widest))
    send({ error: { code: -32000, message: 'exceed maximum block range' } })
  else send({ result: await alter(proxy, target, call, result) })
}

/**
 * Returns the result of a call after the fault: old, false or missing data. The result is unchanged if the
 * fault does not concern this method.
 */
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
    case 'denies receipts':
      return method === 'eth_getTransactionReceipt' ? null : result
    case 'invents balances':
      return method === 'eth_getBalance' ? `0x${(BigInt(result as string) + 1n).toString(16)}` : result
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

/** Whether a call reads an account at a block. */
function isOfState({ method }: Call): boolean {
  return method === 'eth_getTransactionCount' || method === 'eth_getBalance'
}

function isTooWide({ method, params }: Call, widest: number): boolean {
  if (method !== 'eth_getLogs') return false
  const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
  return Number(toBlock) - Number(fromBlock) >= widest
}

async function pass(target: string, call: Call): Promise<{ error?: object; result?: unknown }> {
  return (await request(target, call)).json()
}

function request(target: string, call: Call): Promise<Response> {
  return fetch(target, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(call),
  })
}
