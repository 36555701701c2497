import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** What stands between the worker and its backend: nothing, or a fault. */
export type Fault =
  | 'none'
  | 'off'
  | 'hang'
  | 'reset'
  | 'truncated'
  | 'html'
  | 'garbage'
  | 'empty'
  | '500'
  | '503'
  | '429'

export interface FaultProxy {
  url: string
  fault: Fault
  /** Where it is set, only paths that match have the fault. */
  only: RegExp | null
  /** Paths of the requests that came, in order. */
  requests: string[]
  close(): Promise<void>
}

/** A proxy in front of `target` that answers with `fault` for as long as that is set. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((incoming, outgoing) => {
    proxy.requests.push(`${incoming.method} ${incoming.url}`)
    const spared = proxy.only && !proxy.only.test(incoming.url ?? '')
    answer(spared ? 'none' : proxy.fault, target, incoming, outgoing)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (proxy.fault === 'off') socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: 'none',
    only: null,
    requests: [],
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return proxy
}

function answer(fault: Fault, target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const json = { 'Content-Type': 'application/json' }
  switch (fault) {
    case 'none':
      pass(target, incoming, outgoing)
      return
    case 'hang':
      return
    case 'off':
    case 'reset':
      incoming.socket.destroy()
      return
    case 'truncated':
      outgoing.writeHead(200, { ...json, 'Content-Length': 500 }).write('{"access_token":"ey')
      setTimeout(() => incoming.socket.destroy(), 50)
      return
    case 'html':
      outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Welcome to nginx</h1>')
      return
    case 'garbage':
      outgoing.writeHead(200, json).end('{"access_token":{"a":[1]},"user":"<script>alert(1)</script>"}')
      return
    case 'empty':
      outgoing.writeHead(200, json).end('{}')
      return
    default:
      outgoing
        .writeHead(Number(fault), { ...json, 'Retry-After': '1' })
        .end('{"message":"<b>internal detail</b>"}')
  }
}

function pass(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const upstream = request(
    new URL(incoming.url ?? '/', target),
    { method: incoming.method, headers: incoming.headers },
    (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    },
  )
  upstream.on('error', () => incoming.socket.destroy())
  incoming.pipe(upstream)
}
