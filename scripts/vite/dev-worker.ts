import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { createRequest, sendResponse } from '@remix-run/node-fetch-server'
import { Miniflare } from 'miniflare'
import { build, type Plugin } from 'vite'
import { livePath } from '../../app/platform/live/protocol.ts'
import { readWorkerConfig, workerOptions } from '../worker-config.ts'

/**
 * Runs app/worker.ts in Node, with hot reload, for every request that Vite does not handle. The bindings come
 * from a second worker in miniflare (scripts/dev-hub.ts), which contains the live hub and receives the
 * upgrade requests for /live.
 */
export function devWorker(): Plugin {
  return {
    name: 'goodblock:dev-worker',
    async configureServer(server) {
      const modules = { 'dev-hub.js': await bundle('scripts/dev-hub.ts') }
      const { SITE_URL } = process.env
      const worker = workerOptions(readWorkerConfig(), modules, { variables: SITE_URL ? { SITE_URL } : {} })
      const platform = new Miniflare({ workers: [{ config: worker }], enableDevRegistry: false })
      const { port } = await platform.ready
      server.httpServer?.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
        if (request.url === livePath) forward(request, socket, Number(port))
      })
      server.httpServer?.once('close', () => platform.dispose())
      const env = { ...(await platform.getBindings()), ...process.env }
      const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }
      const { protocol, host } = new URL(String(env.SITE_URL))
      return () => {
        server.middlewares.use(async (incoming, outgoing, next) => {
          try {
            const worker = await server.ssrLoadModule('/app/worker.ts')
            const request = createRequest(incoming, outgoing, { protocol, host })
            const response: Response = await worker.default.fetch(request, env, context)
            // An incomplete body ends only its own connection.
            await sendResponse(outgoing, response).catch(() => outgoing.destroy())
          } catch (error) {
            if (error instanceof Error) server.ssrFixStacktrace(error)
            next(error)
          }
        })
      }
    },
  }
}

/** Bundles a TypeScript module and its imports into one script. */
async function bundle(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      ssr: entry,
      write: false,
      minify: false,
      rollupOptions: { output: { inlineDynamicImports: true } },
    },
  })
  const { output } = [built].flat()[0] as { output: { code?: string }[] }
  return output[0]?.code ?? ''
}

/** Forwards an upgrade request to a port of 127.0.0.1, then all data in both directions. */
function forward({ url, rawHeaders }: IncomingMessage, socket: Duplex, port: number): void {
  const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? `${name}: ${rawHeaders[at + 1]}` : []))
  const other = connect(port, '127.0.0.1', () => {
    other.write([`GET ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
    socket.pipe(other).pipe(socket)
  })
  for (const [one, another] of [
    [socket, other],
    [other, socket],
  ] as const)
    one.on('error', () => another.destroy()).on('close', () => another.destroy())
}
