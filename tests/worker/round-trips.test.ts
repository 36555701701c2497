import { expect, test } from 'vitest'
import { startBackend } from '../bench/backend.ts'
import { startSite } from '../support/site.ts'

const paths = ['/', '/voting', '/voting/education', '/cz-call', '/transparency', '/giveback', '/donate']

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
