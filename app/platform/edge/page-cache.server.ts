import { knownVersion, noteVersion } from '../live/version.server'
import { english } from '../locales/locales'
import type { Execution } from '../server/env.server'
import { sleep, within } from '../server/timeout'
import { ByteLimitedMap } from './byte-limited-map'
import { compose, readTemplate, type Template } from './template'

// The pipeline stage is public-page.server.ts; routes declare `cached` (platform/rendering/handle.ts).

/** Maximum age of a page that counts as fresh, in milliseconds. */
const freshFor = 30_000
/**
 * The maximum age, in milliseconds, of a stored page that is served while it is rendered again. An older page
 * is rendered first.
 */
const revalidatedFor = 60_000
/**
 * The maximum age, in milliseconds, of a stored page that is served while a new one cannot be stored (the
 * backend is down).
 */
const keptFor = 86_400_000
/** How long a request waits for a page that another request renders, in milliseconds. */
const sharedRenderTimeout = 3_000

/** Maximum memory for the pages without a query, in bytes. */
const maxMemory = 24 * 1024 * 1024
/**
 * Maximum memory for the pages with a query, in bytes. It is separate because anyone can invent queries, and
 * a page with a query must not evict a page without a query.
 */
const maxQueryMemory = 2 * 1024 * 1024
const storedAtHeader = 'X-Stored-At'
const cutsHeader = 'X-Slots'
const pageVersionHeader = 'X-Page-Version'
const localeHeader = 'X-Locale'

/** A rendered page that contains no visitor's data. */
export interface StoredPage {
  /** The page for a visitor without a session and without a toast. */
  body: Uint8Array<ArrayBuffer>
  /** The page with its slots; null for a response that is the same for everyone, such as the sitemap. */
  template: Template | null
  /** The code of the page's language. */
  locale: string
  status: number
  /** The headers of this page. A response to one visitor changes some of them (composed-response.server.ts). */
  headers: Headers
  etag: string
  /** In milliseconds since the epoch. */
  storedAt: number
  /** Whether a response may be stored: not an error, a page without its figures, or a response that sets a cookie. */
  storable: boolean
  /** The newest known version when the render began (version.server.ts), which the page contains. */
  version: number
}

export interface CacheOptions {
  /** The site's origin. */
  site: string
  /** The id of the build. Each build renders its own pages. */
  release: string
  /** The page's minimum version, confirmed by the hub: each new one makes every page render again. */
  version: number
  /** Returns the time in milliseconds since the epoch. */
  now: () => number
  execution: Execution
  /** Renders the page of a path and query, without a request, so that it has no visitor's data. */
  render: (address: string) => Promise<StoredPage>
}

/** `stale`: the page is older than the request may expect. `miss`: the page was rendered for this request. */
export interface CachedPage {
  page: StoredPage
  how: 'hit' | 'stale' | 'miss'
}

const plainMemory = new ByteLimitedMap<StoredPage>(maxMemory)
const queryMemory = new ByteLimitedMap<StoredPage>(maxQueryMemory)
const refills = new Map<string, { work: Promise<StoredPage>; version: number }>()

function memoryOf(url: string): ByteLimitedMap<StoredPage> {
  return url.includes('?') ? queryMemory : plainMemory
}

/** The fresh page that this isolate stores under a URL, or null. `now` is in milliseconds. */
export function recallPage(url: string, now: number): StoredPage | null {
  const page = memoryOf(url).get(url)
  return page && now - page.storedAt < freshFor ? page : null
}

/** The page of a path and query: from this isolate, the data centre's Cache API, or a new render. */
export async function findPage(address: string, options: CacheOptions): Promise<CachedPage> {
  const { now, execution, version } = options
  const held = memoryOf(address).get(options.site + address)
  const isUsable = (page: StoredPage) => page.version >= version && ageOf(page, now()) < revalidatedFor
  // Another isolate may have stored a newer page.
  const known = held && isUsable(held) ? held : ((await readCacheApi(address, options)) ?? held)
  if (known && isUsable(known)) {
    if (ageOf(known, now()) < freshFor) return { page: known, how: 'hit' }
    // After the response: in a new isolate, a render first loads the code that renders pages.
    const renew = () => recallPage(options.site + address, now()) ?? refill(address, options)
    execution.waitUntil(sleep(0).then(renew))
    return { page: known, how: 'stale' }
  }
  const rendered = await refill(address, options)
  if (!rendered.storable && known && ageOf(known, now()) < keptFor) {
    // Only one attempt for each version: the next render begins when the page expires.
    known.version = Math.max(known.version, version)
    return { page: known, how: 'stale' }
  }
  return { page: rendered, how: 'miss' }
}

function ageOf(page: StoredPage | undefined, now: number): number {
  return page ? now - page.storedAt : Number.POSITIVE_INFINITY
}

/** Renders and stores a page. A request shares a running render of its version for up to `sharedRenderTimeout`. */
async function refill(address: string, options: CacheOptions): Promise<StoredPage> {
  const running = refills.get(address)
  if (running && running.version >= options.version) {
    const shared = await within(running.work, sharedRenderTimeout)
    if (shared) return shared
  }
  const version = knownVersion()
  const work = options.render(address).then((page) => {
    if (page.storable) {
      memoryOf(address).set(options.site + address, page, sizeOf(page))
      options.execution.waitUntil(writeCacheApi(address, options, page))
    }
    return page
  })
  refills.set(address, { work, version })
  // The render must continue after the request that began it, because other requests wait for the page.
  options.execution.waitUntil(work)
  try {
    return await work
  } finally {
    if (refills.get(address)?.work === work) refills.delete(address)
  }
}

/** A page's memory in bytes: its body and, with slots, the template and the last visitor's page. */
function sizeOf({ body, template }: StoredPage): number {
  return body.byteLength + 2 * (template?.bytes.byteLength ?? 0)
}

/** Reads a page from the Cache API into this isolate. The API outlasts isolates; some runtimes lack it. */
async function readCacheApi(address: string, options: CacheOptions): Promise<StoredPage | undefined> {
  const response = await cacheApi()
    ?.match(storedUrl(address, options))
    .catch(() => undefined)
  const storedAt = Number(response?.headers.get(storedAtHeader))
  const etag = response?.headers.get('ETag')
  if (!response || !storedAt || !etag) return undefined
  const bytes = new Uint8Array(await response.arrayBuffer())
  const headers = new Headers(response.headers)
  const cuts = headers.get(cutsHeader)
  const template = cuts === null ? null : readTemplate(bytes, cuts)
  if (cuts !== null && !template) return undefined
  const version = Number(headers.get(pageVersionHeader))
  const locale = headers.get(localeHeader) ?? english.code
  noteVersion(version)
  for (const name of ['CF-Cache-Status', 'Age', storedAtHeader, cutsHeader, pageVersionHeader, localeHeader])
    headers.delete(name)
  headers.set('Cache-Control', sharedCacheControl)
  const body = template ? compose(template, { session: '', toast: null }) : bytes
  const page: StoredPage = {
    body,
    template,
    locale,
    status: 200,
    headers,
    etag,
    storedAt,
    storable: true,
    version,
  }
  memoryOf(address).set(options.site + address, page, sizeOf(page))
  return page
}

async function writeCacheApi(address: string, options: CacheOptions, page: StoredPage): Promise<void> {
  const { body, template, locale, headers, storedAt, version } = page
  const stored = new Response(template?.bytes ?? body, { headers })
  stored.headers.set('Cache-Control', `max-age=${keptFor / 1000}`)
  stored.headers.set(storedAtHeader, `${storedAt}`)
  stored.headers.set(pageVersionHeader, `${version}`)
  stored.headers.set(localeHeader, locale)
  if (template) stored.headers.set(cutsHeader, template.cuts.join())
  await cacheApi()
    ?.put(storedUrl(address, options), stored)
    .catch(() => undefined)
}

/**
 * Only the edge serves a stored page without asking again: after a sign-in, a browser must show the account
 * button.
 */
export const sharedCacheControl = 'public, max-age=0, must-revalidate'

/** The URL of a page in the Cache API, with the release: the API keeps pages of earlier releases. */
function storedUrl(address: string, { site, release }: CacheOptions): string {
  return `${site}/${release}${address}`
}

function cacheApi(): Cache | undefined {
  return globalThis.caches?.default
}
