import { expect, test } from 'vitest'
import { startBackend } from '../bench/backend.ts'
import { signIn, warm } from '../bench/site.ts'
import { startSite } from '../support/site.ts'

test('the bench backend has every column that the measured pages read', async () => {
  const backend = await startBackend('ES256')
  const site = await startSite({ url: backend.url, publishableKey: 'sb_publishable_bench' })
  try {
    for (const path of ['/', '/voting', '/cz-call', '/transparency', '/transparency?type=donation', '/tr'])
      await warm(site, path)
    const dashboard = await fetch(`${site.url}/dashboard`, { headers: { Cookie: await signIn(site) } })
    expect(await dashboard.text()).toContain('Pool 2')
    expect(site.log.filter((line) => line.includes('not-loaded'))).toEqual([])
  } finally {
    await site.close()
    await backend.close()
  }
})
