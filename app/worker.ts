import * as build from 'virtual:remix/server-build'
import { answerCallback } from './auth/callback.server'
import { createContext } from './context.server'
import { answerCached, answerFromMemory, isAnonymous, type Render } from './edge/cache.server'
import { createCacheAddress } from './edge/cache-address'
import { errorPage } from './edge/error-page.server'
import { refuseForgery, toSiteOrigin } from './edge/origin.server'
import { takeReport } from './edge/report.server'
import { answerBounded, createRequestLimits } from './edge/request-limits.server'
import { secure } from './edge/security-headers.server'
import { createHandler } from './rendering/handler.server'
import { createBackendAccess } from './server/backend.server'
import { readClock } from './server/clock.server'
import { type Config, type Env, type Execution, readConfig } from './server/env.server'
import { createLog, type Log, requestIdOf } from './server/log.server'

const handle = createHandler(build, import.meta.env.MODE)
const cacheAddress = createCacheAddress(build.routes)
const refuseUnbounded = createRequestLimits(build.routes)

export default {
  async fetch(request: Request, env: Env, execution: Execution): Promise<Response> {
    const startedAt = Date.now()
    const log = createLog(requestIdOf(request))
    const response = await answer(request, env, execution, log)
    response.headers.set('X-Request-Id', log.requestId)
    log.info('request', {
      method: request.method,
      path: pathOf(request.url),
      status: response.status,
      ms: Date.now() - startedAt,
    })
    return response
  },

  /** Each minute, as wrangler.toml says. Without a chain and keys there is nothing to do. */
  async scheduled(_: unknown, env: Env, execution: Execution): Promise<void> {
    const log = createLog(crypto.randomUUID())
    try {
      const config = readConfig(env)
      if (!config.SUPABASE_SECRET_KEY) return
      const { runLedgerJob } = await import('./chain/follow.server')
      await runLedgerJob(config, createBackendAccess(config, log, null, execution).fetch, log)
    } catch (error) {
      log.error('scheduled.threw', { message: (error as Error).message })
    }
  },
}

async function answer(request: Request, env: Env, execution: Execution, log: Log): Promise<Response> {
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    log.error('configuration', { message: (error as Error).message })
    return errorPage(log.requestId)
  }
  return (
    answerFromMemory(request, readClock(config)) ??
    secure(await answerInFull(request, env, execution, log), config)
  )
}

async function answerInFull(request: Request, env: Env, execution: Execution, log: Log): Promise<Response> {
  const context = createContext(request, env, execution, log)
  const { config, cookies, url } = context

  /** A public page for everybody: made of its address alone, whoever asked. */
  const render: Render = async (address) => {
    const plain = new Request(config.SITE_URL + address)
    const anonymous = createContext(plain, env, execution, createLog(log.requestId))
    const response = secure(await handle(plain, anonymous), config)
    return { response, degraded: anonymous.log.failed }
  }
  const address = isAnonymous(cookies) ? cacheAddress(request, url) : null

  let response: Response
  try {
    response =
      (await takeReport(request, context)) ??
      toSiteOrigin(request, url, config) ??
      refuseForgery(request, config, log) ??
      refuseUnbounded(request, url, log) ??
      (await answerCallback(request, context)) ??
      (address && !import.meta.env.DEV
        ? await answerCached(request, address, {
            site: config.SITE_URL,
            release: import.meta.env.RELEASE,
            now: () => readClock(config),
            execution,
            render,
          })
        : await answerBounded(request, log, (whole) => handle(whole, context)))
  } catch (error) {
    log.error('request.threw', { message: (error as Error).message })
    response = errorPage(log.requestId)
  }
  // Remix skips entry.server for redirects and data requests, so cookies are committed here, once.
  cookies.commit(response.headers)
  // A compressor holds the first part of a stream back until the last: 'Loading...' would never be seen.
  if (!context.isDocument) response.headers.set('Content-Encoding', 'identity')
  return response
}

/** The path alone, as far as any of ours goes: queries carry codes. Not by `new URL`, which takes as long as the rest of a cached answer's log. */
function pathOf(url: string): string {
  return /^[^/]*\/\/[^/]*([^?#]{0,500})/.exec(url)?.[1] ?? ''
}
