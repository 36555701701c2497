import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Handler = (request: Request) => Promise<Response>

export interface Listener {
  url: string
  /** Accepts no new requests, waits for those that have arrived, then closes every connection. */
  close(): Promise<void>
}

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Serves a handler on 127.0.0.1. An unusable port throws an error that names its variable. */
export async function listen(port: number, variable: string, handler: Handler): Promise<Listener> {
  const running = new Set<Promise<void>>()
  const server = createServer((incoming, outgoing) => {
    void readRequest(incoming)
      .then((request) => {
        const exchange = answer(handler, request, outgoing)
          .catch(() => void outgoing.destroy())
          .finally(() => running.delete(exchange))
        running.add(exchange)
        return exchange
      })
      .catch(() => void outgoing.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portError(error, port, variable)))
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

/** Why a port cannot be used, and which variable sets it. `advice`: how to choose another. */
export function portError(
  error: NodeJS.ErrnoException,
  port: number,
  variable: string,
  advice = `Choose another: ${variable}=${port + 1} npm start`,
): Error {
  if (error.code === 'EADDRINUSE') return new Error(`Port ${port} is taken. ${advice}`)
  if (error.code === 'EACCES')
    return new Error(`This user may not listen on port ${port}. Set ${variable} to 1024 or more.`)
  return new Error(`${variable}: port ${port} cannot be used (${error.code ?? error.message})`)
}

async function answer(handler: Handler, request: Request, outgoing: ServerResponse) {
  // Prevents DNS rebinding: a malicious site could point its host name at 127.0.0.1 and read the responses.
  const response = loopback.has(new URL(request.url).hostname)
    ? await handler(request)
    : new Response('Forbidden', { status: 403 })
  const body = new Uint8Array(await response.arrayBuffer())
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    'set-cookie': response.headers.getSetCookie(),
  })
  outgoing.end(request.method === 'HEAD' ? undefined : body)
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
