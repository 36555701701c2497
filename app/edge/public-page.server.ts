import type { AppLoadContext } from '@remix-run/cloudflare'
import { isDocumentRequest } from '../forms/notice.server'
import { claimedVersion, knownVersion, requiredVersion } from '../live/version.server'
import { cachedParameters } from '../rendering/cached'
import type { Router } from '../rendering/router.server'
import { slotMarkers } from '../rendering/slots'
import { readClock } from '../server/clock.server'
import type { Config } from '../server/env.server'
import { matchesEtag } from '../server/etag'
import { createLog, requestIdOf } from '../server/log.server'
import type { Runtime } from '../server/runtime.server'
import { canonicalPath, createCacheAddress } from './cache-address'
import { type Found, findPage, type Page, recallPage, sharedCacheControl } from './page-cache.server'
import { refuse } from './refusal.server'
import { secure } from './security-headers.server'
import type { Stage } from './stage'
import { compose, createTemplate, type Fragments } from './template'
import { toastFragment } from './toast-fragment.server'
import { type PageVisitor, readVisitor } from './visitor.server'

/** Renders a page for the cache. `degraded`: an error was logged, so the page must not be stored. */
export type PublicRender = (
  request: Request,
  runtime: Runtime,
) => Promise<{ response: Response; degraded: boolean }>

/**
 * The response to most requests: a page from the memory of this isolate, before every stage of the pipeline. Null if
 * the method is not GET, or if no fresh page of the claimed version is stored under exactly this URL. A stored URL has
 * the site's own origin and only the query that its page reads.
 */
export function answerFromMemory(request: Request, config: Config): Response | null {
  if (request.method !== 'GET') return null
  const now = readClock(config)
  const page = recallPage(request.url, now)
  if (!page || claimedVersion(request) > page.version) return null
  return respond(request, { page, how: 'hit' }, config, now)
}

/** The stage of cached routes: a page is rendered without a visitor, stored, and composed for each visitor. */
export function createPublicPages(router: Router, renderPublic: PublicRender, release: string): Stage {
  const cacheAddress = createCacheAddress(router)
  return async (request, context) => {
    const { config, execution, limit, log, url } = context
    if (config.PAGE_CACHE === 'off' || (request.method !== 'GET' && request.method !== 'HEAD')) return null
    const address = await cacheAddress(url)
    if (address === null) return answerUncached(router, context)
    const now = () => readClock(config)
    // A page with a query costs the backend a search. A path with a variable part may be one of any number of paths
    // that do not exist: the cache does not store these.
    const limited = address.includes('?') ? 'search' : router.fixedPaths.has(address) ? null : 'page'
    if (limited && !recallPage(config.SITE_URL + address, now()) && (await limit(limited)))
      return secure(refuse(429, log), config)
    const render = (address: string) => renderPage(address, renderPublic, context)
    const found = await findPage(address, {
      site: config.SITE_URL,
      release,
      version: requiredVersion(request),
      now,
      execution,
      render,
    })
    return respond(request, found, config, now())
  }
}

/**
 * Responds to a request of a cached route that has no cache key. Another spelling of the path is redirected. Any other
 * such request (for example a data request, or one whose query is too long) is rendered by itself, so their number is
 * limited. Returns null if the request may be rendered, or the route is not cached.
 */
async function answerUncached(
  { paths, match, load }: Router,
  { config, limit, log, url }: AppLoadContext,
): Promise<Response | null> {
  const { pathname, search } = url
  const id = match(pathname)
  if (!cachedParameters((await load(id)).handle)) return null
  const pattern = paths.find((path) => path.id === id)?.pattern ?? pathname
  const path = canonicalPath(pattern, pathname)
  if (path !== pathname)
    return new Response(null, { status: 308, headers: { Location: config.SITE_URL + path + search } })
  return (await limit('search')) ? secure(refuse(429, log), config) : null
}

/** Renders a page from its path and query alone, and finds its slots. */
async function renderPage(address: string, renderPublic: PublicRender, runtime: Runtime): Promise<Page> {
  const { config } = runtime
  const request = new Request(config.SITE_URL + address)
  const version = knownVersion()
  const rendering = await renderPublic(request, runtime)
  const response = secure(rendering.response, config)
  const { status, headers } = response
  const rendered = new Uint8Array(await response.arrayBuffer())
  const isHtml = headers.get('Content-Type')?.startsWith('text/html') ?? false
  const template = isHtml ? createTemplate(new TextDecoder().decode(rendered), slotMarkers()) : null
  // A page with its markers must never be sent.
  if (isHtml && !template) throw new Error(`the slots of ${address} are not as expected`)
  const body = template ? compose(template, { session: '', toast: null }) : rendered
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  const etag = `"${btoa(String.fromCharCode(...hash.slice(0, 12)))}"`
  const storable = status === 200 && !rendering.degraded && headers.getSetCookie().length === 0
  headers.delete('Set-Cookie')
  headers.set('Vary', 'Cookie')
  headers.set('Server-Timing', 'cache;desc=hit')
  headers.set('Cache-Control', storable ? sharedCacheControl : 'no-store')
  if (storable) headers.set('ETag', etag)
  return { body, template, status, headers, etag, storedAt: readClock(config), storable, version }
}

function respond(request: Request, found: Found, config: Config, now: number): Response {
  const visitor = found.page.template && readVisitor(request, config, now)
  if (visitor?.isAmbiguous) createLog(requestIdOf(request)).warn('session.two-cookies')
  const response = visitor ? respondTo(visitor, request, found.page) : respondToAll(request, found.page, now)
  if (found.how !== 'hit') response.headers.set('Server-Timing', `cache;desc=${found.how}`)
  return response
}

/** The response to every visitor without a session and without a toast, and to all visitors of a page without slots. */
function respondToAll(request: Request, page: Page, now: number): Response {
  const headers = page.storable ? sharedHeaders(page, now) : page.headers
  return page.storable && matchesEtag(request.headers.get('If-None-Match'), page.etag)
    ? new Response(null, { status: 304, headers })
    : new Response(page.body, { status: page.status, headers })
}

/** The response of one visitor: the same page around their fragments. Never a 304, and no cache may store it. */
function respondTo(visitor: PageVisitor, request: Request, page: Page): Response {
  const { session, notice, takeNotice, clearSession } = visitor
  const showsNotice = notice !== null && isDocumentRequest(request)
  const toast = showsNotice ? toastFragment(notice) : null
  const response = new Response(composedBody(page, { session, toast }), {
    status: page.status,
    headers: privateHeaders(page),
  })
  if (showsNotice && takeNotice) response.headers.append('Set-Cookie', takeNotice)
  for (const cookie of clearSession) response.headers.append('Set-Cookie', cookie)
  return response
}

/** What responses with one page share: their headers, and the last composed body. */
interface Prepared {
  /** With the header Age. Responses copy these headers, because changing each copy would cost more. */
  shared: Headers
  /** The value of Age in `shared`, in seconds. */
  age: number
  private: Headers
  /** The page of the last visitor. */
  last: (Fragments & { body: Uint8Array<ArrayBuffer> }) | null
}

const preparedPages = new WeakMap<Page, Prepared>()

function prepared(page: Page): Prepared {
  let found = preparedPages.get(page)
  if (!found) {
    found = { shared: new Headers(page.headers), age: -1, private: new Headers(page.headers), last: null }
    found.private.set('Cache-Control', 'private, no-store')
    found.private.delete('ETag')
    preparedPages.set(page, found)
  }
  return found
}

/** `now` is in milliseconds. */
function sharedHeaders(page: Page, now: number): Headers {
  const found = prepared(page)
  const age = Math.max(0, Math.floor((now - page.storedAt) / 1000))
  if (age !== found.age) {
    found.age = age
    found.shared.set('Age', `${age}`)
  }
  return found.shared
}

function privateHeaders(page: Page): Headers {
  return prepared(page).private
}

/**
 * The page around a visitor's fragments. The last composed page is kept for the further requests of the same visitor: a
 * new copy for each response makes the garbage collector run often, which takes a fifth of the time.
 */
function composedBody(page: Page, { session, toast }: Fragments): Uint8Array<ArrayBuffer> {
  if (!page.template) return page.body
  const found = prepared(page)
  if (found.last?.session !== session || found.last.toast !== toast)
    found.last = { session, toast, body: compose(page.template, { session, toast }) }
  return found.last.body
}
