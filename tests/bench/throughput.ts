/** How many requests the site answers in a second, over how many a bare worker answers that does nothing else. */
import { startBackend } from './backend.ts'
import { type Load, type Order, sendLoad } from './load.ts'
import { add } from './report.ts'
import { signIn, startBare, startSite } from './site.ts'
import { median, spread } from './statistics.ts'
import type { Worker } from './workerd.ts'

interface Measured {
  rate: number[]
  p99: number[]
  /** Microseconds of processor time for a request. */
  cost: number[]
}

/** Loads the two in turn, so that whatever else the machine does meets both. Each list is the site over the bare one. */
async function compare(site: Worker, page: Order['pages'][number], quick: boolean) {
  const headers: Record<string, string> = page.cookie ? { Cookie: page.cookie } : {}
  const bare = await startBare(await fetch(site.url + page.path, { headers }))
  const run = async (worker: Worker, seconds: number) => {
    const spentBefore = worker.processorTime()
    const load = await sendLoad({ url: worker.url, pages: [page], connections: 32, seconds })
    if (load.errors) throw new Error(`${load.errors} errors at ${worker.url}${page.path}`)
    return { ...load, cost: ((worker.processorTime() - spentBefore) / load.requests) * 1e6 }
  }
  // Both are compiled and warm before anything counts.
  await run(bare, 2)
  await run(site, quick ? 2 : 5)
  const ratios: Measured = { rate: [], p99: [], cost: [] }
  const own: (Load & { cost: number })[] = []
  const bares: (Load & { cost: number })[] = []
  for (let i = 0; i < (quick ? 3 : 9); i++) {
    const one = await run(bare, quick ? 2 : 5)
    const other = await run(site, quick ? 2 : 5)
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

export async function measureThroughput(quick: boolean): Promise<void> {
  const backend = await startBackend('ES256')
  const site = await startSite(backend)
  const cookie = await signIn(site)

  const warm = await compare(site, { path: '/' }, quick)
  add({
    what: 'Home signed out, warm: requests/s over the bare worker',
    measured: spread(warm.ratios.rate),
    aim: '≥ 0.90',
    reached: median(warm.ratios.rate) >= 0.9,
    note: inWords(warm),
  })
  add({
    what: 'the same: p99 over the bare worker',
    measured: spread(warm.ratios.p99),
    aim: '≤ 1.5',
    reached: median(warm.ratios.p99) <= 1.5,
    note: `p99 ${median(warm.own.map(({ p99 }) => p99)).toFixed(2)} ms and ${median(warm.bares.map(({ p99 }) => p99)).toFixed(2)} ms.`,
  })
  for (const [path, what] of [
    ['/contact', 'a short page signed in (the frame and 8 kB), no cache, nothing to read'],
    ['/about', 'About signed in, no cache, nothing to read'],
    ['/', 'Home signed in, no cache, the backend answers at once'],
  ] as const) {
    const render = await compare(site, { path, cookie }, quick)
    add({
      what: `${what}: requests/s over the bare worker`,
      measured: spread(render.ratios.rate, 3),
      aim: '≥ 0.14',
      reached: median(render.ratios.rate) >= 0.14,
      note: inWords(render),
    })
  }
  await site.close()
  await backend.close()
}
