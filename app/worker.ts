import * as build from 'virtual:remix/server-build'
import type { AppLoadContext } from '@remix-run/cloudflare'
import { createContext, createPublicContext } from './context.server'
import { takeCallback } from './edge/auth-callback.server'
import { errorPage } from './edge/error-page.server'
import { withFormBody } from './edge/form-body.server'
import { countHit, logHits } from './edge/hit-log'
import { readAddress, takeLanguage } from './edge/language.server'
import { answerLive, learnVersion } from './edge/live.server'
import { takeMailEvent } from './edge/mail-event.server'
import { refuseForgery, toSiteOrigin } from './edge/origin.server'
import { answerFromMemory, createPublicPages, type PublicRender } from './edge/public-page.server'
import { takeReport } from './edge/report.server'
import { createRequestLimits } from './edge/request-limits.server'
import { secure } from './edge/security-headers.server'
import type { Stage } from './edge/stage'
import { publishChanges } from './live/publish.server'
import { english } from './locales/locales'
import { createHandler } from './rendering/handler.server'
import { createRouter } from './rendering/router.server'
import {
  type Config,
  type Env,
  type Execution,
  lacksCheckpointMemory,
  readConfig,
  type Schedule,
} from './server/env.server'
import { createLog, type Log, requestIdOf } from './server/log.server'
import { createRuntime, type Runtime } from './server/runtime.server'

// The platform requires the class of the Durable Object as an export (wrangler.toml).
export { LiveHub } from './live/hub.server'

const router = createRouter(build.routes)
const handle = createHandler(build, router, import.meta.env.MODE)

/** Renders a page for the cache, without a visitor. */
const renderPublic: PublicRender = async (request, runtime) => {
  const context = createPublicContext(request, await readAddress(request, runtime.config, router), runtime)
  const response = await handle(request, context, null)
  return { response, degraded: context.log.failed }
}

/**
 * The stages of a request, in order. The site sends the first response that a stage returns; the last stage
 * always returns one.
 */
const stages: Stage[] = [
  takeReport,
  toSiteOrigin,
  refuseForgery,
  answerLive,
  takeMailEvent,
  createRequestLimits(router),
  takeLanguage,
  takeCallback,
  learnVersion,
  // The dev server does not cache pages.
  ...(import.meta.env.DEV ? [] : [createPublicPages(router, renderPublic, import.meta.env.RELEASE)]),
  withFormBody(handle),
]

export default {
  /** Not async, because a page that is in memory needs no promise. */
  fetch(request: Request, env: Env, execution: Execution): Response | Promise<Response> {
    const startedAt = Date.now()
    logHits(startedAt)
    let config: Config
    try {
      config = readConfig(env)
    } catch (error) {
      const log = createLog(requestIdOf(request))
      log.error('configuration', { message: (error as Error).message })
      return errorPage({ log })
    }
    const remembered = answerFromMemory(request, config)
    if (!remembered) return respondAndLog(request, { config, env, execution }, startedAt)
    countHit(remembered.status, startedAt)
    return remembered
  },

  /** Runs every minute (wrangler.toml). */
  async scheduled({ scheduledTime }: Schedule, env: Env, execution: Execution): Promise<void> {
    const log = createLog(crypto.randomUUID())
    try {
      const config = readConfig(env)
      const runtime = createRuntime({ config, env, execution, log }, null)
      // The demonstration set is complete, and no chain has its transactions.
      const hasJobs = Boolean(config.SUPABASE_SECRET_KEY && !config.DEMO)
      if (hasJobs) await runJobs(runtime, scheduledTime)
      else if (config.DEMO) await signDemonstration(runtime)
      await runPart(log, () => publishChanges(runtime))
      await runPart(log, async () => (await import('./mail/mail-job.server')).runMailJob(runtime))
      if (!hasJobs) return
      if (config.WITNESSES.length > 0)
        await runPart(log, async () => {
          const { askWitnesses } = await import('./chain/witnesses.server')
          await askWitnesses(config, runtime.fetch, log)
        })
      // Last, because this part reads the most data of other parties: a slow source delays no other part.
      if (await runPart(log, () => listenToOthers(runtime))) await publishChanges(runtime)
    } catch (error) {
      log.error('scheduled.threw', { message: (error as Error).message })
    }
  },
}

/** Runs a part of the scheduled work. The parts after it run even if it fails. */
async function runPart<Result>(log: Log, part: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await part()
  } catch (error) {
    log.error('scheduled.threw', { message: (error as Error).message })
  }
}

/**
 * Signs what the demonstration's operators have published. Reads no chain, because the transactions of the
 * demonstration are on no chain.
 */
async function signDemonstration({ config, fetch, log }: Runtime): Promise<void> {
  const { runLedgerJob } = await import('./chain/ledger-job.server')
  await runLedgerJob({ ...config, CHAIN_RPC_URLS: [], FUNDME_OPEN: false }, fetch, log, null)
}

/** The scheduled work that needs the secret key. */
async function runJobs(runtime: Runtime, scheduledTime: number): Promise<void> {
  const { config, env, fetch, log } = runtime
  await runPart(log, async () => {
    // Log one line an hour, so that the log of a deployment without the namespace stays readable.
    const beginsHour = new Date(scheduledTime).getUTCMinutes() === 0
    if (beginsHour && lacksCheckpointMemory(config, env)) log.warn('checkpoints.not-kept')
    const { runLedgerJob } = await import('./chain/ledger-job.server')
    const { checkpointMemory } = await import('./chain/checkpoint-memory')
    await runLedgerJob(config, fetch, log, checkpointMemory(env))
    const { sweepPictures } = await import('./pictures/storage.server')
    await sweepPictures(runtime)
  })
}

/**
 * Reads the sources of statements and counts the holders of the token. Returns false if neither is
 * configured.
 */
async function listenToOthers({ config, fetch, log }: Runtime): Promise<boolean> {
  const listens = config.STATEMENT_SOURCES.length > 0 || config.X_BEARER_TOKEN
  // The chunk of this job contains the parser of feeds, which no other code loads.
  if (listens) await (await import('./listening/listening-job.server')).listen(config, fetch, log)
  const counts = config.TOKEN_ADDRESS && config.CHAIN_RPC_URLS.length > 0
  if (counts) await (await import('./chain/holder-job.server')).countHolders(config, fetch, log)
  return Boolean(listens || counts)
}

async function respondAndLog(
  request: Request,
  base: Pick<Runtime, 'config' | 'env' | 'execution'>,
  startedAt: number,
): Promise<Response> {
  const log = createLog(requestIdOf(request))
  const runtime = createRuntime({ ...base, log }, request.headers.get('CF-Connecting-IP'))
  const response = await respond(request, runtime)
  // The headers of an opened socket are immutable.
  if (response.status !== 101) response.headers.set('X-Request-Id', log.requestId)
  log.info('request', {
    method: request.method,
    path: pathOf(request.url),
    status: response.status,
    ms: Date.now() - startedAt,
  })
  return response
}

async function respond(request: Request, runtime: Runtime): Promise<Response> {
  const { config, log } = runtime
  try {
    const context = createContext(request, await readAddress(request, config, router), runtime)
    const response = await runStages(request, context)
    if (response.status === 101) return response
    translateLocation(response, context)
    // Cookies are committed here, once: Remix does not call entry.server for redirects and data requests.
    for (const line of context.cookies.commit()) response.headers.append('Set-Cookie', line)
    // A compressor would delay the first part of a streamed data response until the last part arrives.
    if (!context.isDocument) response.headers.set('Content-Encoding', 'identity')
    return secure(response, config)
  } catch (error) {
    log.error('request.threw', { message: (error as Error).message })
    return secure(errorPage({ log }), config)
  }
}

async function runStages(request: Request, context: AppLoadContext): Promise<Response> {
  for (const stage of stages) {
    const response = await stage(request, context)
    if (response) return response
  }
  throw new Error('no stage answered')
}

/** A redirect leads to the page in the language of the request. */
function translateLocation({ headers }: Response, { config, language }: AppLoadContext): void {
  const location = headers.get('Location')
  if (language.locale.code === english.code || !location) return
  const origin = location.startsWith(`${config.SITE_URL}/`) ? config.SITE_URL : ''
  const path = location.slice(origin.length)
  if (path.startsWith('/')) headers.set('Location', origin + language.href(path))
}

/** The path for the log, without the query, which may contain codes. */
function pathOf(url: string): string {
  return /^[^/]*\/\/[^/]*([^?#]*)/.exec(url)?.[1] ?? ''
}
