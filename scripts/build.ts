import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'

const sources = ['app', 'public', 'vite.config.ts', 'package-lock.json']
const builtInto = 'build/server'
const built = `${builtInto}/index.js`

/** Builds the worker and its assets where something is newer than the last build. Throws when that fails. */
export function build(): void {
  if (existsSync(built) && statSync(built).mtimeMs > newest(sources)) return
  console.log('Building …')
  const { status } = spawnSync('remix', ['vite:build', '--logLevel', 'error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('The build failed.')
}

/** The paths of the built worker's modules: itself, then the chunks of what is loaded where it is used. */
export function builtModules(): string[] {
  const chunks = `${builtInto}/chunks`
  return [built, ...(existsSync(chunks) ? readdirSync(chunks).map((name) => `${chunks}/${name}`) : [])]
}

function newest(paths: string[]): number {
  const times = paths.map((path) => {
    const stat = statSync(path)
    const inside = stat.isDirectory() ? newest(readdirSync(path).map((name) => `${path}/${name}`)) : 0
    return Math.max(stat.mtimeMs, inside)
  })
  return Math.max(0, ...times)
}
