import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { variablesOfDemo } from '../../supabase/embedded/demo-chain.ts'
import { openLive } from '../support/live-socket.ts'
import { type Site, type SiteWithBackend, startSite, startSiteWithBackend } from '../support/site.ts'

/** A site whose isolate has served every kind of request. */
let used: SiteWithBackend
let picture: string
beforeAll(async () => {
  used = await startSiteWithBackend({ demo: true })
  picture =
    (await (await fetch(`${used.url}/voting/education`)).text()).match(/\/pictures\/[^"?#]+/)?.[0] ?? ''
  for (const kind of Object.keys(kinds)) await answerOf(used, kind)
})
afterAll(() => used?.close())

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const kinds: Record<string, () => { path: string; init?: RequestInit }> = {
  'a page': () => ({ path: '/' }),
  'a page of a member': () => ({
    path: '/transparency',
    init: { headers: { Cookie: 'notice=welcome-back' } },
  }),
  'a page in another language': () => ({ path: '/ar/transparency' }),
  'a path with a variable part': () => ({ path: '/voting/education' }),
  'a spelling of a path': () => ({ path: '/Voting/' }),
  'an unknown path': () => ({ path: '/nothing' }),
  'a form': () => ({
    path: '/auth',
    init: {
      method: 'POST',
      headers: form,
      body: 'intent=sign-in&email=demo@goodblock.example&password=wrong',
    },
  }),
  'a data request': () => ({ path: '/auth.data' }),
  'a data request for a feed': () => ({ path: '/cz-call.atom.data' }),
  'a data request for a file that the cache stores': () => ({ path: '/robots.txt.data' }),
  'a report': () => ({
    path: '/csp-report',
    init: { method: 'POST', headers: { 'Content-Type': 'application/csp-report' }, body: '{}' },
  }),
  'a picture': () => ({ path: picture }),
  'a download': () => ({ path: '/transparency.csv' }),
  'a tile': () => ({ path: '/transparency/log/tile/0/000.p/9' }),
}

/** A response without what differs between two sites and two requests. */
async function answerOf(site: Site, kind: string) {
  const { path, init } = kinds[kind]?.() ?? { path: '' }
  const headers = { Origin: site.url, ...init?.headers }
  const response = await fetch(site.url + path, {
    redirect: 'manual',
    ...init,
    headers: init?.method === 'POST' ? headers : { ...init?.headers },
  })
  const body = (await response.text())
    .replaceAll(site.url, 'SITE')
    .replaceAll(/nonce="[^"]*"/g, 'nonce=""')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/data-version="\d+"|"version",\d+/g, 'VERSION')
  const own = ['x-request-id', 'date', 'age', 'server-timing', 'etag', 'content-length']
  const rest = [...response.headers]
    .filter(([name]) => !own.includes(name))
    .map(([name, value]) => [name, value.replaceAll(site.url, 'SITE').replaceAll(/'nonce-[^']*'/g, '')])
  return { status: response.status, headers: rest, body: createHash('sha256').update(body).digest('hex') }
}

/** A site of the same backend whose isolate has served nothing. */
async function withNew(use: (site: Site) => Promise<void>): Promise<void> {
  const site = await startSite(used.backend, variablesOfDemo(used.backend.url))
  try {
    await use(site)
  } finally {
    await site.close()
  }
}

test.each(Object.keys(kinds))('the first response of a new isolate, %s, equals a later one', async (kind) => {
  const later = await answerOf(used, kind)
  await withNew(async (site) => expect(await answerOf(site, kind)).toEqual(later))
})

test('a new isolate first opens a socket, or first does its scheduled work', async () => {
  const page = await answerOf(used, 'a page')
  await withNew(async (site) => {
    const socket = await openLive(site.url)
    expect(socket.status).toBe(101)
    socket.end()
  })
  await withNew(async (site) => {
    await site.runSchedule()
    expect(await answerOf(site, 'a page')).toEqual(page)
    expect(site.log.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })
})
