/** Requests per second of the site, divided by those of a bare worker that responds with the same bytes. */
import { startBackend } from './backend.ts'
import { type Load, type Order, sendLoad } from './load.ts'
import { add } from './report.ts'
import { cookiesOf, memberCookies, postCredentials, signIn, startBare, startSite } from './site.ts'
import { median, pooledQuantile, spread } from './statistics.ts'
import type { Worker } from './workerd.ts'

type Pages = Order['pages']

/** Ratios of the site to the bare worker, one for each repetition. */
interface Ratios {
  rate: number[]
  /** Of the processor time for a request. */
  cost: number[]
}

const members = 5_000

/** Sends load to the site and a bare worker alternately, so that other work on the machine affects both. */
async function compare(
  site: Worker,
  pages: Pages,
  { repetitions, seconds }: { repetitions: number; seconds: number },
) {
  const [page] = pages
  const headers: Record<string, string> = page?.cookie ? { Cookie: page.cookie } : {}
  const ask = () => fetch(site.url + page?.path, { headers })
  await (await ask()).text()
  const bare = await startBare(await ask())
  const run = async (worker: Worker, sent: Pages, seconds: number) => {
    const spentBefore = worker.processorTime()
    const load = await sendLoad({ url: worker.url, pages: sent, connections: 32, seconds })
    if (load.errors) throw new Error(`${load.errors} errors at ${worker.url}${page?.path}`)
    return { ...load, cost: ((worker.processorTime() - spentBefore) / load.requests) * 1e6 }
  }
  // The bare worker gets the same requests: reading their cookies costs it as much.
  await run(bare, pages, 3)
  await run(site, pages, 3)
  const ratios: Ratios = { rate: [], cost: [] }
  const own: (Load & { cost: number })[] = []
  const bares: (Load & { cost: number })[] = []
  for (let i = 0; i < repetitions; i++) {
    const one = await run(bare, pages, seconds)
    const other = await run(site, pages, seconds)
    for (const name of ['rate', 'cost'] as const) ratios[name].push(other[name] / one[name])
    own.push(other)
    bares.push(one)
  }
  await bare.close()
  return { ratios, own, bares }
}

function inWords({ own, bares, ratios }: Awaited<ReturnType<typeof compare>>): string {
  const rate = (loads: Load[]) => Math.round(median(loads.map(({ rate }) => rate))).toLocaleString('en-US')
  const cost = (loads: { cost: number }[]) => median(loads.map(({ cost }) => cost)).toFixed(0)
  return (
    `${rate(own)} requests/s, the bare worker ${rate(bares)}; processor time for a request ${cost(own)} µs ` +
    `and ${cost(bares)} µs, a ratio of ${(1 / median(ratios.cost)).toFixed(2)}.`
  )
}

/**
 * Adds the p99 of all latencies of the site over that of the bare worker. A repetition has few latencies above its own
 * p99, and one pause of the machine makes them a hundred times greater, so ratios of single repetitions are not used.
 */
function addTail({ own, bares }: Awaited<ReturnType<typeof compare>>): void {
  const p99 = (loads: Load[]) =>
    pooledQuantile(
      loads.map(({ latencies }) => latencies),
      0.99,
    )
  const ratio = p99(own) / p99(bares)
  const withoutOne = own.map(
    (_, left) => p99(own.filter((_, i) => i !== left)) / p99(bares.filter((_, i) => i !== left)),
  )
  add({
    what: 'the same: p99 over the bare worker, 32 connections',
    measured: `${ratio.toFixed(2)} (${Math.min(...withoutOne).toFixed(2)}–${Math.max(...withoutOne).toFixed(2)})`,
    aim: '≤ 1.2',
    reached: ratio <= 1.2,
    note:
      `The p99 of all latencies of ${own.length} interleaved repetitions of a second, ${p99(own).toFixed(2)} ms and ` +
      `${p99(bares).toFixed(2)} ms; behind it the least and the greatest ratio without one repetition.`,
  })
}

/** Pages that are not in the cache: each has another cursor. */
function misses(): Pages {
  return Array.from({ length: 50_000 }, (_, index) => ({
    path: `/voting?before=${1_700_000_000_000_000 + index}-9`,
  }))
}

export async function measureThroughput(quick: boolean): Promise<void> {
  const backend = await startBackend('ES256')
  const site = await startSite(backend)
  const cookie = await signIn(site)
  const withToast = cookiesOf(await postCredentials(site))
  const all = memberCookies(cookie, members)

  const cases: { what: string; pages: Pages; aim: number | null }[] = [
    { what: 'Home signed out, warm', pages: [{ path: '/' }], aim: 0.9 },
    { what: 'Home signed in, warm, one member', pages: [{ path: '/', cookie }], aim: 0.8 },
    {
      what: `Home signed in, warm, ${members.toLocaleString('en-US')} members in turn`,
      pages: all.map((one) => ({ path: '/', cookie: one })),
      aim: 0.6,
    },
    { what: 'Home with a toast, warm', pages: [{ path: '/', cookie: withToast }], aim: 0.6 },
    {
      what: '/transparency with a filter, signed in, warm',
      pages: [{ path: '/transparency?type=donation', cookie }],
      aim: 0.55,
    },
    { what: 'a miss of /voting, the backend responds at once', pages: misses(), aim: null },
  ]
  for (const { what, pages, aim } of cases) {
    const isFirst = what === cases[0]?.what
    const long = { repetitions: quick ? 3 : 7, seconds: quick ? 2 : 3 }
    const measured = await compare(site, pages, isFirst ? { repetitions: quick ? 6 : 30, seconds: 1 } : long)
    const { rate } = measured.ratios
    add({
      what: `${what}: requests/s over the bare worker`,
      measured: spread(rate, aim === null ? 3 : 2),
      aim: aim === null ? 'printed' : `≥ ${aim.toFixed(2)}`,
      ...(aim !== null && { reached: median(rate) >= aim }),
      note: inWords(measured),
    })
    if (isFirst) addTail(measured)
  }
  await site.close()
  await backend.close()
}
