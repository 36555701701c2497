import type { AppLoadContext } from '@remix-run/cloudflare'
import { claimedVersion, knownVersion, requiredVersion } from '../live/version.server'
import type { Locale } from '../locales/locales'
import { withPrefix } from '../locales/paths'
import { readHandle } from '../rendering/handle'
import type { Router } from '../rendering/router.server'
import { slotMarkers } from '../rendering/slots'
import { readClock } from '../server/clock.server'
import type { Config } from '../server/env.server'
import type { Runtime } from '../server/runtime.server'
import { canonicalPath, createCacheAddress } from './cache-address'
import { respondWithPage } from './composed-response.server'
import { findPage, type Page, recallPage, sharedCacheControl } from './page-cache.server'
import { refusalPage } from './refusal.server'
import { secure } from './security-headers.server'
import type { Stage } from './stage'
import { compose, createTemplate } from './template'

/**
 * Renders a page for the cache. `degraded`: an error was logged during the render, so the page must not be
 * stored.
 */
export type PublicRender = (
  request: Request,
  runtime: Runtime,
) => Promise<{ response: Response; degraded: boolean }>

/**
 * Responds to most requests with a page from this isolate's memory, before the first stage of the pipeline.
 * Returns null if the method is not GET, or if no fresh page of the claimed version is stored under exactly
 * this URL. A stored URL has the site's own origin and only the query parameters that its page reads.
 */
export function answerFromMemory(request: Request, config: Config): Response | null {
  if (request.method !== 'GET') return null
  const now = readClock(config)
  const page = recallPage(request.url, now)
  if (!page || claimedVersion(request) > page.version) return null
  return respondWithPage(request, { page, how: 'hit' }, config, now)
}

/**
 * The stage of cached routes. It renders a page without a visitor, stores the page, and composes it for each
 * visitor.
 */
export function createPublicPages(router: Router, renderPublic: PublicRender, release: string): Stage {
  const cacheAddress = createCacheAddress(router)
  return async (request, context) => {
    const { config, execution, language, limit, url } = context
    if (config.PAGE_CACHE === 'off' || (request.method !== 'GET' && request.method !== 'HEAD')) return null
    const english = await cacheAddress(url, config.FUNDME_OPEN)
    if (english === null) return answerUncached(router, context)
    const address = language.isPrefixed ? withPrefix(language.locale, english) : english
    const now = () => readClock(config)
    // A page with a query causes a search in the backend. A path with a variable part may belong to a page
    // that does not exist; the number of such paths is unlimited, and the cache does not store their pages.
    const limited = address.includes('?') ? 'search' : router.fixedPaths.has(english) ? null : 'page'
    if (limited && !recallPage(config.SITE_URL + address, now()) && (await limit(limited)))
      return secure(refusalPage(429, context), config)
    const render = (address: string) => renderPage(address, renderPublic, context, language.locale)
    const cached = await findPage(address, {
      site: config.SITE_URL,
      release,
      version: requiredVersion(request),
      now,
      execution,
      render,
    })
    return respondWithPage(request, cached, config, now())
  }
}

/**
 * Responds to a request of a cached route that has no cache key. Redirects a different spelling of a path to
 * the canonical path. Any other such request (for example a data request, or a request whose query is too
 * long) is rendered separately, so the number of these requests is limited. Returns null if the request may
 * be rendered, or the route is not cached.
 */
async function answerUncached(
  { paths, match, load }: Router,
  context: AppLoadContext,
): Promise<Response | null> {
  const { config, limit, url } = context
  const { pathname, search } = url
  const id = match(pathname)
  if (!readHandle((await load(id)).handle).cached) return null
  const pattern = paths.find((path) => path.id === id)?.pattern ?? pathname
  const path = canonicalPath(pattern, pathname)
  if (path !== pathname)
    return new Response(null, { status: 308, headers: { Location: config.SITE_URL + path + search } })
  return (await limit('search')) ? secure(refusalPage(429, context), config) : null
}

/** Renders a page from its path and query alone, and finds the page's slots. */
async function renderPage(
  address: string,
  renderPublic: PublicRender,
  runtime: Runtime,
  { code: locale }: Locale,
): Promise<Page> {
  const { config } = runtime
  const request = new Request(config.SITE_URL + address)
  const version = knownVersion()
  const rendering = await renderPublic(request, runtime)
  const response = secure(rendering.response, config)
  const { status, headers } = response
  const rendered = new Uint8Array(await response.arrayBuffer())
  const isHtml = headers.get('Content-Type')?.startsWith('text/html') ?? false
  const template = isHtml ? createTemplate(new TextDecoder().decode(rendered), slotMarkers()) : null
  // A page that still contains its markers must never be sent.
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
  return { body, template, locale, status, headers, etag, storedAt: readClock(config), storable, version }
}
