/**
 * Compares the pages in other languages with the English ones: processor time of cached pages and of cache
 * misses, and the first page of an isolate.
 */
import { publishedLocales } from '../../app/platform/locales/locales.ts'
import { startBackend } from './backend.ts'
import type { Bench } from './bench.ts'
import { hasGenerator, sendLoad } from './load.ts'
import { signIn, startSite, warm } from './site.ts'
import { format, inTurn, median, ratios } from './statistics.ts'
import type { Worker } from './workerd.ts'

const others = publishedLocales.filter((code) => code !== 'en')

type Pages = Parameters<typeof sendLoad>[0]['pages']
/** Returns the pages of a language; `prefix` is '' or '/tr'. */
type PagesIn = (prefix: string) => Pages

/**
 * The processor time of a request in English divided by that in each other language: the median over
 * `repetitions` short loads in turn. Requests per second would give the same ratio on an idle machine, but
 * other processes affect them more than the language does.
 */
async function compare(site: Worker, pagesIn: PagesIn, repetitions: number) {
  const costOf = async (pages: Pages) => {
    const spentBefore = site.processorTime()
    const { requests, errors } = await sendLoad({ url: site.url, pages, connections: 32, seconds: 1 })
    if (errors) throw new Error(`${errors} errors at ${pages[0]?.path}`)
    return (site.processorTime() - spentBefore) / requests
  }
  const found: { code: string; ratio: number }[] = []
  for (const code of others) {
    const turns = await inTurn(
      repetitions,
      () => costOf(pagesIn('')),
      () => costOf(pagesIn(`/${code}`)),
    )
    found.push({ code, ratio: median(ratios(turns.ones, turns.others)) })
  }
  return found
}

const inWords = (found: { code: string; ratio: number }[]) =>
  `${found.map(({ code, ratio }) => `${code} ${format(ratio)}`).join(', ')}.`

export async function measureLanguages({ quick, open, report }: Bench<'languages'>): Promise<void> {
  if (!hasGenerator() || others.length === 0) return
  const backend = await open(startBackend('ES256'))
  const site = await open(startSite(backend))
  const member = await signIn(site)
  const repetitions = quick ? 5 : 15
  for (const path of ['/', '/transparency'] as const)
    for (const [name, cookie] of [[path] as const, [`${path} member`, member] as const]) {
      const inLanguage: PagesIn = (prefix) => [{ path: path === '/' ? prefix || '/' : prefix + path, cookie }]
      for (const prefix of ['', ...others.map((code) => `/${code}`)])
        for (const page of inLanguage(prefix)) await warm(site, page.path)
      const found = await compare(site, inLanguage, repetitions)
      report(name, Math.min(...found.map(({ ratio }) => ratio)), { note: inWords(found) })
    }
  // These pages are not in the cache: each has a different cursor.
  let cursor = 1_700_000_000_000_000
  const misses: PagesIn = (prefix) =>
    Array.from({ length: 20_000 }, () => ({ path: `${prefix}/voting?before=${cursor++}-9` }))
  const times = (await compare(site, misses, repetitions)).map(({ code, ratio }) => ({
    code,
    ratio: 1 / ratio,
  }))
  report('miss', Math.max(...times.map(({ ratio }) => ratio)), { note: inWords(times) })
  const start = async (first: string) => {
    const worker = await startSite(backend, { first })
    await worker.close()
    return worker.startUp
  }
  const starts = await inTurn(
    quick ? 3 : 15,
    () => start('/tr'),
    () => start('/'),
  )
  report(
    'start',
    starts.ones.map((one, at) => one - (starts.others[at] ?? 0)),
  )
}
