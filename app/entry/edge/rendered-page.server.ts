import { type StoredPage, sharedCacheControl } from '../../platform/edge/page-cache.server'
import { secure } from '../../platform/edge/security-headers.server'
import { compose, createTemplate } from '../../platform/edge/template'
import { knownVersion } from '../../platform/live/version.server'
import type { Locale } from '../../platform/locales/locales'
import { slotMarkers } from '../../platform/rendering/slots'
import { readClock } from '../../platform/server/clock.server'
import type { Runtime } from '../../platform/server/runtime.server'

/** Renders a page for the cache. `degraded`: an error was logged, so the page must not be stored. */
export type PublicRender = (
  request: Request,
  runtime: Runtime,
) => Promise<{ response: Response; degraded: boolean }>

/** Renders a page from its path and query alone, and finds the page's slots. */
export async function renderPage(
  address: string,
  renderPublic: PublicRender,
  runtime: Runtime,
  { code: locale }: Locale,
): Promise<StoredPage> {
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
