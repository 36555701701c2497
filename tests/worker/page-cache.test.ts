import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from '../support/site.ts'
import { isSignedIn, Visitor } from '../support/visitor.ts'

/** A data API without rows, except in ledger_totals. Its responses can be slow or invalid. */
let backend: Server
let delay = 0
let garbage: string | null = null
/** The reads of the statements, of which each render of /cz-call makes one. */
let renders = 0
const sites: Site[] = []

beforeAll(async () => {
  backend = createServer(async (incoming, outgoing) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://127.0.0.1')
    if (pathname.endsWith('/published_cz_calls')) renders++
    await sleep(delay)
    const single = incoming.headers.accept?.includes('pgrst.object')
    const rows = pathname.endsWith('/ledger_totals') ? [selected(totals, searchParams.get('select'))] : []
    const text = garbage ?? JSON.stringify(single ? rows[0] : rows)
    outgoing.setHeader('Content-Type', 'application/json').end(text)
  })
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  await Promise.all(sites.map((site) => site.close()))
  backend.close()
})

const totals = {
  received_usd: '12.34',
  paid_usd: '0.00',
  treasury_usd: '12.34',
  donated_usd: '0.00',
  dreams_funded_usd: '0.00',
  donated_elsewhere_usd: '0.00',
  tax_usd: '12.34',
  gifts_usd: '0.00',
  other_in_usd: '0.00',
  returned_usd: '0.00',
  costs_usd: '0.00',
  other_out_usd: '0.00',
  pool_gifts_usd: '0.00',
  spent_usd: '0.00',
  waiting_usd: '0.00',
  transactions_count: 1,
  verified_count: 1,
  pending_count: 0,
  disputed_count: 0,
  unvalued_count: 0,
  as_of: '2026-01-01T00:00:00Z',
}

/** Selects and renames a row's columns as a query specifies: 'treasuryUsd:treasury_usd,…'. */
function selected(row: Record<string, unknown>, select: string | null): Record<string, unknown> {
  const columns = (select ?? '').split(',').map((part) => part.split(':') as [name: string, column?: string])
  return Object.fromEntries(columns.map(([name, column = name]) => [name, row[column]]))
}

async function start(more: object = {}): Promise<Site> {
  const url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`
  const site = await startSite({ url, publishableKey: 'sb_publishable_test' }, more)
  sites.push(site)
  return site
}

const how = (response: Response) => response.headers.get('Server-Timing')?.match(/desc=(\w+)/)?.[1]

test('finishes a render for waiting requests when the first visitor disconnects', async () => {
  const site = await start()
  delay = 700
  renders = 0
  const first = fetch(`${site.url}/cz-call`, { signal: AbortSignal.timeout(250) })
  await sleep(100)
  const waiting = Array.from({ length: 10 }, () => fetch(`${site.url}/cz-call`))
  await expect(first).rejects.toThrow()
  const responses = await Promise.all(waiting)
  delay = 0
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  for (const response of responses) expect(await response.text()).toContain('No CZ calls yet')
  expect(renders, 'number of renders').toBe(1)
  expect(how(await fetch(`${site.url}/cz-call`))).toBe('hit')
})

test.each(['{"a":', 'null', '[{"treasury_usd":"<script>alert(1)</script>"}]', '[[[]]]', '42'])(
  'does not store a page that was rendered from an invalid response: %s',
  async (text) => {
    const site = await start()
    garbage = text
    const poor = await fetch(`${site.url}/cz-call`)
    garbage = null
    expect([poor.status, poor.headers.get('Cache-Control'), poor.headers.get('ETag')]).toEqual([
      200,
      'no-store',
      null,
    ])
    const html = await poor.text()
    expect(html).not.toContain('alert(1)')
    expect(html).not.toContain('No CZ calls yet')
    const next = await fetch(`${site.url}/cz-call`)
    expect([how(next), next.headers.get('Cache-Control')]).toEqual([
      'miss',
      'public, max-age=0, must-revalidate',
    ])
  },
)

test("keeps the last good page if the backend's responses are invalid during a refresh", async () => {
  const site = await start({ CLOCK_RATE: '60', CLOCK_START: `${Date.now()}` })
  const good = await (await fetch(`${site.url}/`)).text()
  expect(good).toContain('$12.34')
  garbage = '{"access_token":1}'
  await sleep(1_300)
  const stale = await fetch(`${site.url}/`)
  garbage = null
  expect([how(stale), await stale.text()]).toEqual(['stale', good])
})

test('two releases read the same session', async () => {
  // app/platform/edge/page-cache.server.test.ts tests that two releases have separate pages.
  const [former, current] = [await start(), await start()]
  const claims = {
    sub: 'a-member',
    email: 'a@example.com',
    aal: 'aal1',
    exp: Math.floor(Date.now() / 1000) + 3_600,
  }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const session = {
    access_token: `${part({ alg: 'HS256' })}.${part(claims)}.c2ln`,
    refresh_token: 'a-token',
    user: { id: 'a-member' },
  }
  const marks = await Promise.all(
    [former, current].map(async (site) => {
      const page = await new Visitor(site.url).carry('sb-127-auth-token', session).get('/about')
      expect(isSignedIn(page)).toBe(true)
      return /data-session="([^"]*)"/.exec(page.html)?.[1]
    }),
  )
  expect(marks[0]).toBe(marks[1])
})
