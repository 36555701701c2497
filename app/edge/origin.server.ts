import type { Config } from '../server/env.server'
import type { Log } from '../server/log.server'
import { staticPage } from './error-page.server'

/** A page opened under another name of this server moves to the site's own: its forms would be refused there. */
export function toSiteOrigin(request: Request, url: URL, config: Config): Response | null {
  if (url.origin === config.SITE_URL || (request.method !== 'GET' && request.method !== 'HEAD')) return null
  return new Response(null, {
    status: 308,
    headers: { Location: config.SITE_URL + url.pathname + url.search },
  })
}

/**
 * Refuses a state-changing request that another site's page has sent: by Origin, and by Sec-Fetch-Site
 * where the browser sends no Origin. A client that sends neither is no browser, and carries no one's cookies.
 */
export function refuseForgery(request: Request, config: Config, log: Log): Response | null {
  if (request.method === 'GET' || request.method === 'HEAD') return null
  const origin = request.headers.get('Origin')
  const site = request.headers.get('Sec-Fetch-Site')
  const sameSite =
    (origin === null || origin === config.SITE_URL) && (site === null || site === 'same-origin')
  if (sameSite) return null
  log.warn('request.forged', { origin, site })
  return staticPage(
    403,
    'This form was sent from another site',
    'For your safety it was refused. Open the page on this site and send it again.',
    log.requestId,
  )
}
