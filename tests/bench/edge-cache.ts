import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The Cache API of a data centre for `workerd serve`, which has none: an HTTP service that outlasts the
 * isolates. workerd sends a GET for `match`, and for `put` a PUT whose body is the whole response with its
 * head. To the site, each page was stored `age` milliseconds ago, however long the bench takes.
 */
export async function startEdgeCache() {
  const stored = new Map<string, { headers: [string, string][]; body: Buffer }>()
  const server = createServer((incoming, outgoing) => {
    const key = `${incoming.headers.host}${incoming.url}`
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      if (incoming.method === 'PUT') {
        const sent = Buffer.concat(chunks)
        const end = sent.indexOf('\r\n\r\n')
        const lines: string[] = sent.subarray(0, end).toString('latin1').split('\r\n').slice(1)
        const headers = lines.map((line): [string, string] => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon), line.slice(colon + 1).trim()]
        })
        const kept = headers.filter(([name]) => !/^(transfer-encoding|content-length)$/i.test(name))
        const isChunked = headers.some(([name]) => /^transfer-encoding$/i.test(name))
        const body = sent.subarray(end + 4)
        stored.set(key, { headers: kept, body: isChunked ? withoutChunks(body) : body })
        outgoing.writeHead(204).end()
        return
      }
      const found = stored.get(key)
      if (!found) return outgoing.writeHead(504, { 'CF-Cache-Status': 'MISS' }).end()
      const headers = found.headers.map(([name, value]) =>
        /^x-stored-at$/i.test(name) ? [name, `${Date.now() - cache.age}`] : [name, value],
      )
      outgoing.writeHead(200, [...headers.flat(), 'CF-Cache-Status', 'HIT']).end(found.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const cache = {
    port,
    age: 0,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return cache
}

/** The content of a body in chunks (RFC 9112, 7.1). */
function withoutChunks(body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.subarray(at, end).toString('latin1'), 16)
    if (!size) return Buffer.concat(parts)
    parts.push(body.subarray(end + 2, end + 2 + size))
    at = end + 4 + size
  }
}
