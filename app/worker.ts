import * as build from 'virtual:remix/server-build'
import { createRequestHandler } from '@remix-run/cloudflare'
import { answerCallback } from './auth/callback.server'
import { readClock } from './clock.server'
import { createContext } from './context.server'
import { brokenPage } from './edge/broken.server'
import { answerCached, cacheAddress, isAnonymous, type Render } from './edge/cache.server'
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
      const { message } = error as Error
      console.error(JSON.stringify({ level: 'error', event: 'configuration', message }))
      return brokenPage()
    }
    const { config, cookies, log } = context

    /** A public page for everybody: made of its address alone, whoever asked. */
    const render: Render = async (address) => {
      const plain = new Request(config.SITE_URL + address)
      const anonymous = createContext(plain, env, execution)
      const response = await handle(plain, anonymous)
      return { response, degraded: anonymous.log.failed }
    }
    const address = isAnonymous(cookies) ? cacheAddress(request) : null

    let response: Response
    try {
      response =
        toSiteOrigin(request, config) ??
        refuseForgery(request, config, log) ??
        (await answerCallback(request, context)) ??
        (address && !import.meta.env.DEV
          ? await answerCached(request, address, {
              release: import.meta.env.RELEASE,
              now: () => readClock(config),
              execution,
              render,
            })
          : await handle(request, context))
    } catch (error) {
      log.error('request.threw', { message: (error as Error).message })
      response = brokenPage(log.requestId)
    }
    // Remix skips entry.server for redirects and data requests, so cookies and headers are committed here, once.
    response = secure(response, config, log.requestId)
    cookies.commit(response.headers)
    // A compressor holds the first part of a stream back until the last: 'Loading...' would never be seen.
    if (!context.isDocument) response.headers.set('Content-Encoding', 'identity')
    log.info('request', {
      method: request.method,
      path: new URL(request.url).pathname,
      status: response.status,
      ms: Date.now() - startedAt,
    })
    return response
  },
}
