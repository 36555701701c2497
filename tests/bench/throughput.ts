/**
 * Measures requests per second of the site, divided by the requests per second of a bare worker that responds
 * with the same bytes.
 */
import { startBackend } from './backend.ts'
import type { Bench } from './bench.ts'
import { hasGenerator, type Load, sendLoad } from './load.ts'
import { cookiesOf, memberCookies, postCredentials, signIn, startBare, startSite, warm } from './site.ts'
import { format, inTurn, median, pooledQuantile, ratios } from './statistics.ts'
import type { Worker } from './workerd.ts'

type Pages = Parameters<typeof sendLoad>[0]['pages']

/** `cost` is the processor time of one request, in microseconds. */
type Run = Load & { cost: number }

/** Sends load to the site and to a bare worker in turn. */
async function compare(site: Worker, pages: Pages, repetitions: number, seconds: number) {
  const [page] = pages
  const headers: Record<string, string> = page?.cookie ? { Cookie: page.cookie } : {}
  const request = () => fetch(site.url + page?.path, { headers })
  await (await request()).text()
  const bare = await startBare(await request())
  const run = async (worker: Worker): Promise<Run> => {
    const spentBefore = worker.processorTime()
    const load = await sendLoad({ url: worker.url, pages, connections: 32, seconds, latencies: true })
    if (load.errors) throw new Error(`${load.errors} errors at ${worker.url}${page?.path}`)
    return { ...load, cost: ((worker.processorTime() - spentBefore) / load.requests) * 1e6 }
  }
  // The bare worker gets the same requests, so reading their cookies takes the same time in both.
  const { ones: bares, others: own } = await inTurn(
    repetitions,
    () => run(bare),
    () => run(site),
  )
  await bare.close()
  return { own, bares }
}

function inWords(own: Run[], bares: Run[]): string {
  const middle = (runs: Run[], of: 'rate' | 'cost') => median(runs.map((run) => run[of]))
  return (
    `${format(middle(own, 'rate'))} requests/s, the bare worker ${format(middle(bares, 'rate'))}; processor time ` +
    `for a request ${format(middle(own, 'cost'))} µs and ${format(middle(bares, 'cost'))} µs.`
  )
}

/**
 * The p99 of all latencies of the site divided by the p99 of the bare worker, followed by the same ratios
 * computed with each repetition left out in turn. Ratios of single repetitions are not used: a repetition has
 * few latencies above its own p99, and one pause of the machine makes them a hundred times greater.
 */
function tails(own: Run[], bares: Run[]): number[] {
  const p99 = (runs: Run[]) =>
    pooledQuantile(
      runs.map(({ latencies }) => latencies),
      0.99,
    )
  const without = (runs: Run[], left: number) => runs.filter((_, at) => at !== left)
  return own.map((_, left) => p99(without(own, left)) / p99(without(bares, left)))
}

export async function measureThroughput({ quick, open, report }: Bench<'throughput'>): Promise<void> {
  if (!hasGenerator()) return
  const site = await open(startSite(await open(startBackend('ES256'))))
  const cookie = await signIn(site)
  const toast = cookiesOf(await postCredentials(site))
  for (const path of ['/', '/transparency?type=donation']) await warm(site, path)

  const home = await compare(site, [{ path: '/' }], quick ? 6 : 30, 1)
  const rates = ({ own, bares }: typeof home) =>
    ratios(
      own.map(({ rate }) => rate),
      bares.map(({ rate }) => rate),
    )
  report('home', rates(home), { note: inWords(home.own, home.bares) })
  report('tail', tails(home.own, home.bares), {
    note: 'Of all latencies of the repetitions of a second; each value leaves one repetition out.',
  })
  const cases = {
    member: [{ path: '/', cookie }],
    members: memberCookies(cookie, 5_000).map((one) => ({ path: '/', cookie: one })),
    toast: [{ path: '/', cookie: toast }],
    filter: [{ path: '/transparency?type=donation', cookie }],
    // These pages are not in the cache: each has a different cursor.
    miss: Array.from({ length: 50_000 }, (_, index) => ({
      path: `/voting?before=${1_700_000_000_000_000 + index}-9`,
    })),
  }
  for (const [name, pages] of Object.entries(cases) as [keyof typeof cases, Pages][]) {
    const measured = await compare(site, pages, quick ? 3 : 7, quick ? 2 : 3)
    report(name, rates(measured), { note: inWords(measured.own, measured.bares) })
  }
}
