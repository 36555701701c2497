import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4MiniflareOptions } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { builtModules } from './build.ts'
import { assertFree } from './free-port.ts'

export interface ServeOptions {
  port: number
  /** The worker's variables; they go over those of wrangler.toml. */
  variables: Record<string, string>
  /** Whether the rate limits of wrangler.toml hold. */
  limits?: boolean
  /** Each line that the worker prints. */
  print?: (line: string) => void
}

export interface Served {
  url: string
  /** Runs the worker's schedule once, as the platform does each minute. */
  runSchedule(): Promise<void>
  close(): Promise<void>
}

/**
 * Serves the production build in workerd, as wrangler.toml describes it, on 127.0.0.1. Unlike `wrangler dev`
 * there is no proxy in front and NODE_ENV stays what the build baked in.
 */
export async function serve({
  port,
  variables,
  limits = true,
  print = console.log,
}: ServeOptions): Promise<Served> {
  await assertFree(port, 'PORT')
  const { workerOptions } = unstable_getMiniflareWorkerOptions('wrangler.toml')
  // The modules are named one by one, so the rules that tell them apart are not needed.
  const { modulesRules: _, ...worker } = workerOptions
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...worker,
      ratelimits: limits ? (worker.ratelimits as object) : {},
      name: 'goodblock',
      modules: builtModules().map((path) => ({ type: 'ESModule', path })),
      bindings: { ...(worker.bindings as object), ...variables },
      host: '127.0.0.1',
      port,
      log: new Log(LogLevel.ERROR),
      handleStructuredLogs: ({ message }) => print(message),
    } as V4MiniflareOptions),
  )
  const url = await miniflare.ready
  const runSchedule = async () => {
    await (await miniflare.getWorker()).scheduled({ cron: '* * * * *' })
  }
  return { url: url.origin, runSchedule, close: () => miniflare.dispose() }
}
