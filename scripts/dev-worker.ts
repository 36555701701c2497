import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from 'miniflare'
import type { Plugin } from 'vite'
import { sendResponse, toRequest } from './fetch-adapter.ts'
import { miniflareOptions, readWorkerConfig } from './worker-config.ts'

/**
 * Runs app/worker.ts for every request of the dev server, with hot reload. The worker runs in Node; its bindings
 * (the rate limits of wrangler.toml) are those of an empty worker in miniflare.
 */
export function devWorker(): Plugin {
  return {
    name: 'goodblock:dev-worker',
    async configureServer(server) {
      const platform = new Miniflare(
        convertV4MiniflareOptions({
          ...miniflareOptions(readWorkerConfig()),
          modules: true,
          script: 'export default {}',
        } as V4MiniflareOptions),
      )
      server.httpServer?.once('close', () => platform.dispose())
      const env = { ...(await platform.getBindings()), ...process.env }
      const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }
      return () => {
        server.middlewares.use(async (incoming, outgoing, next) => {
          try {
            const worker = await server.ssrLoadModule('/app/worker.ts')
            const response = await worker.default.fetch(
              toRequest(incoming, String(env.SITE_URL)),
              env,
              context,
            )
            sendResponse(response, outgoing)
          } catch (error) {
            if (error instanceof Error) server.ssrFixStacktrace(error)
            next(error)
          }
        })
      }
    },
  }
}
