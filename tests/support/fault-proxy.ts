import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

const json = { 'Content-Type': 'application/json' }
const html = { 'Content-Type': 'text/html' }
const begun = '{"access_token":"ey'

/** 64 MiB of spaces, compressed to 64 kB. Any JSON may begin with spaces. */
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))

type Answer = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  /** Forwards the request to the backend. With `lose`, calls `lose` instead of passing the response on. */
  pass: (lose?: () => void) => void,
) => void

const status =
  (code: number, retryAfter = 1): Answer =>
  (_, outgoing) =>
    outgoing
      .writeHead(code, { ...json, 'Retry-After': `${retryAfter}` })
      .end('{"message":"<b>internal detail</b>"}')

const answers = {
  none: (_, __, pass) => pass(),
  // This fault also closes every new connection.
  off: (incoming) => incoming.socket.destroy(),
  // The backend executes it; the response is `lost`, or `late`: too late for a read, not for a write.
  slow: (_, __, pass) => setTimeout(pass, 300),
  late: (_, __, pass) => setTimeout(pass, 3_000),
  lost: (incoming, _, pass) => pass(() => incoming.socket.destroy()),
  hang: () => {},
  'half-open': (_, outgoing) => outgoing.writeHead(200, { ...json, 'Content-Length': 500 }).write(begun),
  drip: (_, outgoing) => {
    outgoing.writeHead(200, json)
    const drip = setInterval(() => outgoing.write(' '), 100)
    outgoing.once('close', () => clearInterval(drip))
  },
  reset: (incoming) => incoming.socket.destroy(),
  truncated: (incoming, outgoing) => {
    outgoing.writeHead(200, { ...json, 'Content-Length': 500 }).write(begun)
    setTimeout(() => incoming.socket.destroy(), 50)
  },
  'half-closed': (incoming, outgoing) => {
    outgoing.writeHead(200, { ...json, 'Content-Length': 500 }).write(begun)
    setTimeout(() => incoming.socket.end(), 50)
  },
  noise: (incoming) => incoming.socket.end('\x15\x03\x01\x00\x02\x02\x28\r\n\r\n'),
  html: (_, outgoing) => outgoing.writeHead(200, html).end('<h1>Welcome to nginx</h1>'),
  // Responses from a portal or a firewall that look like the rejection of a session.
  'html-401': (_, outgoing) => outgoing.writeHead(401, html).end('<h1>Welcome to nginx</h1>'),
  'html-404': (_, outgoing) => outgoing.writeHead(404, html).end('<h1>Welcome to nginx</h1>'),
  text: (_, outgoing) => outgoing.writeHead(200, { 'Content-Type': 'text/plain' }).end('{}'),
  typeless: (_, outgoing) => outgoing.writeHead(200).end('{}'),
  invalid: (_, outgoing) => outgoing.writeHead(200, json).end('{"id":"1","user":{"id":'),
  garbage: (_, outgoing) =>
    outgoing.writeHead(200, json).end('{"access_token":{"a":[1]},"user":"<script>alert(1)</script>"}'),
  babble: (_, outgoing) =>
    outgoing
      .writeHead(200, json)
      .end('{"access_token":1,"refresh_token":[2],"expires_in":"<b>","user":{"id":7,"factors":"none"}}'),
  deep: (_, outgoing) =>
    outgoing.writeHead(200, json).end(`{"user":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
  empty: (_, outgoing) => outgoing.writeHead(200, json).end('{}'),
  null: (_, outgoing) => outgoing.writeHead(200, json).end('null'),
  list: (_, outgoing) => outgoing.writeHead(200, json).end('[{"id":"<script>alert(1)</script>"},null,7]'),
  number: (_, outgoing) => outgoing.writeHead(200, json).end('42'),
  nothing: (_, outgoing) => outgoing.writeHead(204).end(),
  bomb: (_, outgoing) => outgoing.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(bomb),
  endless: (_, outgoing) => {
    outgoing.writeHead(200, json)
    const part = Buffer.alloc(256 * 1024, ' ')
    const pour = () => {
      while (!outgoing.destroyed && outgoing.write(part));
    }
    outgoing.on('drain', pour)
    pour()
  },
  redirect: (_, outgoing) => outgoing.writeHead(302, { Location: '/elsewhere' }).end(),
  // Clients repeat a write after 307 and 308.
  loop: (incoming, outgoing) => outgoing.writeHead(307, { Location: incoming.url }).end(),
  '500': status(500),
  '501': status(501),
  '502': status(502),
  '503': status(503),
  '504': status(504),
  '521': status(521),
  '429': status(429),
  '429-long': status(429, 3_600),
} satisfies Record<string, Answer>

/** The fault between the worker and its backend, or 'none'. */
export type Fault = keyof typeof answers

/** All faults, without 'none'. */
export const faults = Object.keys(answers).filter((name) => name !== 'none') as Fault[]

export interface FaultProxy {
  url: string
  fault: Fault
  /** If set, only matching paths have the fault; the fault 'off' always closes every connection. */
  only: RegExp | null
  /** The paths of the received requests, in order. */
  requests: string[]
  /** The method, path, authorization and body of each received write, in order, without `repeatable` calls. */
  writes: string[]
  close(): Promise<void>
}

/**
 * Database functions that may be called twice with the same body. The first two only read, and are called with POST
 * because their arguments are JSON or secret. `check_writes` is the test write of /healthz, which differs for each check.
 * Each request that asks for a mail claims the next ones.
 */
const repeatable = new Set(
  ['sum_transactions', 'read_ask', 'check_writes', 'next_mails'].map((name) => `/rest/v1/rpc/${name}`),
)

/** Starts a proxy in front of `target`. It forwards each request, or responds with the fault. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const sockets = new Set<Socket>()
  const server = createServer(async (incoming, outgoing) => {
    const { method, url = '/', headers } = incoming
    proxy.requests.push(`${method} ${url}`)
    const fault = proxy.only && !proxy.only.test(url) ? 'none' : proxy.fault
    const body = await readBody(incoming).catch(() => null)
    if (body === null) return
    if (method !== 'GET' && method !== 'HEAD' && !repeatable.has(url))
      proxy.writes.push(`${method} ${url} ${headers.authorization} ${body}`)
    outgoing.on('error', () => {})
    answers[fault](incoming, outgoing, (lose) => forward(target, incoming, outgoing, body, lose))
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
    writes: [],
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return proxy
}

function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  body: Buffer,
  lose?: () => void,
): void {
  const { method, headers } = incoming
  const upstream = request(new URL(incoming.url ?? '/', target), { method, headers }, (response) => {
    if (lose) {
      response.resume().once('end', lose)
      return
    }
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(outgoing)
  })
  upstream.on('error', () => incoming.socket.destroy())
  upstream.end(body)
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
