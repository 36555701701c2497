import type { Plugin } from 'vite'
import { getPlatformProxy } from 'wrangler'
import { sendResponse, toRequest } from './fetch-adapter.ts'

/** Runs app/worker.ts for every request of the dev server: the same pipeline as in production, hot. */
export function devWorker(): Plugin {
  return {
    name: 'goodblock:dev-worker',
    async configureServer(server) {
      const platform = await getPlatformProxy({ persist: false })
      server.httpServer?.once('close', () => platform.dispose())
      const env = { ...platform.env, ...process.env }
      return () => {
        server.middlewares.use(async (incoming, outgoing, next) => {
          try {
            const worker = await server.ssrLoadModule('/app/worker.ts')
            const response = await worker.default.fetch(
              toRequest(incoming, String(env.SITE_URL)),
              env,
              platform.ctx,
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
