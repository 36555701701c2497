import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request as requestPlain } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import { request as requestSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Http2Front {
  url: string
  /** Requests a page and discards the response, so that the worker caches the page. */
  warm(path: string): Promise<void>
  close(): Promise<void>
}

/** The browser argument that accepts the front's self-signed certificate. */
export const acceptsCertificate = '--ignore-certificate-errors'

/** Headers about the connection, which HTTP/2 forbids. */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection']

/**
 * Serves `upstream` (the URL of a server on this machine) over TLS and HTTP/2, as the platform serves the
 * site. workerd supports only HTTP/1.1, and for HTTP/1.1 Lighthouse simulates new connections
 * (docs/decisions/006-measure-over-http2.md). The program `openssl` makes the self-signed certificate.
 */
export async function startHttp2Front(upstream: () => string): Promise<Http2Front> {
  const server = createSecureServer({ ...makeCertificate(), allowHTTP1: true })
  server.on('request', (incoming, outgoing) => pass(upstream(), incoming, outgoing))
  const sessions = new Set<{ destroy(): void }>()
  server.on('session', (session) => sessions.add(session))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const warm = (path: string) =>
    new Promise<void>((resolve, reject) => {
      requestSecure(url + path, { rejectUnauthorized: false, agent: false }, (response) =>
        response.resume().once('end', resolve),
      )
        .once('error', reject)
        .end()
    })
  const close = async () => {
    for (const session of sessions) session.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, warm, close }
}

function makeCertificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-certificate-'))
  const [key, cert] = [join(folder, 'key'), join(folder, 'certificate')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, '-days', '2', ...names], {
    stdio: 'ignore',
  })
  const made = { key: readFileSync(key), cert: readFileSync(cert) }
  rmSync(folder, { recursive: true })
  return made
}

function pass(upstream: string, incoming: Http2ServerRequest, outgoing: Http2ServerResponse): void {
  const { method, url, headers, authority } = incoming
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':')))
  const sent = { ...own, host: headers.host ?? authority, 'x-forwarded-proto': 'https' }
  const request = requestPlain(upstream + url, { method, headers: sent }, (response) => {
    const received = Object.entries(response.headers).filter(([name]) => !ofConnection.includes(name))
    outgoing.writeHead(response.statusCode ?? 502, Object.fromEntries(received))
    response.pipe(outgoing)
  })
  request.once('error', () => outgoing.destroy())
  incoming.pipe(request)
}
