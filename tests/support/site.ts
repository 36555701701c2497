import { appendFileSync } from 'node:fs'
import { freePort } from '../../scripts/free-port.ts'
import { type ServeOptions, serve } from '../../scripts/serve.ts'
import { readWorkerConfig, type WorkerConfig } from '../../scripts/worker-config.ts'
import { variablesOfDemo } from '../../supabase/embedded/demo-chain.ts'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { mailboxVariables } from '../../supabase/embedded/mailbox.ts'
import { migratedData } from './data-folder.ts'
import { startBackend } from './temporary-backend.ts'

export interface Site {
  url: string
  /** Every line that the worker printed, and every line of the backend of `startSiteWithBackend`. */
  log: string[]
  /** Sends a request to the worker under any URL, for example an https URL. */
  dispatch(url: string, init?: RequestInit): Promise<Response>
  /** Runs the worker's scheduled work once, as if the time were `minute`. */
  runSchedule(minute?: Date): Promise<void>
  close(): Promise<void>
}

/** Whether the rate limits of wrangler.toml apply; `eighth`: an eighth of each, for fewer requests. */
type Limits = boolean | 'eighth'

/** The rate limits of wrangler.toml divided by eight, each at least 2. */
export function limitsInEighths(): WorkerConfig['ratelimits'] {
  return readWorkerConfig().ratelimits.map(({ simple, ...rest }) => ({
    ...rest,
    simple: { ...simple, limit: Math.max(2, Math.ceil(simple.limit / 8)) },
  }))
}

function limitsFor(limits: Limits): Pick<ServeOptions, 'limits' | 'config'> {
  if (limits !== 'eighth') return { limits }
  return { limits: true, config: { ...readWorkerConfig(), ratelimits: limitsInEighths() } }
}

/** The variables of every site of the tests. */
const common = {
  MINIMUM_RESPONSE_MS: '0',
  // On a busy machine the backend may take longer than a page waits in production (Remix: 5 s).
  READ_TIMEOUT_MS: '4000',
}
/** For tests of faults: pages wait for the backend as long as in production. */
export const impatient = { READ_TIMEOUT_MS: '2000' }

/**
 * Lines that workerd itself writes about a request that ended while waiting for work shared with a different
 * request. This happens on a busy machine. The lines contain no request data.
 */
const ofWorkerd =
  /^(NOSENTRY IoContext dropped queued cross-context actions|Warning: A promise was resolved or rejected from a different request context)/

/** Keeps each line, and appends it to the file SITE_LOG, which the sites of several processes share. */
function keepLines() {
  const lines: string[] = []
  const file = process.env.SITE_LOG
  const keep = (line: string) => {
    if (ofWorkerd.test(line)) return
    lines.push(line)
    if (file) appendFileSync(file, `${line}\n`)
  }
  return { lines, keep }
}

/**
 * The host of all sites of the tests, because cookies belong to a host: that of the project's site URL. On http, the
 * real auth service accepts messages from wallets only for localhost.
 */
export const siteHost = process.env.POSTGREST_BIN
  ? 'localhost'
  : new URL(process.env.SITE_URL || 'http://127.0.0.1').hostname

/**
 * Serves the production build in workerd with the given backend, which need not be running. All visitors of a
 * test have one IP address, so the rate limits are off unless `limits` is set.
 */
export async function startSite(
  backend: { url: string; publishableKey: string },
  more = {},
  { limits = false, live = true, siteUrl }: { limits?: Limits; live?: boolean; siteUrl?: string } = {},
): Promise<Site> {
  const { lines, keep } = keepLines()
  const start = (port: number) =>
    serve({
      port,
      ...limitsFor(limits),
      live,
      print: keep,
      variables: {
        SITE_URL: siteUrl ?? `http://${siteHost}:${port}`,
        SUPABASE_URL: backend.url,
        SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
        ...common,
        ...more,
      },
    })
  // An external project's emails link to its site URL, so the site must listen on its port.
  const site = await (siteUrl ? start(Number(new URL(siteUrl).port)) : atFreePort(start))
  return { ...site, url: siteUrl ?? site.url.replace('127.0.0.1', siteHost), log: lines }
}

export interface SiteWithBackend extends Site {
  backend: EmbeddedBackend
}

interface Options {
  confirmations?: boolean
  demo?: boolean
  limits?: Limits
  /** Whether visitors can follow pages: the scheduled work sends emails to the mailbox of the backend. */
  mail?: boolean
  /** Additional variables of the worker. */
  variables?: Record<string, string>
}

/** Starts a site with its own embedded backend, whose database has no rows unless `demo` is set. */
export function startSiteWithBackend({
  limits = false,
  mail = false,
  variables: more = {},
  ...options
}: Options = {}): Promise<SiteWithBackend> {
  return atFreePort(async (port) => {
    const { path, remove, ...database } = await migratedData()
    // Emailed links lead to the site, so the port of the site is chosen before the backend starts.
    const url = `http://${siteHost}:${port}`
    const { lines, keep } = keepLines()
    const backend = await startBackend({
      dataDir: path,
      ...database,
      port: 0,
      mailPort: 0,
      siteUrl: url,
      log: keep,
      ...options,
    })
    await warmUp(backend)
    const end = async () => {
      await backend.close()
      await remove()
    }
    const variables = {
      SITE_URL: url,
      SUPABASE_URL: backend.url,
      SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
      ...common,
      ...(options.demo && variablesOfDemo(backend.url)),
      ...(mail && { ...mailboxVariables(backend.mailUrl), SUPABASE_SECRET_KEY: backend.secretKey }),
      ...more,
    }
    try {
      const site = await serve({ port, ...limitsFor(limits), print: keep, variables })
      return { ...site, url, log: lines, backend, close: () => site.close().then(end) }
    } catch (error) {
      await end()
      throw error
    }
  })
}

/**
 * Makes a backend's first requests. They load its catalogue and compile its code, which on a busy machine
 * takes longer than the worker's timeout for reads.
 */
export async function warmUp({ url, secretKey }: EmbeddedBackend): Promise<void> {
  for (const path of [
    '/rest/v1/profiles?limit=1',
    '/rest/v1/published_transactions?limit=1',
    '/auth/v1/health',
  ])
    await (await fetch(url + path, { headers: { apikey: secretKey } })).text()
}

/** Storage of `npm run test:real` starts at its first request, for which the worker would not wait. */
export async function startPictures({ url }: Pick<EmbeddedBackend, 'url'>): Promise<void> {
  await (await fetch(`${url}/storage/v1/object/public/avatars/none`)).text()
}

/** Tries at most three ports: another process may take a free port before the server listens on it. */
async function atFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePort())
    } catch (error) {
      if (attempt === 3) throw error
    }
  }
}
