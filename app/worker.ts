import * as build from 'virtual:remix/server-build'
import { createRequestHandler } from '@remix-run/cloudflare'
import { answerCallback } from './auth/callback.server'
import { createContext } from './context.server'
import { brokenPage } from './edge/broken.server'
import { refuseForgery, toSiteOrigin } from './edge/origin.server'
import { secure } from './edge/security.server'
import type { Env, Execution } from './env.server'

const handle = createRequestHandler(build, import.meta.env.MODE)

export default {
  async fetch(request: Request, env: Env, execution: Execution): Promise<Response> {
    const startedAt = Date.now()
    let context: ReturnType<typeof createContext>
    try {
      context = createContext(request, env, execution)
    } catch (error) {
      console.error(
        JSON.stringify({ level: 'error', event: 'configuration', message: (error as Error).message }),
      )
      return brokenPage()
    }
    const { config, cookies, log } = context
    let response: Response
    try {
      response =
        toSiteOrigin(request, config) ??
        refuseForgery(request, config, log) ??
        (await answerCallback(request, context)) ??
        (await handle(request, context))
    } catch (error) {
      log.error('request.threw', { message: (error as Error).message })
      response = brokenPage(log.requestId)
    }
    // Remix skips entry.server for redirects and data requests, so cookies and headers are committed here, once.
    response = secure(response, config, log.requestId)
    cookies.commit(response.headers)
    log.info('request', {
      method: request.method,
      path: new URL(request.url).pathname,
      status: response.status,
      ms: Date.now() - startedAt,
    })
    return response
  },
}
