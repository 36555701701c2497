/** Measures the bundle of the worker, in bytes, and its startup time. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { builtModules } from '../../scripts/build.ts'
import { startBackend } from './backend.ts'
import type { Bench } from './bench.ts'
import { startBare, startSite } from './site.ts'
import { inTurn } from './statistics.ts'

/** Code that only a few pages need, with a text that identifies it. */
const seldom = { viem: /viem@\d/, 'the QR encoder': /Data too long/ }

const zipped = (text: string) => gzipSync(text, { level: 9 }).length / 1024

/** The texts of the module at `path` and of all its static imports, by path. */
function imports(path: string, among: string[], texts = new Map<string, string>()): Map<string, string> {
  if (texts.has(path) || !among.includes(path)) return texts
  const text = readFileSync(path, 'utf8')
  texts.set(path, text)
  for (const [, imported = ''] of text.matchAll(/\b(?:from|import)\s*["'](\.{1,2}\/[^"']+)["']/g))
    imports(join(dirname(path), imported), among, texts)
  return texts
}

export async function measureSizes({ report }: Bench<'sizes'>): Promise<void> {
  const modules = builtModules()
  // Routes import their modules dynamically. Home needs its own module and the module of the root.
  const home = modules.filter((path) => /\/(root|home)-[^/]+\.js$/.test(path))
  if (home.length !== 2) throw new Error(`not the modules of Home: ${home}`)
  const needed = new Map<string, string>()
  for (const path of [modules[0] ?? '', ...home]) imports(path, modules, needed)
  const texts = [...needed.values()]
  const sum = (all: string[]) => all.reduce((total, text) => total + zipped(text), 0)
  const unwanted = Object.entries(seldom).filter(([, sign]) => texts.some((text) => sign.test(text)))
  report('home', sum(texts), {
    note: `${texts.length} modules.`,
    fault: unwanted.map(([name]) => `with ${name}`).join(', '),
  })
  report('whole', sum(modules.map((path) => readFileSync(path, 'utf8'))), {
    note: `${modules.length} modules.`,
  })
}

export async function measureStart({ quick, open, report }: Bench<'start'>): Promise<void> {
  const backend = await open(startBackend('ES256'))
  for (const first of ['/robots.txt', '/'] as const) {
    const start = async (starting: ReturnType<typeof startBare>) => {
      const { startUp, processorTime, close } = await starting
      const spent = processorTime()
      await close()
      return { startUp, spent }
    }
    const { ones, others } = await inTurn(
      quick ? 3 : 15,
      () => start(startSite(backend, { first })),
      () => start(startBare(new Response('ok'))),
    )
    const beyond = (of: 'startUp' | 'spent') => ones.map((one, at) => one[of] - (others[at]?.[of] ?? 0))
    report(first, beyond('startUp'), {
      note:
        `Processor time ${(1000 * average(beyond('spent'))).toFixed(0)} ms on average` +
        `${first === '/' ? ', with the call to the backend and the first rendering of React' : ''}.`,
    })
  }
}

const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
