import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as send } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../../scripts/free-port.ts'

/** The runtime that `npm start` runs, without miniflare around it. */
const { default: workerd, version } = createRequire(createRequire(import.meta.url).resolve('miniflare'))(
  'workerd',
) as { default: string; version: string }

export const workerdVersion = version

export interface Worker {
  url: string
  /** Milliseconds from the start of the process to its first response. */
  startUp: number
  /** Resident memory in MiB. */
  memory(): number
  /** The processor time so far, in seconds. Unlike wall-clock time, it depends little on other processes. */
  processorTime(): number
  close(): Promise<void>
}

/**
 * Runs a worker with `workerd serve` on 127.0.0.1. `modules` are the contents of the worker's modules by
 * name, with its main module first; a module whose name does not end in '.js' is loaded as bytes.
 */
export async function startWorkerd(options: {
  modules: Record<string, string | Uint8Array<ArrayBuffer>>
  variables?: Record<string, string>
  port?: number
  /** The memory of V8 for objects, in MiB, as the platform limits it. Without a limit, V8 frees memory late. */
  heap?: number
  /** Whether the worker has the hub of live pages, in memory. */
  live?: boolean
  /** The path of the first request; `startUp` ends with its response. */
  first?: string
  /** The headers of the first request. */
  headers?: Record<string, string>
  /** The form that the first request posts. */
  form?: URLSearchParams
  /** The port of the service that is the worker's Cache API (edge-cache.ts). */
  cachePort?: number
}): Promise<Worker> {
  const {
    modules,
    variables = {},
    port = await freePort(),
    heap,
    live = false,
    first = '/robots.txt',
    headers = {},
    form,
    cachePort,
  } = options
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-bench-'))
  for (const [name, content] of Object.entries(modules)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const text = join(folder, 'config.capnp')
  writeFileSync(text, configOf(port, Object.keys(modules), variables, { heap, live, cachePort }))
  // Miniflare and the platform give workerd a binary configuration. Compiling the text takes at least a tenth
  // of the startup time, because the text contains all modules.
  const config = join(folder, 'config.bin')
  const compile = ['compile', '--config-only', text]
  writeFileSync(config, execFileSync(workerd, compile, { maxBuffer: 64 * 1024 * 1024 }))

  const startedAt = performance.now()
  // The worker's output is discarded.
  const child = spawn(workerd, ['serve', '--binary', config], { stdio: ['ignore', 'ignore', 'ignore'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      kill()
      await ended
    }
    process.off('exit', kill)
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  try {
    await firstAnswer(url + first, { headers, form }, child)
  } catch (error) {
    await close()
    throw error
  }
  const startUp = performance.now() - startedAt
  const { pid = 0 } = child
  return { url, startUp, memory: () => memoryOf(pid), processorTime: () => processorTimeOf(pid), close }
}

/** The compatibility date and the flags are the same as in wrangler.toml. */
function configOf(
  port: number,
  modules: string[],
  variables: Record<string, string>,
  { heap, live, cachePort }: { heap?: number; live: boolean; cachePort?: number },
): string {
  const toml = readFileSync('wrangler.toml', 'utf8')
  const date = toml.match(/^compatibility_date = (.*)$/m)?.[1]
  const flags = toml.match(/^compatibility_flags = (.*)$/m)?.[1] ?? '[]'
  const typeOf = (name: string) => (name.endsWith('.js') ? 'esModule' : 'data')
  const embedded = modules.map((name) => `(name = "${name}", ${typeOf(name)} = embed "${name}")`)
  const bindings = Object.entries(variables).map(
    ([name, value]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)})`,
  )
  if (live) bindings.push('(name = "LIVE", durableObjectNamespace = "LiveHub")')
  const objects = `
      durableObjectNamespaces = [(className = "LiveHub", uniqueKey = "live", enableSql = true)],
      durableObjectStorage = (inMemory = void),`
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (${heap ? `\n  v8Flags = ["--max-old-space-size=${heap}", "--max-semi-space-size=4"],` : ''}
  services = [
    (name = "worker", worker = (
      modules = [${embedded.join(', ')}],
      compatibilityDate = ${date},
      compatibilityFlags = ${flags},
      bindings = [${bindings.join(', ')}],${live ? objects : ''}${cachePort ? '\n      cacheApiOutbound = "cache",' : ''}
    )),${cachePort ? `\n    (name = "cache", external = (address = "127.0.0.1:${cachePort}", http = ())),` : ''}
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (forwardedProtoHeader = "X-Forwarded-Proto"), service = "worker")],
);
`
}

/** The first request. */
interface Sent {
  headers: Record<string, string>
  form: URLSearchParams | undefined
}

async function firstAnswer(url: string, sent: Sent, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const status = await statusOf(url, sent).catch(() => null)
    if (status !== null && status >= 400) throw new Error(`the first answer is ${status}`)
    if (status !== null) return
    await new Promise((resolve) => setTimeout(resolve, 0.5))
  }
  throw new Error('workerd did not start')
}

/** The status of a whole response. Not fetched, because `fetch` in Node adds its own time, more for a page than for a text. */
function statusOf(url: string, { headers, form }: Sent): Promise<number> {
  const options = form && {
    method: 'POST',
    headers: { ...headers, Origin: new URL(url).origin, 'Content-Type': 'application/x-www-form-urlencoded' },
  }
  return new Promise((resolve, reject) => {
    const request = send(url, { headers, agent: false, ...options }, (response) => {
      response.resume()
      response.once('error', reject)
      response.once('end', () => resolve(response.statusCode ?? 0))
    })
    request.once('error', reject)
    request.end(form?.toString())
  })
}

function memoryOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+) kB$/m)?.[1]) / 1024
}

/** User and system time, which Linux counts in hundredths of a second. */
function processorTimeOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
