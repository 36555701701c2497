import { expect, test } from 'vitest'
import { startBackend } from '../bench/backend.ts'
import { signIn } from '../bench/site.ts'
import { openVariables } from '../support/goals.ts'
import { startSite } from '../support/site.ts'

const paths = ['/', '/voting', '/voting/education', '/cz-call', '/transparency', '/giveback', '/donate']

/** The bench measures these pages, so its backend must have every column that they read. */
const notLoaded = ({ log }: { log: string[] }) => log.filter((line) => line.includes('not-loaded'))

test('the reads of a page are sent together, so that the page waits for one round trip', async () => {
  const backend = await startBackend('ES256')
  const { url, requests } = backend
  // With a short timeout, a page would continue without a delayed read.
  const variables = { PAGE_CACHE: 'off', READ_TIMEOUT_MS: '120000' }
  const site = await startSite({ url, publishableKey: 'sb_publishable_bench' }, variables)
  try {
    const load = async (path: string) => (await fetch(site.url + path)).text()
    for (const path of paths) await load(path)
    const all = requests.splice(0).toSorted()
    expect(all.length).toBeGreaterThan(paths.length)
    expect(notLoaded(site)).toEqual([])
    // No read gets a response, so a read that waits for a different read's response is not sent.
    backend.delay = 3_600_000
    const waiting = paths.map(load)
    await expect.poll(() => requests.toSorted()).toEqual(all)
    backend.down = true
    await Promise.all(waiting)
  } finally {
    await site.close()
    await backend.close()
  }
})

test('Home and /transparency read no title of a goal for a coming payment, which they do not show', async () => {
  const backend = await startBackend('ES256')
  const variables = { PAGE_CACHE: 'off', SUPABASE_SECRET_KEY: 'sb_secret_bench', ...openVariables }
  const site = await startSite({ url: backend.url, publishableKey: 'sb_publishable_bench' }, variables)
  try {
    for (const path of ['/', '/transparency'])
      expect(await (await fetch(site.url + path)).text()).toContain('Desks for a school')
    expect(backend.requests).toContain('GET /rest/v1/published_orders')
    expect(backend.requests).not.toContain('GET /rest/v1/published_goals')
  } finally {
    await site.close()
    await backend.close()
  }
})

for (const signing of ['ES256', 'HS256'] as const)
  test(`a new isolate sends all requests of a dashboard together, for a token that is signed with ${signing}`, async () => {
    const backend = await startBackend(signing)
    const { url, requests } = backend
    const start = () =>
      startSite({ url, publishableKey: 'sb_publishable_bench' }, { READ_TIMEOUT_MS: '120000' })
    const [site, other] = [await start(), await start()]
    try {
      const Cookie = await signIn(site)
      const load = async (base: string) => (await fetch(`${base}/dashboard`, { headers: { Cookie } })).text()
      requests.length = 0
      expect(await load(site.url)).toContain('A member')
      expect(notLoaded(site)).toEqual([])
      const all = requests.splice(0).toSorted()
      expect(all).toContain('GET /auth/v1/user')
      expect(all).toContain('GET /rest/v1/profiles')
      backend.delay = 3_600_000
      const waiting = load(other.url)
      await expect.poll(() => requests.toSorted()).toEqual(all)
      backend.down = true
      expect(await waiting).not.toContain('A member')
    } finally {
      await site.close()
      await other.close()
      await backend.close()
    }
  })
