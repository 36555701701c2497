import { noticeCookie } from '../forms/notice.server'
import type { CookieJar } from '../server/cookies.server'
import type { Execution } from '../server/env.server'
import { ByteLimitedMap } from './byte-limited-map'

/** A page is taken as it is for this long, in milliseconds. */
const freshFor = 30_000
/** Until then it is taken while another is made: nothing shown is older than a minute. */
const revalidatedFor = 60_000
/** Beyond, only where no other can be made: the backend is away. */
const keptFor = 86_400_000
/** How long a request waits for a page that another request is making. */
const patience = 3_000

const heldInMemory = 8 * 1024 * 1024
const storedAtHeader = 'X-Stored-At'
/** Freshness lives here: a browser asks every time, or its bar would be wrong after signing in. */
const askEveryTime = 'public, max-age=0, must-revalidate'

interface Page {
  body: Uint8Array<ArrayBuffer>
  status: number
  /** What every answer with it has; the rest is set on each. */
  headers: Headers
  etag: string
  storedAt: number
  /** False for what must not be shown to anybody else: an error, a page without its figures, a cookie. */
  storable: boolean
}

/** What the cache needs of its surroundings. */
export interface CacheOptions {
  /** The site's own origin: an address is known under no other. */
  site: string
  /** Tells one build from another: a new one makes its own pages. */
  release: string
  /** Milliseconds since the epoch. */
  now: () => number
  execution: Execution
  render: Render
}

/** Makes a page from its address alone. `degraded` where something on it could not be had. */
export type Render = (address: string) => Promise<{ response: Response; degraded: boolean }>

const memory = new ByteLimitedMap<Page>(heldInMemory)
const refills = new Map<string, Promise<Page>>()

/** True for a visitor without a session and without a toast waiting: they see what everybody sees. */
export function isAnonymous(cookies: CookieJar): boolean {
  return !cookies.all().some(({ name }) => name === noticeCookie || name.startsWith('sb-'))
}

/**
 * The page that this isolate holds under exactly this URL, while it is fresh, for a visitor without any cookie:
 * most requests. Only `answerCached` puts pages there, under the site's own origin and with the query that they
 * read, so nothing has to be taken apart to know that everybody sees this one. Null for anything else.
 */
export function answerFromMemory(request: Request, now: number): Response | null {
  if (request.method !== 'GET' || request.headers.has('Cookie')) return null
  const page = memory.get(request.url)
  const age = ageOf(page, now)
  return page && age < freshFor ? answer(request, page, age, 'hit') : null
}

/**
 * A public page as everybody without a session sees it: from this isolate, from the data centre's cache, or
 * made now. `render` gets no request, so that nothing of the visitor can end up in what others are shown.
 */
export async function answerCached(request: Request, address: string, edge: CacheOptions): Promise<Response> {
  const { now, execution } = edge
  const held = memory.get(edge.site + address)
  // Another isolate may have made a newer one.
  const known = ageOf(held, now()) < revalidatedFor ? held : ((await readCacheApi(address, edge)) ?? held)
  const age = ageOf(known, now())
  if (known && age < freshFor) return answer(request, known, age, 'hit')
  if (known && age < revalidatedFor) {
    execution.waitUntil(refill(address, edge))
    return answer(request, known, age, 'stale')
  }
  const made = await refill(address, edge)
  if (!made.storable && known && age < keptFor) return answer(request, known, age, 'stale')
  return answer(request, made, 0, 'miss')
}

function ageOf(page: Page | undefined, now: number): number {
  return page ? now - page.storedAt : Number.POSITIVE_INFINITY
}

/** Makes the page once, however many ask for it. */
async function refill(address: string, edge: CacheOptions): Promise<Page> {
  const underWay = refills.get(address)
  if (underWay) {
    const waited = await Promise.race([underWay, giveUp()])
    if (waited) return waited
  }
  const work = make(address, edge).then((page) => {
    if (page.storable) {
      memory.set(edge.site + address, page, page.body.byteLength)
      edge.execution.waitUntil(writeCacheApi(address, edge, page))
    }
    return page
  })
  refills.set(address, work)
  // The one who began may go away; those who wait must not.
  edge.execution.waitUntil(work)
  try {
    return await work
  } finally {
    if (refills.get(address) === work) refills.delete(address)
  }
}

async function make(address: string, { render, now }: CacheOptions): Promise<Page> {
  const { response, degraded } = await render(address)
  const body = new Uint8Array(await response.arrayBuffer())
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  const etag = `"${btoa(String.fromCharCode(...hash.slice(0, 12)))}"`
  const storable = response.status === 200 && !degraded && response.headers.getSetCookie().length === 0
  const headers = new Headers(response.headers)
  headers.delete('Set-Cookie')
  headers.set('Vary', 'Cookie')
  headers.set('Server-Timing', 'cache;desc=hit')
  headers.set('Cache-Control', storable ? askEveryTime : 'no-store')
  if (storable) headers.set('ETag', etag)
  return { body, status: response.status, headers, etag, storedAt: now(), storable }
}

function answer(request: Request, page: Page, age: number, how: 'hit' | 'stale' | 'miss'): Response {
  const { body, status, headers, etag, storable } = page
  const response =
    storable && matches(request.headers.get('If-None-Match'), etag)
      ? new Response(null, { status: 304, headers })
      : new Response(body, { status, headers })
  if (how !== 'hit') response.headers.set('Server-Timing', `cache;desc=${how}`)
  if (storable) response.headers.set('Age', `${Math.floor(age / 1000)}`)
  return response
}

/** RFC 9110, 13.1.2: a weak comparison with any of the list. */
export function matches(condition: string | null, etag: string): boolean {
  if (condition === null) return false
  return (
    condition.trim() === '*' || condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  )
}

/** The Cache API behind the isolate. A runtime without it has the isolate alone. */
async function readCacheApi(address: string, edge: CacheOptions): Promise<Page | undefined> {
  const response = await dataCentre()
    ?.match(storedUrl(address, edge))
    .catch(() => undefined)
  const storedAt = Number(response?.headers.get(storedAtHeader))
  const etag = response?.headers.get('ETag')
  if (!response || !storedAt || !etag) return undefined
  const body = new Uint8Array(await response.arrayBuffer())
  const headers = new Headers(response.headers)
  for (const name of ['CF-Cache-Status', 'Age', storedAtHeader]) headers.delete(name)
  headers.set('Cache-Control', askEveryTime)
  const page = { body, status: 200, headers, etag, storedAt, storable: true }
  memory.set(edge.site + address, page, body.byteLength)
  return page
}

async function writeCacheApi(
  address: string,
  edge: CacheOptions,
  { body, headers, storedAt }: Page,
): Promise<void> {
  const stored = new Response(body, { headers })
  stored.headers.set('Cache-Control', `max-age=${keptFor / 1000}`)
  stored.headers.set(storedAtHeader, `${storedAt}`)
  await dataCentre()
    ?.put(storedUrl(address, edge), stored)
    .catch(() => undefined)
}

/** Unlike the isolate, the data centre's cache outlives a release. */
function storedUrl(address: string, { site, release }: CacheOptions): string {
  return `${site}/${release}${address}`
}

function dataCentre(): Cache | undefined {
  return typeof caches === 'undefined' ? undefined : (caches as CacheStorage & { default?: Cache }).default
}

function giveUp(): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), patience))
}
