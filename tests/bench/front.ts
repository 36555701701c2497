/** A server before the worker, for Cloudflare: static files with public/_headers, and gzip. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

interface Front {
  url: string
  close(): Promise<void>
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
/** The content types of the site that Cloudflare compresses. */
const compressed = /^(?:text\/|application\/(?:json|manifest|speculationrules)|image\/(?:svg|vnd))/

type Send = (status: number, headers: Record<string, string | string[]>, body: Buffer) => void

/** Serves `folder`. Other paths go to the worker, at the URL that `worker` returns. */
export async function startFront(folder: string, worker: () => string): Promise<Front> {
  const rules = readRules(join(folder, '_headers'))
  const zipped = new Map<string, Buffer>()

  const server = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://front')
    const send: Send = (status, headers, body) => {
      const type = String(headers['content-type'] ?? '')
      if (!compressed.test(type) || body.length === 0) return outgoing.writeHead(status, headers).end(body)
      const key = `${pathname} ${headers.etag ?? ''} ${body.length}`
      const small = zipped.get(key) ?? gzipSync(body)
      zipped.set(key, small)
      outgoing.writeHead(status, { ...headers, 'content-encoding': 'gzip' }).end(small)
    }
    const file = join(folder, pathname)
    if (existsSync(file) && statSync(file).isFile()) sendFile(file, pathname, send)
    else pass(worker(), incoming, outgoing, send)
  })

  function sendFile(file: string, pathname: string, send: Send): void {
    const headers: Record<string, string> = {
      'cache-control': 'public, max-age=0, must-revalidate',
      'content-type': types[extname(file)] ?? 'application/octet-stream',
    }
    for (const { pattern, name, value } of rules) if (pattern.test(pathname)) headers[name] = value
    send(200, headers, readFileSync(file))
  }

  return listen(server)
}

/** The rules of a Cloudflare _headers file. */
function readRules(file: string) {
  const rules: { pattern: RegExp; name: string; value: string }[] = []
  let pattern = /^$/
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    if (line.startsWith('/'))
      pattern = new RegExp(`^${line.trim().replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
    const [, name, value] = line.match(/^\s+([\w-]+): (.*)$/) ?? []
    if (name && value) rules.push({ pattern, name: name.toLowerCase(), value })
  }
  return rules
}

function pass(worker: string, incoming: IncomingMessage, outgoing: ServerResponse, send: Send): void {
  const { method, headers } = incoming
  const upstream = request(new URL(incoming.url ?? '/', worker), { method, headers }, async (response) => {
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part as Buffer)
    const { 'transfer-encoding': _, 'content-length': __, ...own } = response.headersDistinct
    const flat = Object.entries(own).map(([name, values = []]) => [
      name,
      name === 'set-cookie' ? values : values.join(', '),
    ])
    send(response.statusCode ?? 502, Object.fromEntries(flat), Buffer.concat(parts))
  })
  upstream.on('error', () => outgoing.destroy())
  incoming.pipe(upstream)
}

/** Starts a server on a free port. */
async function listen(server: Server): Promise<Front> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
