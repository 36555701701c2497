import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CacheOptions, StoredPage } from './page-cache.server'
import { createTemplate } from './template'

const markers = { session: '#1', signedOut: '#2', signedIn: '#3', accountEnd: '#4', toast: '#5' }

/** A page that contains the name of the release that rendered it. */
function pageOf(release: string): StoredPage {
  const template = createTemplate(`<html #1>#2in#3out#4#5<p>${release}</p>`, markers)
  if (!template) throw new Error('no template')
  return {
    body: new TextEncoder().encode(`<html >in<p>${release}</p>`),
    template,
    locale: 'en',
    status: 200,
    headers: new Headers({ ETag: `"${release}"`, 'Content-Type': 'text/html' }),
    etag: `"${release}"`,
    storedAt: 1_000,
    storable: true,
    version: 0,
  }
}

/** The Cache API, which all isolates of a data centre share. */
let stored: Map<string, Response>
beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('caches', {
    default: {
      match: async (url: string) => stored.get(url)?.clone(),
      put: async (url: string, response: Response) => void stored.set(url, response),
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

/** How often the last visit had rendered a page when it got its response. */
let rendersBefore = 0

/** The page that a new isolate of a release returns, and where the page came from. */
async function visit(release: string, now = 1_000): Promise<[how: string, text: string]> {
  vi.resetModules()
  const { findPage } = await import('./page-cache.server')
  const work: Promise<unknown>[] = []
  let renders = 0
  const options: CacheOptions = {
    site: 'https://site.example',
    release,
    version: 0,
    now: () => now,
    execution: { waitUntil: (promise) => void work.push(promise) },
    render: async () => {
      renders += 1
      return pageOf(release)
    },
  }
  const { page, how } = await findPage('/about', options)
  rendersBefore = renders
  await Promise.all(work)
  return [how, new TextDecoder().decode(page.body)]
}

test('the isolates of one release share a page, but two releases never share a page', async () => {
  expect(await visit('former')).toEqual(['miss', '<html >in<p>former</p>'])
  expect(await visit('current')).toEqual(['miss', '<html >in<p>current</p>'])
  expect(await visit('former')).toEqual(['hit', '<html >in<p>former</p>'])
  expect(await visit('current')).toEqual(['hit', '<html >in<p>current</p>'])
})

test('a page that is no longer fresh is returned before its render, which in a new isolate loads much code', async () => {
  await visit('only')
  expect(rendersBefore).toBe(1)
  expect((await visit('only', 46_000))[0]).toBe('stale')
  expect(rendersBefore).toBe(0)
})

test('requests at the same time cause one render of a page that is no longer fresh', async () => {
  await visit('only')
  vi.resetModules()
  const { findPage } = await import('./page-cache.server')
  const work: Promise<unknown>[] = []
  const render = vi.fn(async () => ({ ...pageOf('only'), storedAt: 46_000 }))
  const find = () =>
    findPage('/about', {
      ...{ site: 'https://site.example', release: 'only', version: 0, now: () => 46_000, render },
      execution: { waitUntil: (promise) => void work.push(promise) },
    })
  expect([(await find()).how, (await find()).how]).toEqual(['stale', 'stale'])
  await Promise.all(work)
  expect(render).toHaveBeenCalledTimes(1)
})

test('a page is rendered again if its stored slots are invalid', async () => {
  await visit('only')
  const [[url, response]] = [...stored] as [[string, Response]]
  for (const slots of ['', '1,2', '9,8,7,6,5', '1,2,3,4,5000', 'a,b,c,d,e', '-1,2,3,4,5']) {
    const broken = new Response(await response.clone().arrayBuffer(), { headers: response.headers })
    broken.headers.set('X-Slots', slots)
    stored.set(url, broken)
    expect(await visit('only'), slots).toEqual(['miss', '<html >in<p>only</p>'])
  }
})

test('pages with a query are kept in a separate cache, so that they never evict other pages', async () => {
  vi.resetModules()
  vi.unstubAllGlobals()
  const { findPage } = await import('./page-cache.server')
  const find = (address: string) =>
    findPage(address, {
      site: 'https://site.example',
      release: 'current',
      version: 0,
      now: () => 1_000,
      execution: { waitUntil: () => {} },
      render: async () => ({ ...pageOf('current'), body: new Uint8Array(100_000) }),
    })
  expect((await find('/')).how).toBe('miss')
  // Together, these pages need about ten times the memory that is reserved for pages with a query.
  for (let search = 0; search < 1_000; search++) await find(`/transparency?q=${search}`)
  expect((await find('/')).how).toBe('hit')
  expect((await find('/transparency?q=999')).how).toBe('hit')
  expect((await find('/transparency?q=0')).how).toBe('miss')
})
