import type { CookieJar } from '../cookies.server'
import type { Execution } from '../env.server'
import { noticeCookie } from '../ui/notice.server'
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

/** What each public page reads of its query; a page that is not here is not cached. */
const publicPages: [page: RegExp, query: readonly string[]][] = [
  [/^\/(?:giveback|about|risk|privacy|terms|contact)?$/, []],
  [/^\/(?:voting|giveback)\/[a-z-]{1,40}$/, []],
  [/^\/(?:cz-call|voting)$/, ['before', 'after']],
  [/^\/transparency$/, ['type', 'pool', 'from', 'to', 'before', 'after']],
  [/^\/(?:sitemap\.xml|robots\.txt)$/, []],
]

interface Page {
  body: Uint8Array<ArrayBuffer>
  status: number
  headers: [string, string][]
  etag: string
  storedAt: number
  /** False for what must not be shown to anybody else: an error, a page without its figures, a cookie. */
  storable: boolean
}

/** What the cache needs of its surroundings. */
export interface Edge {
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
 * The address under which a page is cached: its path and what the page reads of the query, in one order, so
 * that other parameters neither split the cache nor reach the page. Null for what is not cached.
 */
export function cacheAddress(request: Request): string | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  const { pathname, searchParams } = new URL(request.url)
  const allowed = publicPages.find(([page]) => page.test(pathname))?.[1]
  if (!allowed) return null
  const query = new URLSearchParams(
    allowed.flatMap((name) =>
      searchParams
        .getAll(name)
        .slice(0, 1)
        .map((value) => [name, value]),
    ),
  )
  // What is longer than any cursor or date is no address of ours: it is answered, but nobody else gets it.
  if (`${query}`.length > 400) return null
  return query.size ? `${pathname}?${query}` : pathname
}

/**
 * A public page as everybody without a session sees it: from this isolate, from the data centre's cache, or
 * made now. `render` gets no request, so that nothing of the visitor can end up in what others are shown.
 */
export async function answerCached(request: Request, address: string, edge: Edge): Promise<Response> {
  const { release, now } = edge
  const key = `${new URL(request.url).origin}/${release}${address}`
  const held = memory.get(key)
  // Another isolate may have made a newer one.
  const known = ageOf(held, now()) < revalidatedFor ? held : ((await fromDataCentre(key)) ?? held)
  const age = ageOf(known, now())
  if (known && age < freshFor) return answer(request, known, age, 'hit')
  if (known && age < revalidatedFor) {
    edge.execution.waitUntil(refill(key, address, edge))
    return answer(request, known, age, 'stale')
  }
  const made = await refill(key, address, edge)
  if (!made.storable && known && age < keptFor) return answer(request, known, age, 'stale')
  return answer(request, made, 0, 'miss')
}

function ageOf(page: Page | undefined, now: number): number {
  return page ? now - page.storedAt : Number.POSITIVE_INFINITY
}

/** Makes the page once, however many ask for it. */
async function refill(key: string, address: string, edge: Edge): Promise<Page> {
  const underWay = refills.get(key)
  if (underWay) {
    const waited = await Promise.race([underWay, giveUp()])
    if (waited) return waited
  }
  const work = make(address, edge).then((page) => {
    if (page.storable) {
      memory.set(key, page, page.body.byteLength)
      edge.execution.waitUntil(toDataCentre(key, page))
    }
    return page
  })
  refills.set(key, work)
  // The one who began may go away; those who wait must not.
  edge.execution.waitUntil(work)
  try {
    return await work
  } finally {
    if (refills.get(key) === work) refills.delete(key)
  }
}

async function make(address: string, { render, now }: Edge): Promise<Page> {
  const { response, degraded } = await render(address)
  const body = new Uint8Array(await response.arrayBuffer())
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  return {
    body,
    status: response.status,
    headers: [...response.headers].filter(([name]) => name !== 'set-cookie'),
    etag: `"${btoa(String.fromCharCode(...hash.slice(0, 12)))}"`,
    storedAt: now(),
    storable: response.status === 200 && !degraded && response.headers.getSetCookie().length === 0,
  }
}

function answer(request: Request, page: Page, age: number, how: 'hit' | 'stale' | 'miss'): Response {
  const headers = new Headers(page.headers)
  headers.set('Server-Timing', `cache;desc=${how}`)
  headers.set('Vary', 'Cookie')
  if (!page.storable) {
    headers.set('Cache-Control', 'no-store')
    return new Response(page.body, { status: page.status, headers })
  }
  // Freshness lives here: a browser asks every time, or its bar would be wrong after signing in.
  headers.set('Cache-Control', 'public, max-age=0, must-revalidate')
  headers.set('Age', `${Math.floor(age / 1000)}`)
  headers.set('ETag', page.etag)
  return matches(request.headers.get('If-None-Match'), page.etag)
    ? new Response(null, { status: 304, headers })
    : new Response(page.body, { status: page.status, headers })
}

/** RFC 9110, 13.1.2: a weak comparison with any of the list. */
function matches(condition: string | null, etag: string): boolean {
  if (condition === null) return false
  return (
    condition.trim() === '*' || condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  )
}

/** The Cache API behind the isolate. A runtime without it has the isolate alone. */
async function fromDataCentre(key: string): Promise<Page | undefined> {
  const response = await dataCentre()
    ?.match(key)
    .catch(() => undefined)
  const storedAt = Number(response?.headers.get(storedAtHeader))
  const etag = response?.headers.get('ETag')
  if (!response || !storedAt || !etag) return undefined
  const body = new Uint8Array(await response.arrayBuffer())
  const own = ['etag', 'cache-control', 'cf-cache-status', 'age', storedAtHeader.toLowerCase()]
  const headers = [...response.headers].filter(([name]) => !own.includes(name))
  const page = { body, status: 200, headers, etag, storedAt, storable: true }
  memory.set(key, page, body.byteLength)
  return page
}

async function toDataCentre(key: string, { body, headers, etag, storedAt }: Page): Promise<void> {
  const stored = new Response(body, { headers })
  stored.headers.set('Cache-Control', `max-age=${keptFor / 1000}`)
  stored.headers.set('ETag', etag)
  stored.headers.set(storedAtHeader, `${storedAt}`)
  await dataCentre()
    ?.put(key, stored)
    .catch(() => undefined)
}

function dataCentre(): Cache | undefined {
  return typeof caches === 'undefined' ? undefined : (caches as CacheStorage & { default?: Cache }).default
}

function giveUp(): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), patience))
}
