import { msg } from '@lingui/core/macro'
import { staticPage } from './error-page.server'
import type { Stage } from './stage'

/** Redirects GET and HEAD from another origin (a second host name) to the site's, which takes forms. */
export const toSiteOrigin: Stage = ({ method, url: sent }, { config }) => {
  const url = new URL(sent)
  if (url.origin === config.SITE_URL || (method !== 'GET' && method !== 'HEAD')) return null
  return new Response(null, {
    status: 308,
    headers: { Location: config.SITE_URL + url.pathname + url.search },
  })
}

/** The targets of List-Unsubscribe-Post (RFC 8058), in every language. Their URLs have a secret token. */
const oneClick = /^(?:\/[\w-]+)?\/(?:follow\/leave|arrived\/never)$/

/**
 * Refuses a request from another site's page, except GET and HEAD: the Origin header, if sent, must be this
 * site's, and Sec-Fetch-Site, if sent, must be 'same-origin'. A client that sends neither header is not a
 * browser, so it has no visitor's cookies. Privacy extensions and some redirects replace this site's Origin
 * by 'null': then Sec-Fetch-Site, which pages and extensions cannot set, must be 'same-origin'. A webmail
 * page may send a one-click request from its own origin: the token in its URL is its only authority.
 */
export const refuseForgery: Stage = ({ method, headers, url }, context) => {
  const { config, log } = context
  if (method === 'GET' || method === 'HEAD') return null
  if (method === 'POST' && oneClick.test(new URL(url).pathname)) return null
  const origin = headers.get('Origin')
  const site = headers.get('Sec-Fetch-Site')
  const isOurs =
    origin === null || origin === config.SITE_URL || (origin === 'null' && site === 'same-origin')
  if (isOurs && (site === null || site === 'same-origin')) return null
  log.warn('request.forged', { origin, site })
  const text = msg`It came from another website. To be safe, open the page here and try again.`
  return staticPage(context, 403, msg`We blocked this form`, text)
}
