import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { assertWholeBuild, builtModules } from './build.ts'
import { assertFree } from './free-port.ts'
import { readWorkerConfig, type WorkerConfig, workerOptions } from './worker-config.ts'
import { bindWorkerd } from './workerd.ts'

export interface ServeOptions {
  port: number
  /** The worker's variables, which override the variables of wrangler.toml. */
  variables: Record<string, string>
  /** The folder of the KV namespace CHECKPOINTS. Without a folder, the worker has no such namespace. */
  checkpoints?: string
  /** Whether to apply the rate limits of the configuration. */
  limits?: boolean
  /** The default is the configuration in wrangler.toml. */
  config?: WorkerConfig
  /** Whether the worker has the hub of live pages. */
  live?: boolean
  /** The origin of a proxy in front of the site. The URLs of the worker's requests then have this origin. */
  origin?: string
  /** Called with each line that the worker logs. */
  print?: (line: string) => void
}

export interface Served {
  url: string
  /** Sends a request to the worker under any URL, for example https. */
  dispatch(url: string, init?: RequestInit): Promise<Response>
  /** Runs the worker's scheduled work once, as the platform each minute; tests can set another. */
  runSchedule(minute?: Date): Promise<void>
  close(): Promise<void>
}

/**
 * Serves the production build in workerd on 127.0.0.1 with the configuration of wrangler.toml. Unlike
 * `wrangler dev`, this server has no proxy in front of it and keeps the NODE_ENV of the build. Throws an
 * error for the operator if the build is not complete or the port cannot be used.
 */
export async function serve({
  port,
  variables,
  checkpoints,
  limits = true,
  config = readWorkerConfig(),
  live = true,
  origin,
  print = console.log,
}: ServeOptions): Promise<Served> {
  assertWholeBuild()
  await assertFree(port, 'PORT')
  bindWorkerd()
  const worker = workerOptions(config, builtModules(), {
    variables,
    limits,
    live,
    checkpoints: Boolean(checkpoints),
  })
  if (checkpoints) removeOtherState(checkpoints)
  const miniflare = new Miniflare({
    workers: [{ config: { ...worker, assets: { directory: config.assets.directory, hasUserWorker: true } } }],
    resourcePersistencePath: checkpoints,
    upstream: origin,
    host: '127.0.0.1',
    port,
    enableDevRegistry: false,
    log: new Log(LogLevel.ERROR),
    handleStructuredLogs: ({ message }) => print(message),
  })
  const url = await miniflare.ready
  const runSchedule = async (scheduledTime = new Date()) => {
    await (await miniflare.getWorker()).scheduled({ cron: '* * * * *', scheduledTime })
  }
  // The types of requests and responses in Miniflare are the types of undici.
  const dispatch = (to: string, init?: RequestInit) =>
    miniflare.dispatchFetch(to, init as never) as unknown as Promise<Response>
  return { url: url.origin, dispatch, runSchedule, close: () => miniflare.dispose() }
}

/**
 * Removes everything but the KV namespaces from a folder with miniflare's state. The folder also contains the
 * Cache API's pages, which may be older than a restored database.
 */
function removeOtherState(folder: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (name !== 'kv') rmSync(join(folder, name), { recursive: true })
}
