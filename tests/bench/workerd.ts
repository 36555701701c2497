import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/free-port.ts'

/** The runtime that `npm start` runs, without miniflare in front of it. */
const workerd = createRequire(createRequire(import.meta.url).resolve('miniflare'))('workerd')
  .default as string

export interface Worker {
  url: string
  /** Resident memory in MiB. */
  memory(): number
  /** Processor time spent so far, in seconds: unlike wall time it does not depend on who else is running. */
  processorTime(): number
  /** Milliseconds from starting the process to its first answer. */
  startUp: number
  close(): Promise<void>
}

/** Serves one worker's module by `workerd serve`, on a free port of 127.0.0.1. */
export async function startWorkerd(options: {
  module: string
  variables?: Record<string, string>
  port?: number
}): Promise<Worker> {
  const { module, variables = {}, port = await freePort() } = options
  const folder = mkdtempSync(join(tmpdir(), 'goodblock-bench-'))
  const config = join(folder, 'config.capnp')
  writeFileSync(join(folder, 'worker.js'), module)
  writeFileSync(config, configOf(port, variables))
  const startedAt = performance.now()
  // What the worker logs costs what it costs, but is read by nobody.
  const child = spawn(workerd, ['serve', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  const close = async () => {
    if (child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await answering(url, child)
  } catch (error) {
    await close()
    throw error
  }
  const startUp = performance.now() - startedAt
  const { pid = 0 } = child
  return { url, memory: () => residentMemory(pid), processorTime: () => processorTime(pid), startUp, close }
}

/** The flags are wrangler.toml's. */
function configOf(port: number, variables: Record<string, string>): string {
  const toml = readFileSync('wrangler.toml', 'utf8')
  const date = toml.match(/^compatibility_date = "(.*)"$/m)?.[1]
  const flags = toml.match(/^compatibility_flags = \[(.*)\]$/m)?.[1]
  const bindings = Object.entries(variables).map(
    ([name, value]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)})`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "site", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "${date}",
      compatibilityFlags = [${flags}],
      bindings = [${bindings.join(', ')}],
    )),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "site")],
);
`
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const answered = await fetch(url, { redirect: 'manual' }).catch(() => null)
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error('workerd did not start')
}

function residentMemory(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmRSS:\s+(\d+) kB$/m)?.[1]) / 1024
}

/** User and system time of the process, which Linux counts in hundredths of a second. */
function processorTime(pid: number): number {
  const [user, system] =
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13) ?? []
  return (Number(user) + Number(system)) / 100
}
