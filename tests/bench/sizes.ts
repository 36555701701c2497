/** Measures the bundle of the worker, in bytes, and the time in which it starts. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { builtModules } from '../../scripts/build.ts'
import { startBackend } from './backend.ts'
import { add } from './report.ts'
import { startBare, startSite } from './site.ts'
import { median, spread } from './statistics.ts'

/** Code that only a few pages need, recognised by its text. */
const seldom: Record<string, RegExp> = {
  viem: /viem@\d/,
  'the QR encoder': /Data too long/,
}
const kib = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`
const zipped = (text: string) => gzipSync(text, { level: 9 }).length

/** Adds the module at `path` and all of its static imports to `found`. */
function requestPath(path: string, among: string[], found: Map<string, string>): void {
  if (found.has(path) || !among.includes(path)) return
  const text = readFileSync(path, 'utf8')
  found.set(path, text)
  for (const [, imported = ''] of text.matchAll(/\b(?:from|import)\s*["'](\.{1,2}\/[^"']+)["']/g))
    requestPath(join(dirname(path), imported), among, found)
}

export async function measureSizes(quick: boolean): Promise<void> {
  const modules = builtModules()
  // The modules of routes are imported dynamically. Home needs its own and the root's.
  const home = modules.filter((path) => /\/(root|home)-[^/]+\.js$/.test(path))
  if (home.length !== 2) throw new Error(`not the modules of Home: ${home}`)
  const onPath = new Map<string, string>()
  for (const path of [modules[0] ?? '', ...home]) requestPath(path, modules, onPath)
  const size = [...onPath.values()].reduce((sum, text) => sum + zipped(text), 0)
  const whole = modules.reduce((sum, path) => sum + zipped(readFileSync(path, 'utf8')), 0)
  const carried = Object.keys(seldom).filter((name) =>
    [...onPath.values()].some((text) => seldom[name]?.test(text)),
  )
  add({
    what: 'worker bundle, what Home needs, gzip',
    measured: kib(size),
    aim: '≤ 260 KiB, viem and QR only where used',
    reached: size <= 260 * 1024 && carried.length === 0,
    note: `With what is loaded where it is used ${kib(whole)}.${carried.length ? ` Home needs ${carried.join(', ')}.` : ''}`,
  })

  for (const first of ['/robots.txt', '/']) await measureStartUp(first, quick ? 3 : 15)
}

async function measureStartUp(first: string, times: number): Promise<void> {
  const backend = await startBackend('ES256')
  const startUps: number[] = []
  for (let i = 0; i < times; i++) {
    const site = await startSite(backend, { first })
    const bare = await startBare(new Response('ok'))
    startUps.push(site.startUp - bare.startUp)
    await Promise.all([site.close(), bare.close()])
  }
  await backend.close()
  add({
    what: `worker start-up: first answer (${first}) after the bare worker’s, ms`,
    measured: spread(startUps, 0),
    aim: '≤ 45',
    reached: median(startUps) <= 45,
    note:
      first === '/'
        ? 'With the call to the backend and the first rendering of React.'
        : 'The request that was measured before the modules of routes were loaded one by one.',
  })
}
