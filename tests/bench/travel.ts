/** The round trips of each page to a backend with 100 ms latency, and the time of pages while the backend is down. */
import { startBackend } from './backend.ts'
import { add } from './report.ts'
import { cookiesOf, postCredentials, signIn, startSite } from './site.ts'
import { median, spread } from './statistics.ts'

const distance = 100

interface Taken {
  milliseconds: number
  response: Response
  text: string
}

/** The time from the request to the last byte of the response. */
async function time(ask: () => Promise<Response>): Promise<Taken> {
  const startedAt = performance.now()
  const response = await ask()
  const text = await response.text()
  return { milliseconds: performance.now() - startedAt, response, text }
}

const journeys = ({ milliseconds }: Taken) => milliseconds / distance

async function measureDashboard(signing: 'ES256' | 'HS256', aim: number, repetitions: number): Promise<void> {
  const backend = await startBackend(signing)
  const site = await startSite(backend)
  const Cookie = await signIn(site)
  backend.delay = distance
  const ask = () => time(() => fetch(`${site.url}/dashboard`, { headers: { Cookie }, redirect: 'manual' }))
  const first = await ask()
  if (first.response.status !== 200) throw new Error(`/dashboard responds with ${first.response.status}`)
  const taken: number[] = []
  for (let i = 0; i < repetitions; i++) taken.push(journeys(await ask()))
  backend.requests.length = 0
  await ask()
  const local = signing === 'ES256'
  add({
    what: `dashboard, ${local ? 'token verified locally' : 'token asked about'}: time over one round trip`,
    measured: spread(taken),
    aim: `≤ ${aim}`,
    reached: median(taken) <= aim,
    note: `It asks: ${backend.requests.join(', ')}. The first of a new isolate, ${local ? 'which fetches the key set, ' : ''}takes ${journeys(first).toFixed(2)}.`,
  })
  await site.close()
  await backend.close()
}

async function measureSignIn(repetitions: number): Promise<void> {
  const backend = await startBackend('ES256')
  const site = await startSite(backend)
  await (await fetch(`${site.url}/dashboard`, { headers: { Cookie: await signIn(site) } })).text()
  backend.delay = distance
  const posts: number[] = []
  const pages: number[] = []
  for (let i = 0; i < repetitions; i++) {
    const post = await time(() => postCredentials(site))
    if (post.response.status !== 303) throw new Error(`/auth responds with ${post.response.status}`)
    const headers = { Cookie: cookiesOf(post.response) }
    const page = await time(() =>
      fetch(site.url + post.response.headers.get('Location'), { headers, redirect: 'manual' }),
    )
    if (page.response.status !== 200) throw new Error(`the next page responds with ${page.response.status}`)
    posts.push(journeys(post))
    pages.push(journeys(page))
  }
  add({
    what: 'sign-in post: round trips',
    measured: spread(posts),
    aim: '1',
    reached: median(posts) < 1.25,
  })
  add({
    what: 'the page that follows: round trips',
    measured: spread(pages),
    aim: '1',
    reached: median(pages) < 1.25,
  })
  await site.close()
  await backend.close()
}

async function measureCold(repetitions: number): Promise<void> {
  const backend = await startBackend('ES256')
  backend.delay = distance
  const taken: Record<string, number[]> = { '/': [], '/voting': [], '/cz-call': [], '/transparency': [] }
  for (let i = 0; i < repetitions; i++) {
    // A new isolate: nothing is cached, no connection is open.
    const site = await startSite(backend)
    for (const [path, list] of Object.entries(taken)) {
      const page = await time(() => fetch(site.url + path))
      if (!page.response.headers.get('Server-Timing')?.includes('miss')) throw new Error(`${path} was cached`)
      list.push(journeys(page))
    }
    await site.close()
  }
  for (const [path, list] of Object.entries(taken))
    add({
      what: `${path} signed out, cache cold: time over one round trip`,
      measured: spread(list),
      aim: '≤ 1.25',
      reached: median(list) <= 1.25,
    })
  await backend.close()
}

async function measureDown(repetitions: number): Promise<void> {
  const backend = await startBackend('ES256')
  // A minute passes in a second, so cached pages expire.
  const clock = { CLOCK_RATE: '60', CLOCK_START: `${Date.now()}` }
  const site = await startSite(backend, { variables: clock })
  const known = await time(() => fetch(site.url))
  backend.down = true
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const stale: Taken[] = []
  const cold: Taken[] = []
  for (let i = 0; i < repetitions; i++) {
    stale.push(await time(() => fetch(site.url)))
    cold.push(await time(() => fetch(`${site.url}/voting`)))
  }
  const served = (list: Taken[]) => list.filter(({ response }) => response.status === 200)
  const same = stale.filter(({ text }) => text === known.text)
  const count = stale.length + cold.length
  const all = served(stale).length + served(cold).length
  add({
    what: 'public pages with the backend down: served',
    measured: `${all} of ${count}, ${same.length} of ${stale.length} with the figures of before`,
    aim: 'always',
    reached: all === count && same.length === stale.length,
    note: `A page that was cached takes ${spread(
      stale.map(({ milliseconds }) => milliseconds),
      0,
    )} ms, one that was not ${spread(
      cold.map(({ milliseconds }) => milliseconds),
      0,
    )} ms.`,
  })
  await site.close()
  await backend.close()
}

export async function measureTravel(quick: boolean): Promise<void> {
  const repetitions = quick ? 5 : 15
  await measureDashboard('ES256', 1.25, repetitions)
  await measureDashboard('HS256', 2.25, repetitions)
  await measureSignIn(repetitions)
  await measureCold(quick ? 3 : 7)
  await measureDown(quick ? 5 : 15)
}
