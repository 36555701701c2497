import type { Config } from '../server/env.server'
import { limitWindow } from '../server/rate-limit.server'
import { reportPath } from './report.server'

/** Browser features that no page uses. */
const permissionsPolicy = [
  'accelerometer, autoplay, camera, display-capture, encrypted-media, fullscreen, geolocation, gyroscope, hid',
  'idle-detection, magnetometer, microphone, midi, payment, picture-in-picture, publickey-credentials-get',
  'screen-wake-lock, serial, usb, xr-spatial-tracking',
]
  .join(', ')
  .replace(/[\w-]+/g, '$&=()')

/**
 * The content security policy of a page. Pages without Remix's script run only files of this site; hydrated
 * pages also run inline scripts with a fresh nonce. `connect`: other origins to which the page's scripts may
 * send requests.
 */
export function contentSecurityPolicy({
  nonce,
  connect = [],
}: {
  nonce?: string
  connect?: string[]
} = {}): string {
  return [
    "default-src 'none'",
    `script-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    "manifest-src 'self'",
    "form-action 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    // No script of the site passes a string to the HTML parser.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `report-uri ${reportPath}`,
    'report-to csp',
  ].join('; ')
}

/** Adds the headers that every response has. Keeps a header that the response already has. */
export function secure(response: Response, config: Config): Response {
  const { headers } = response
  // A page from the cache was stored with all these headers.
  if (headers.has('Permissions-Policy')) return response
  const defaults: Record<string, string> = {
    'Content-Security-Policy': contentSecurityPolicy(),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': permissionsPolicy,
    // Not 'no-referrer', because a form that is sent without JavaScript would then have 'Origin: null'.
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Reporting-Endpoints': `csp="${reportPath}"`,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-store',
  }
  if (response.status === 429) defaults['Retry-After'] = `${limitWindow}`
  if (config.SITE_URL.startsWith('https:'))
    defaults['Strict-Transport-Security'] = 'max-age=63072000; includeSubDomains'
  for (const [name, value] of Object.entries(defaults)) if (!headers.has(name)) headers.set(name, value)
  return response
}
