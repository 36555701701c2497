import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HostedBackend } from '../support/hosted-backend.ts'
import { type SiteWithBackend, startPictures, startSiteWithBackend } from '../support/site.ts'
import { transaction } from '../support/temporary-backend.ts'
import { toastOf, Visitor } from '../support/visitor.ts'

let site: SiteWithBackend
let backend: HostedBackend
beforeAll(async () => {
  site = await startSiteWithBackend()
  backend = site.backend as HostedBackend
  const rows = Array.from({ length: 300 }, () => transaction())
  await backend.sql('select public.append_ledger($1)', [JSON.stringify(rows)])
  for (const path of cached) expect((await new Visitor(site.url).get(path)).status).toBe(200)
})
afterAll(() => site.close())

const cached = ['/', '/transparency', '/about', '/giveback']

/** The statuses of the cached pages, and of searches that no cache holds, for visitors who come during `work`. */
async function visit(work: () => Promise<void>) {
  const statuses = { cached: new Set<number>(), searches: new Set<number>() }
  let isOver = false
  const come = async (lane: number) => {
    for (let at = 0; !isOver; at++) {
      const visitor = new Visitor(site.url)
      statuses.cached.add((await visitor.get(cached[at % cached.length] ?? '/')).status)
      const search = `/transparency?q=0x${(lane * 1000 + at).toString(16).padStart(40, '0')}`
      statuses.searches.add((await visitor.get(search)).status)
    }
  }
  const visitors = [1, 2, 3, 4].map(come)
  await work()
  isOver = true
  await Promise.all(visitors)
  return { cached: [...statuses.cached], searches: [...statuses.searches].toSorted() }
}

const append = () =>
  fetch(`${backend.url}/rest/v1/rpc/append_ledger`, {
    method: 'POST',
    headers: {
      apikey: backend.secretKey,
      authorization: `Bearer ${backend.secretKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ entries: [transaction()] }),
  })
const rowCount = async () =>
  (await backend.sql<{ n: number }>('select count(*)::int n from transactions'))[0]?.n

test('pages stay while the data API restarts under load, and no acknowledged row is lost', async () => {
  const before = (await rowCount()) ?? 0
  let acknowledged = 0
  let sent = 0
  const seen = await visit(async () => {
    for (let round = 0; round < 3; round++) {
      const writes = Promise.all(
        Array.from({ length: 5 }, async () => {
          sent += 1
          if ((await append()).ok) acknowledged += 1
        }),
      )
      const start = await backend.kill('rest')
      await writes
      await sleep(1500)
      await start()
      await sleep(500)
    }
  })
  const after = (await rowCount()) ?? 0
  expect(after - before).toBeGreaterThanOrEqual(acknowledged)
  expect(after - before).toBeLessThanOrEqual(sent)
  expect(seen.cached).toEqual([200])
  for (const status of seen.searches) expect([200, 503]).toContain(status)
  expect((await append()).status).toBe(200)
})

test('no page fails while the schema changes and the data API reads it again', async () => {
  const seen = await visit(async () => {
    for (let at = 0; at < 8; at++) {
      await backend.sql(`create table public.changed_${at} (id bigint primary key)`)
      await backend.sql(`alter table public.changed_${at} enable row level security`)
      await sleep(200)
    }
  })
  expect(seen).toEqual({ cached: [200], searches: [200] })
})

test('pages stay while calls hold all connections of the data API', async () => {
  await backend.sql(
    `create function public.hold() returns void language plpgsql set search_path = '' as $$ begin perform pg_sleep(7); end $$`,
  )
  await sleep(1000)
  const headers = { apikey: backend.publishableKey }
  const seen = await visit(async () => {
    const held = Array.from({ length: 20 }, () =>
      fetch(`${backend.url}/rest/v1/rpc/hold`, { method: 'POST', headers }),
    )
    for (const answer of held) expect([500, 504]).toContain((await answer).status)
  })
  expect(seen.cached).toEqual([200])
  for (const status of seen.searches) expect([200, 503]).toContain(status)
  expect((await new Visitor(site.url).get(`/transparency?q=0x${'9'.repeat(40)}`)).status).toBe(200)
})

test('while Storage is away, a picture is refused with a sentence and the pages stay', async () => {
  await startPictures(backend)
  const visitor = new Visitor(site.url)
  const account = { email: 'away@example.org', password: 'correct horse', username: 'Away' }
  await visitor.post('/auth', { intent: 'sign-up', ...account })
  const { html } = await visitor.get('/dashboard?edit=profile')
  const member = /name="member" value="([^"]+)"/.exec(html)?.[1] ?? ''
  // A PNG of one pixel.
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const send = async () => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ intent: 'save-picture', member })) body.set(name, value)
    body.set('picture', new Blob([png], { type: 'image/png' }))
    const page = await visitor.send('/dashboard/picture', {
      method: 'POST',
      body,
      headers: { Accept: 'text/html', Origin: site.url },
    })
    return toastOf(await visitor.get(page.location ?? '/dashboard'))
  }
  const start = await backend.kill('storage')
  expect(await send()).toContain("We couldn't save the picture. Please try again")
  expect((await visitor.get('/dashboard')).status).toBe(200)
  await start()
  expect(await send()).toContain('Picture updated successfully')
})
