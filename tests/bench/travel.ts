/**
 * Measures the round trips of each page to a backend with 100 ms latency, and the response times of pages
 * while the backend is down.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Backend, startBackend } from './backend.ts'
import type { Bench } from './bench.ts'
import { cookiesOf, postCredentials, signIn, startSite } from './site.ts'
import { spread } from './statistics.ts'

const latency = 100

interface Taken {
  /** From the request to the last byte of the response. */
  milliseconds: number
  response: Response
  text: string
}

async function time(request: () => Promise<Response>, status: number): Promise<Taken> {
  const startedAt = performance.now()
  const response = await request()
  const text = await response.text()
  if (response.status !== status) throw new Error(`${response.url} responds with ${response.status}`)
  return { milliseconds: performance.now() - startedAt, response, text }
}

/**
 * The time of a request divided by the time of a request that goes to the backend itself. On a machine that
 * is slow to wake a process, the latter is more than the latency.
 */
async function roundTrips(
  { url }: Backend,
  request: () => Promise<Response>,
  status: number,
): Promise<Taken & { trips: number }> {
  const direct = await time(() => fetch(`${url}/rest/v1/live_state`), 200)
  const taken = await time(request, status)
  return { ...taken, trips: taken.milliseconds / direct.milliseconds }
}

async function measureDashboard({ quick, open, report }: Bench<'travel'>, signing: 'ES256' | 'HS256') {
  const backend = await open(startBackend(signing))
  const site = await open(startSite(backend))
  const Cookie = await signIn(site)
  backend.delay = latency
  const load = () =>
    roundTrips(
      backend,
      () => fetch(`${site.url}/dashboard`, { headers: { Cookie }, redirect: 'manual' }),
      200,
    )
  const first = await load()
  const taken: number[] = []
  for (let i = 0; i < (quick ? 5 : 15); i++) taken.push((await load()).trips)
  backend.requests.length = 0
  await load()
  report(signing, taken, {
    note: `Requests: ${backend.requests.join(', ')}. The first of a new isolate takes ${first.trips.toFixed(2)}.`,
  })
}

async function measureSignIn({ quick, open, report }: Bench<'travel'>) {
  const backend = await open(startBackend('ES256'))
  const site = await open(startSite(backend))
  await (await fetch(`${site.url}/dashboard`, { headers: { Cookie: await signIn(site) } })).text()
  backend.delay = latency
  const posts: number[] = []
  const pages: number[] = []
  for (let i = 0; i < (quick ? 5 : 15); i++) {
    const post = await roundTrips(backend, () => postCredentials(site), 303)
    const headers = { Cookie: cookiesOf(post.response) }
    const next = site.url + post.response.headers.get('Location')
    posts.push(post.trips)
    const load = () => fetch(next, { headers, redirect: 'manual' })
    pages.push((await roundTrips(backend, load, 200)).trips)
  }
  report('post', posts)
  report('next', pages)
}

async function measureCold({ quick, open, report }: Bench<'travel'>) {
  const backend = await open(startBackend('ES256'))
  backend.delay = latency
  const taken = { '/': [], '/voting': [], '/cz-call': [], '/transparency': [] } as Record<
    '/' | '/voting' | '/cz-call' | '/transparency',
    number[]
  >
  const paths = Object.keys(taken) as (keyof typeof taken)[]
  for (let i = 0; i < (quick ? 3 : 7); i++) {
    // In a new isolate, nothing is cached and no connection is open.
    const site = await startSite(backend)
    for (const path of paths) {
      const page = await roundTrips(backend, () => fetch(site.url + path), 200)
      if (!page.response.headers.get('Server-Timing')?.includes('miss')) throw new Error(`${path} was cached`)
      taken[path].push(page.trips)
    }
    await site.close()
  }
  for (const path of paths) report(path, taken[path])
}

async function measureDown({ quick, open, report }: Bench<'travel'>) {
  const backend = await open(startBackend('ES256'))
  // The clock of the site advances a minute every second, so cached pages expire.
  const clock = { CLOCK_RATE: '60', CLOCK_START: `${Date.now()}` }
  const site = await open(startSite(backend, { variables: clock }))
  const home = await time(() => fetch(site.url), 200)
  backend.down = true
  await sleep(2_000)
  const load = (path: string) => time(() => fetch(site.url + path), 200).catch(() => null)
  const cached: (Taken | null)[] = []
  const cold: (Taken | null)[] = []
  for (let i = 0; i < (quick ? 5 : 15); i++) {
    cached.push(await load('/'))
    cold.push(await load('/voting'))
  }
  const served = [...cached.filter((taken) => taken?.text === home.text), ...cold.filter(Boolean)]
  const times = (all: (Taken | null)[]) => spread(all.flatMap((taken) => taken?.milliseconds ?? []))
  report('down', (100 * served.length) / (cached.length + cold.length), {
    note: `A page that was cached takes ${times(cached)} ms, one that was not ${times(cold)} ms.`,
  })
}

export async function measureTravel(bench: Bench<'travel'>): Promise<void> {
  await measureDashboard(bench, 'ES256')
  await measureDashboard(bench, 'HS256')
  await measureSignIn(bench)
  await measureCold(bench)
  await measureDown(bench)
}
