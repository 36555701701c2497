import { answerFromMemory, answerPublicPage, isOrdinary } from './entry/edge/public-page.server'
import type { RequestBase } from './entry/renderer'
import { countHit, logHits } from './platform/edge/hit-log'
import {
  type Config,
  checkWitnesses,
  type Env,
  type Execution,
  readConfig,
  type Schedule,
} from './platform/server/env.server'
import { createLog, requestIdOf } from './platform/server/log.server'
import { createLimit } from './platform/server/rate-limit.server'
import { sleep } from './platform/server/timeout'

// The entry of the worker is small, because each new isolate compiles it before its first response, and most
// first responses are stored public pages. All other code is imported when it is needed first;
// tests/boundaries.ts lists what this entry may import.

// The platform requires the class of the Durable Object as an export (wrangler.toml).
export { LiveHub } from './platform/live/live-hub'

export default {
  /** Not async, because a page that is in memory needs no promise. */
  fetch(request: Request, env: Env, execution: Execution): Response | Promise<Response> {
    const startedAt = Date.now()
    logHits(startedAt)
    let config: Config
    try {
      config = readConfig(env)
    } catch (error) {
      return refuseConfiguration(request, error)
    }
    const remembered = answerFromMemory(request, config)
    if (!remembered) return respondAndLog(request, { config, env, execution }, startedAt)
    countHit(remembered.status, startedAt)
    return remembered
  },

  /** Runs every minute (wrangler.toml). */
  async scheduled(schedule: Schedule, env: Env, execution: Execution): Promise<void> {
    const { runSchedule } = await import('./entry/schedule')
    await runSchedule(schedule, env, execution)
  },
}

async function refuseConfiguration(request: Request, error: unknown): Promise<Response> {
  const log = createLog(requestIdOf(request))
  log.error('configuration', { message: (error as Error).message })
  const { errorPage } = await import('./platform/edge/error-page.server')
  return errorPage({ log })
}

async function respondAndLog(
  request: Request,
  base: Omit<RequestBase, 'log'>,
  startedAt: number,
): Promise<Response> {
  try {
    await checkWitnesses(base.config)
  } catch (error) {
    return refuseConfiguration(request, error)
  }
  const log = createLog(requestIdOf(request))
  const response = await respond(request, { ...base, log })
  // The headers of an opened socket are immutable.
  if (response.status !== 101) response.headers.set('X-Request-Id', log.requestId)
  const { method, url } = request
  const line = { method, path: pathOf(url), status: response.status, ms: Date.now() - startedAt }
  // The first line of an isolate takes some time, so the response is sent before it.
  base.execution.waitUntil(sleep(0).then(() => log.info('request', line)))
  return response
}

async function respond(request: Request, base: RequestBase): Promise<Response> {
  try {
    return (
      (await answerStored(request, base)) ?? (await (await import('./entry/pipeline')).respond(request, base))
    )
  } catch (error) {
    base.log.error('request.threw', { message: (error as Error).message })
    const [{ errorPage }, { secure }] = await Promise.all([
      import('./platform/edge/error-page.server'),
      import('./platform/edge/security-headers.server'),
    ])
    return secure(errorPage(base), base.config)
  }
}

/** A public page that is stored, or is rendered now. The dev server does not cache pages. */
async function answerStored(request: Request, base: RequestBase): Promise<Response | null> {
  const { config, env, execution, log } = base
  if (import.meta.env.DEV || !isOrdinary(request, config)) return null
  const rendering = async () => (await import('./entry/renderer')).renderingFor(request, base)
  return answerPublicPage(request, {
    config,
    execution,
    limit: createLimit(env, request.headers.get('CF-Connecting-IP'), log),
    render: async (address, locale) => (await rendering()).render(address, locale),
    refuse: async (locale) => (await rendering()).refuse(locale),
  })
}

/** The path for the log, without the query, which may contain codes. */
function pathOf(url: string): string {
  return /^[^/]*\/\/[^/]*([^?#]*)/.exec(url)?.[1] ?? ''
}
