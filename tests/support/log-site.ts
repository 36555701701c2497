import { createServer } from 'node:http'
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
  /** Changes the response to a path, which is given without '/transparency/' or '/transparency/log/'. Null: 404. */
  alter?: (path: string, bytes: Uint8Array) => Uint8Array | null
}

/** Serves a log under /transparency/log/, as the site does, and the transactions of a chain under /rpc. */
export async function startLogSite(initial: ServedLog, transactions: Record<string, object> = {}) {
  const state = { log: initial }
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    if (request.url === '/rpc') {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
      const { from, input, status = '0x1' } = (transactions[body.params[0]] ?? {}) as Record<string, string>
      const isReceipt = body.method === 'eth_getTransactionReceipt'
      const result = from && (isReceipt ? { status, blockNumber: '0x10' } : { from, input })
      return response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result: result ?? null }))
    }
    const path = decodeURIComponent(request.url ?? '').replace(/^\/transparency\/(log\/)?/, '')
    requests.push(path)
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
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

function serve({ tree, vkey, checkpoint, anchors }: ServedLog, path: string): Uint8Array | null {
  if (path === 'checkpoint') return Buffer.from(checkpoint)
  if (path === 'vkey') return Buffer.from(`${vkey}\n`)
  if (path === 'anchors.ndjson')
    return anchors ? Buffer.from(anchors.map((one) => `${JSON.stringify(one)}\n`).join('')) : null
  if (path === 'log.ndjson') return Buffer.from(exportOf(tree))
  const tile = parseTilePath(path)
  return tile && tile.level !== 'entries' ? tree.tile(tile.level, tile.index, tile.width) : null
}

/** The body of log.ndjson. */
export function exportOf(tree: LogTree): string {
  return tree.entries.map((entry) => `${Buffer.from(entry)}\n`).join('')
}

/** The tree's checkpoint at this size, signed. */
export function checkpointOf(
  tree: LogTree,
  privateKey: string,
  origin: string,
  size = tree.size,
): Promise<string> {
  return signCheckpoint(privateKey, origin, size, encodeBase64(tree.root(size)))
}
