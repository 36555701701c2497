/** `npm run build`: builds the worker and its assets, and records the files of the build. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const sources = ['app', 'public', 'scripts/vite', 'vite.config.ts', 'lingui.config.ts', 'package-lock.json']
const output = 'build'
const stampFile = `${output}/stamp.json`

/** The content of `stampFile`, which is written last: an interrupted build has no stamp. */
interface Stamp {
  /** The hash of all sources, which shows whether the build is current. */
  sources: string
  /** The hash of each built file, by path. */
  files: Record<string, string>
}

/**
 * Builds unless the last build is complete and was made from the same sources. Compares contents and not
 * times, because a clock that was set back would make an old build look new. Throws if the build fails.
 */
export async function build(signal?: AbortSignal): Promise<void> {
  const current = hashOf(sources.flatMap(filesBelow))
  if (!faultOfBuild() && readStamp()?.sources === current) return
  console.log('Building …')
  rmSync(output, { recursive: true, force: true })
  await run(signal)
  const files = Object.fromEntries(filesBelow(output).map((path) => [path, hashOf([path])]))
  const stamp: Stamp = { sources: current, files }
  writeFileSync(`${stampFile}.new`, JSON.stringify(stamp))
  renameSync(`${stampFile}.new`, stampFile)
}

/** Throws an error for the operator unless the build has exactly the files of the last finished build. */
export function assertWholeBuild(): void {
  const fault = faultOfBuild()
  if (fault) throw new Error(`The build is not complete (${fault}). Run npm run build.`)
}

/**
 * The content of each module of the built worker by its name: the entry first, then the modules that the
 * entry loads on demand. A module whose name does not end in '.js' contains bytes.
 */
export function builtModules(): Record<string, Buffer<ArrayBuffer>> {
  const folder = `${output}/server`
  const chunks = existsSync(`${folder}/chunks`) ? readdirSync(`${folder}/chunks`) : []
  const names = ['index.js', ...chunks.map((name) => `chunks/${name}`)]
  return Object.fromEntries(names.map((name) => [name, readFileSync(`${folder}/${name}`)]))
}

function faultOfBuild(): string | null {
  const stamp = readStamp()
  if (!stamp) return 'it was never finished'
  const found = new Set(filesBelow(output).filter((path) => path !== stampFile))
  for (const [path, hash] of Object.entries(stamp.files)) {
    if (!found.delete(path)) return `${path} is missing`
    if (hashOf([path]) !== hash) return `${path} has changed`
  }
  const [stale] = found
  return stale ? `${stale} is of another build` : null
}

function readStamp(): Stamp | null {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'))
  } catch {
    return null
  }
}

/** Runs Vite in a child process that ends when this process ends. */
function run(signal?: AbortSignal): Promise<void> {
  const vite = 'node_modules/@remix-run/dev/dist/cli.js'
  const args = ['scripts/run-with-parent.sh', process.execPath, vite, 'vite:build', '--logLevel', 'error']
  // Vitest sets NODE_ENV to 'test', with which Vite would make a development build.
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = spawn('sh', args, { stdio: ['ignore', 'ignore', 'inherit'], env, signal })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('The build failed.'))))
  })
}

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(`${path}/${name}`))
}

function hashOf(paths: string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(path).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('base64url')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build().catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
