/** Measures the bundle of the worker and the script of private pages, in bytes, and the worker's startup time. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { builtModules } from '../../scripts/build.ts'
import { freePort } from '../../scripts/free-port.ts'
import { startBackend } from './backend.ts'
import type { Bench } from './bench.ts'
import { startEdgeCache } from './edge-cache.ts'
import { credentials, signIn, startBare, startSite, warm } from './site.ts'
import { inTurn } from './statistics.ts'

/** Code that only a few pages need, with a text that identifies it. */
const seldom = { viem: /viem@\d/, 'the QR encoder': /Data too long/ }

const zipped = (content: string | Buffer) => gzipSync(content, { level: 9 }).length / 1024

/** The texts of the module `name` and of all its static imports, by name. */
function imports(name: string, among: Modules, texts = new Map<string, string>()): Map<string, string> {
  const content = among[name]
  if (texts.has(name) || !content) return texts
  const text = content.toString()
  texts.set(name, text)
  for (const [, imported = ''] of text.matchAll(/\b(?:from|import)\s*["'](\.{1,2}\/[^"']+)["']/g))
    imports(join(dirname(name), imported), among, texts)
  return texts
}

type Modules = ReturnType<typeof builtModules>

export async function measureSizes({ report }: Bench<'sizes'>): Promise<void> {
  const modules = builtModules()
  // Routes import their modules dynamically. Home needs its own module and the module of the root.
  const home = Object.keys(modules).filter((name) => /\/(root|home)-[^/]+\.js$/.test(name))
  if (home.length !== 2) throw new Error(`not the modules of Home: ${home}`)
  const needed = new Map<string, string>()
  for (const name of ['index.js', ...home]) imports(name, modules, needed)
  const texts = [...needed.values()]
  const sum = (all: (string | Buffer)[]) => all.reduce((total, text) => total + zipped(text), 0)
  const unwanted = Object.entries(seldom).filter(([, sign]) => texts.some((text) => sign.test(text)))
  report('home', sum(texts), {
    note: `${texts.length} modules.`,
    fault: unwanted.map(([name]) => `with ${name}`).join(', '),
  })
  const whole = Object.values(modules)
  report('whole', sum(whole), { note: `${whole.length} modules.` })
}

/** Texts that identify a package; no page may contain them. */
const unwanted = { zod: 'ZodError', 'auth-js': 'GoTrueClient', 'postgrest-js': 'PostgrestClient' }

/** The script that a page names: its modules and what they import. */
export async function measureScript({ open, report }: Bench<'script'>): Promise<void> {
  const site = await open(startSite(await open(startBackend('ES256'))))
  const Cookie = await signIn(site)
  for (const path of ['/auth', '/dashboard'] as const) {
    const headers: Record<string, string> = path === '/dashboard' ? { Cookie } : {}
    const response = await fetch(site.url + path, { headers, redirect: 'manual' })
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    const named = (await response.text()).matchAll(/<(?:script|link)\b[^>]*"(\/assets\/[\w.-]+\.js)"/g)
    const files = new Set([...named].map(([, file = '']) => file))
    const texts = [...files].map((file) => readFileSync(join('build/client', file), 'utf8'))
    const packages = Object.entries(unwanted).filter(([, sign]) => texts.some((text) => text.includes(sign)))
    report(path, (texts.reduce((sum, text) => sum + zipped(text), 0) * 1024) / 1000, {
      note: `${files.size} files.`,
      fault: packages.map(([name]) => `with ${name}`).join(', '),
    })
  }
}

/** The first requests of an isolate whose pages the Cache API has, by the path of the page. */
const stored = ['/', '/transparency', '/ar', '/ar/transparency'] as const

export async function measureStart({ quick, open, report }: Bench<'start'>): Promise<void> {
  const backend = await open(startBackend('ES256'))
  const cache = await open(startEdgeCache())
  // The keys of the Cache API contain the site's origin, so each site listens on the same port.
  const cached = { port: await freePort(), cachePort: cache.port }
  const filling = await startSite(backend, cached)
  for (const path of [...stored, '/robots.txt']) await warm(filling, path)
  const cookie = await signIn(filling)
  await filling.close()
  const start = async (starting: ReturnType<typeof startBare>) => {
    const { startUp, processorTime, close } = await starting
    const spent = processorTime()
    await close()
    return { startUp, spent }
  }
  const compare = async (
    name: Parameters<typeof report>[0],
    options: Parameters<typeof startSite>[1],
    startOne = () => startSite(backend, options),
  ) => {
    const { ones, others } = await inTurn(
      quick ? 3 : 31,
      () => start(startOne()),
      () => start(startBare()),
    )
    const beyond = (of: 'startUp' | 'spent') => ones.map((one, at) => one[of] - (others[at]?.[of] ?? 0))
    report(name, beyond('startUp'), {
      note: `Processor time ${(1000 * average(beyond('spent'))).toFixed(0)} ms on average.`,
    })
  }
  // What the size of the worker costs, before any of its code runs.
  await compare('modules', {}, () => startBare(builtModules()))
  await compare('stored /robots.txt', { ...cached, first: '/robots.txt' })
  for (const first of stored) {
    await compare(`stored ${first}`, { ...cached, first })
    await compare(`stored ${first}, a member`, { ...cached, first, headers: { Cookie: cookie } })
  }
  // Each response refreshes the page afterwards.
  cache.age = 45_000
  await compare('stale /', { ...cached, first: '/' })
  for (const first of ['/robots.txt', '/', '/transparency', '/auth'] as const) await compare(first, { first })
  await compare('sign-in', { first: '/auth', form: credentials })
}

const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
