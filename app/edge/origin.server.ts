import { staticPage } from './error-page.server'
import type { Stage } from './stage'

/** Redirects a page load with another origin than the site's (a second host name), where forms would be refused. */
export const toSiteOrigin: Stage = ({ method }, { config, url }) => {
  if (url.origin === config.SITE_URL || (method !== 'GET' && method !== 'HEAD')) return null
  return new Response(null, {
    status: 308,
    headers: { Location: config.SITE_URL + url.pathname + url.search },
  })
}

/**
 * Refuses a state-changing request from another site's page, by Origin and by Sec-Fetch-Site: each must be that of this
 * site if it is sent. A client that sends neither is not a browser, so it cannot carry a visitor's cookies.
 */
export const refuseForgery: Stage = ({ method, headers }, { config, log }) => {
  if (method === 'GET' || method === 'HEAD') return null
  const origin = headers.get('Origin')
  const site = headers.get('Sec-Fetch-Site')
  const sameSite =
    (origin === null || origin === config.SITE_URL) && (site === null || site === 'same-origin')
  if (sameSite) return null
  log.warn('request.forged', { origin, site })
  return staticPage(
    403,
    'We blocked this form',
    'It came from another website. To be safe, open the page here and try again.',
    log.requestId,
  )
}
