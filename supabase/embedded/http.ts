import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Handler = (request: Request) => Promise<Response>

export interface Listener {
  url: string
  /** Takes no more requests, waits for those under way, then hangs up. */
  close(): Promise<void>
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Serves a fetch handler on 127.0.0.1; a port in use is one clear line. */
export async function listen(port: number, handler: Handler): Promise<Listener> {
  const running = new Set<Promise<void>>()
  const server = createServer((incoming, outgoing) => {
    const exchange = answer(handler, incoming, outgoing)
      .catch(() => void outgoing.destroy())
      .finally(() => running.delete(exchange))
    running.add(exchange)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`Port ${port} is in use`) : error),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all(running)
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(handler: Handler, incoming: IncomingMessage, outgoing: ServerResponse) {
  const request = await readRequest(incoming)
  // A page elsewhere can point its own host name at 127.0.0.1 and would read what is served here.
  const response = LOOPBACK.has(new URL(request.url).hostname)
    ? await handler(request)
    : new Response('Forbidden', { status: 403 })
  const body = new Uint8Array(await response.arrayBuffer())
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'set-cookie': response.headers.getSetCookie(),
  })
  outgoing.end(incoming.method === 'HEAD' ? undefined : body)
}

async function readRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headersDistinct))
    headers.set(name, value?.join(', ') ?? '')
  return new Request(new URL(incoming.url ?? '/', `http://${incoming.headers.host}`), {
    method: incoming.method,
    headers,
    body: incoming.method === 'GET' || incoming.method === 'HEAD' ? undefined : Buffer.concat(chunks),
  })
}
