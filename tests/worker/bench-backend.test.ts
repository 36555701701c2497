import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Backend, startBackend } from '../bench/backend.ts'
import { signIn, warm } from '../bench/site.ts'
import { type Site, startSite } from '../support/site.ts'

let backend: Backend
const sites: Site[] = []
const start = async (variables = {}) => {
  const site = await startSite({ url: backend.url, publishableKey: 'sb_publishable_bench' }, variables)
  sites.push(site)
  return site
}
beforeAll(async () => {
  backend = await startBackend('ES256')
})
afterAll(async () => {
  for (const site of sites) await site.close()
  await backend.close()
})

test('the backend of the bench has every column that the measured pages read', async () => {
  const site = await start()
  for (const path of ['/', '/voting', '/cz-call', '/transparency', '/transparency?type=donation', '/tr'])
    await warm(site, path)
  const dashboard = await fetch(`${site.url}/dashboard`, { headers: { Cookie: await signIn(site) } })
  expect(await dashboard.text()).toContain('Pool 2')
  expect(site.log.filter((line) => line.includes('not-loaded'))).toEqual([])
})

test('the reads of a page are sent together, so that the page waits for one round trip', async () => {
  const site = await start({ PAGE_CACHE: 'off' })
  const load = async (path: string) => (await fetch(site.url + path)).text()
  for (const path of [
    '/',
    '/voting',
    '/voting/education',
    '/cz-call',
    '/transparency',
    '/giveback',
    '/donate',
  ]) {
    backend.delay = 0
    backend.requests.length = 0
    await load(path)
    const all = backend.requests.toSorted()
    // A read that waits for the response of another read is sent a second later.
    backend.delay = 1_000
    backend.requests.length = 0
    const waiting = load(path)
    await expect.poll(() => backend.requests.length, { timeout: 900 }).toBe(all.length)
    expect([path, backend.requests.toSorted()]).toEqual([path, all])
    await waiting
  }
})
