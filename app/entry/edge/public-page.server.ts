import { cachedPages } from 'virtual:public-pages'
import { createCacheAddress } from '../../platform/edge/cache-address'
import { findPage, recallPage, type StoredPage } from '../../platform/edge/page-cache.server'
import { maxUrlLength } from '../../platform/edge/url-length'
import { claimedVersion, knownVersion, requiredVersion } from '../../platform/live/version.server'
import { english, type Locale } from '../../platform/locales/locales'
import { splitPrefix, withPrefix } from '../../platform/locales/paths'
import { isTranslated } from '../../platform/locales/translated-pages'
import { readClock } from '../../platform/server/clock.server'
import type { Config, Execution } from '../../platform/server/env.server'
import type { Limit } from '../../platform/server/rate-limit.server'
import { respondWithPage } from './composed-response.server'
import { readVisitor, rememberedVisitor } from './visitor.server'

// Imported by the worker's entry: a stored page is served before the code that renders is loaded.

const cacheAddress = createCacheAddress(cachedPages)

/**
 * Responds to most requests with a page from this isolate's memory, before anything else happens. Returns
 * null if the method is not GET, if no fresh page of the claimed version is stored under exactly this URL, or if
 * this isolate has not read the visitor's cookies.
 * A stored URL has the site's own origin and only the query parameters that its page reads.
 */
export function answerFromMemory(request: Request, config: Config): Response | null {
  if (request.method !== 'GET') return null
  const now = readClock(config)
  const page = recallPage(request.url, now)
  if (!page || claimedVersion(request) > page.version) return null
  const visitor = page.template && rememberedVisitor(request, now)
  return visitor === undefined ? null : respondWithPage(request, { page, how: 'hit' }, visitor, now)
}

/**
 * True for a request that no stage before the cached pages answers or changes (pipeline.ts): a GET or HEAD at
 * the site's origin, without the parameters of the auth service, that claims no newer version than this
 * isolate knows.
 */
export function isOrdinary(request: Request, { SITE_URL }: Config): boolean {
  const { method, url } = request
  if ((method !== 'GET' && method !== 'HEAD') || url.length > maxUrlLength) return false
  if (!url.startsWith(`${SITE_URL}/`) || claimedVersion(request) > knownVersion()) return false
  return !/[?&](code|error)\b/.test(url)
}

export interface PublicPageOptions {
  config: Config
  execution: Execution
  limit: Limit
  /** Renders a page without a visitor. */
  render: (address: string, locale: Locale) => Promise<StoredPage>
  /** The response to a visitor who searches too often. */
  refuse: (locale: Locale) => Response | Promise<Response>
}

/**
 * Responds with a public page: from this isolate, from the data centre's Cache API, or from a new render.
 * Returns null for a request whose page is not cached.
 */
export async function answerPublicPage(
  request: Request,
  { config, execution, limit, render, refuse }: PublicPageOptions,
): Promise<Response | null> {
  if (config.PAGE_CACHE === 'off' || (request.method !== 'GET' && request.method !== 'HEAD')) return null
  const { pathname, searchParams } = new URL(request.url)
  const prefixed = splitPrefix(pathname, config.LOCALES)
  if (prefixed && !isTranslated(prefixed.pathname)) return null
  const locale = prefixed?.locale ?? english
  const found = cacheAddress({ pathname: prefixed?.pathname ?? pathname, searchParams }, config.FUNDME_OPEN)
  if (!found) return null
  const address = prefixed ? withPrefix(locale, found.address) : found.address
  const now = () => readClock(config)
  // A page with a query causes a search in the backend. A path with a variable part may belong to a page
  // that does not exist; the number of such paths is unlimited, and the cache does not store their pages.
  const limited = address.includes('?') ? 'search' : found.isFixed ? null : 'page'
  if (limited && !recallPage(config.SITE_URL + address, now()) && (await limit(limited)))
    return refuse(locale)
  const cached = await findPage(address, {
    site: config.SITE_URL,
    release: import.meta.env.RELEASE,
    version: requiredVersion(request),
    now,
    execution,
    render: (address) => render(address, locale),
  })
  const visitor = await readVisitor(request, config, now())
  const respond = () => respondWithPage(request, cached, visitor, now())
  // Without a response, this is the first toast of this isolate.
  return respond() ?? (await import('./toast-fragment.server')).respondWithToast(respond)
}
