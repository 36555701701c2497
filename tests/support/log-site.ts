import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeBase64 } from '../../app/log/bytes.ts'
import { signCheckpoint } from '../../app/log/checkpoint.ts'
import { parseTilePath } from '../../app/log/tile.ts'
import type { LogTree } from './log-tree.ts'

/** The parts of a site's log that a test may replace. */
interface ServedLog {
  tree: LogTree
  vkey: string
  checkpoint: string
  anchors?: object[]
  /** The entries of the export, if they differ from the entries of the tree. */
  exported?: LogTree
  /** Changes the response to a path (without '/transparency/' or '…/log/'). Null means 404. */
  alter?: (path: string, bytes: Uint8Array) => Uint8Array | null
  /** Returns true if it has sent the response to this path. */
  answer?: (path: string, response: ServerResponse) => boolean
}

/** The transactions of a chain, and the number of transactions that each address has sent. */
interface ServedChain {
  transactions: { hash: string; from: string; nonce: number; status: string; input: string }[]
  sent: Record<string, number>
  /** True if it has forgotten in which block each transaction is: it answers only about the block. */
  forgets?: boolean
}

/** Serves a log under /transparency/log/ as the site does, and the transactions of a chain under /rpc. */
export async function startLogSite(initial: ServedLog) {
  const state = { log: initial, chain: { transactions: [], sent: {} } as ServedChain }
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    if (request.url === '/rpc') {
      const { id, method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString())
      return response.end(
        JSON.stringify({ jsonrpc: '2.0', id, result: readChain(state.chain, method, params[0]) }),
      )
    }
    const path = decodeURIComponent(request.url ?? '').replace(/^\/transparency\/(log\/)?/, '')
    requests.push(path)
    if (state.log.answer?.(path, response)) return
    const found = serve(state.log, path)
    const bytes = found && state.log.alter ? state.log.alter(path, found) : found
    response.statusCode = bytes ? 200 : 404
    response.end(bytes ?? 'Not Found')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    requests,
    serve: (log: ServedLog) => {
      state.log = log
    },
    setChain: (chain: ServedChain) => {
      state.chain = chain
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

function readChain({ transactions, sent, forgets }: ServedChain, method: string, parameter: string): unknown {
  const quantity = (number: number) => `0x${number.toString(16)}`
  if (method === 'eth_getTransactionCount') return quantity(sent[parameter] ?? 0)
  const inBlock = parameter === '0x10' ? transactions : []
  if (method === 'eth_getBlockByNumber')
    return { transactions: inBlock.map((one) => ({ ...one, nonce: quantity(one.nonce) })) }
  if (method === 'eth_getBlockReceipts')
    return inBlock.map(({ hash, status }) => ({ transactionHash: hash, status, blockNumber: '0x10' }))
  if (forgets) return null
  const found = transactions.find(({ hash }) => hash === parameter)
  if (!found) return null
  const { from, input, status, nonce } = found
  return method === 'eth_getTransactionReceipt'
    ? { status, blockNumber: '0x10' }
    : { from, input, nonce: quantity(nonce) }
}

function serve(
  { tree, vkey, checkpoint, anchors, exported = tree }: ServedLog,
  path: string,
): Uint8Array | null {
  if (path === 'checkpoint') return Buffer.from(checkpoint)
  if (path === 'vkey') return Buffer.from(`${vkey}\n`)
  if (path === 'anchors.ndjson')
    return anchors ? Buffer.from(anchors.map((one) => `${JSON.stringify(one)}\n`).join('')) : null
  if (path === 'log.ndjson') return Buffer.from(exportOf(exported))
  const tile = parseTilePath(path)
  return tile && tile.level !== 'entries' ? tree.tile(tile.level, tile.index, tile.width) : null
}

/** Returns the content of log.ndjson. */
export function exportOf(tree: LogTree): string {
  return tree.entries.map((entry) => `${Buffer.from(entry)}\n`).join('')
}

/** Returns the signed checkpoint of the tree at this size. */
export function checkpointOf(
  tree: LogTree,
  privateKey: string,
  origin: string,
  size = tree.size,
): Promise<string> {
  return signCheckpoint(privateKey, origin, size, encodeBase64(tree.root(size)))
}
