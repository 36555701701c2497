import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4MiniflareOptions } from 'miniflare'
import { builtModules } from './build.ts'
import { assertFree } from './free-port.ts'
import { assetOptions, miniflareOptions, readWorkerConfig } from './worker-config.ts'

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
  const config = readWorkerConfig()
  const worker = miniflareOptions(config, { limits })
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...worker,
      modules: builtModules().map((path) => ({ type: 'ESModule', path })),
      assets: assetOptions(config),
      bindings: { ...worker.bindings, ...variables },
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
