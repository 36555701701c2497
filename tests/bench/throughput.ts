/** Requests per second of the site, divided by those of a bare worker that responds with the same bytes. */
import { startBackend } from './backend.ts'
import { type Load, type Order, sendLoad } from './load.ts'
import { add } from './report.ts'
import { cookiesOf, memberCookies, postCredentials, signIn, startBare, startSite } from './site.ts'
import { median, spread } from './statistics.ts'
import type { Worker } from './workerd.ts'

type Pages = Order['pages']

interface Ratios {
  rate: number[]
  p99: number[]
  /** Processor time of a request. */
  cost: number[]
}

const members = 5_000

/** Loads both alternately, so that other work on the machine affects both. Each ratio is the site over the bare worker. */
async function compare(site: Worker, pages: Pages, quick: boolean) {
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
  const seconds = quick ? 2 : 3
  await run(bare, pages, 2)
  await run(site, pages, seconds)
  const ratios: Ratios = { rate: [], p99: [], cost: [] }
  const own: (Load & { cost: number })[] = []
  const bares: (Load & { cost: number })[] = []
  for (let i = 0; i < (quick ? 3 : 7); i++) {
    const one = await run(bare, pages, seconds)
    const other = await run(site, pages, seconds)
    for (const name of ['rate', 'p99', 'cost'] as const) ratios[name].push(other[name] / one[name])
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

/** Pages that are not in the cache: each has another position in the list. */
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
    const measured = await compare(site, pages, quick)
    const { rate, p99 } = measured.ratios
    add({
      what: `${what}: requests/s over the bare worker`,
      measured: spread(rate, aim === null ? 3 : 2),
      aim: aim === null ? 'printed' : `≥ ${aim.toFixed(2)}`,
      ...(aim !== null && { reached: median(rate) >= aim }),
      note: inWords(measured),
    })
    if (what.startsWith('Home signed out'))
      add({
        what: 'the same: p99 over the bare worker, 32 connections',
        measured: spread(p99),
        aim: '≤ 1.2',
        reached: median(p99) <= 1.2,
        note: `p99 ${median(measured.own.map((load) => load.p99)).toFixed(2)} ms and ${median(measured.bares.map((load) => load.p99)).toFixed(2)} ms.`,
      })
  }
  await site.close()
  await backend.close()
}
