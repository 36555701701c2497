import type { Config } from '../server/env.server'
import { limitWindow } from '../server/rate-limit.server'
import { reportPath } from './report.server'

/** What no page here asks of a browser, nor may anything that gets into one. */
const permissionsPolicy = [
  'accelerometer, autoplay, camera, display-capture, encrypted-media, fullscreen, geolocation, gyroscope, hid',
  'idle-detection, magnetometer, microphone, midi, payment, picture-in-picture, publickey-credentials-get',
  'screen-wake-lock, serial, usb, xr-spatial-tracking',
]
  .join(', ')
  .replace(/[\w-]+/g, '$&=()')

/**
 * The policy of a page. Pages without framework script run this site's own module and nothing else;
 * pages with it carry a fresh nonce.
 */
export function contentSecurityPolicy(config: Config, nonce?: string): string {
  return [
    "default-src 'none'",
    `script-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    "style-src 'self'",
    `img-src 'self' data: ${config.AVATAR_ORIGIN}`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    // No script of ours hands a string to the parser; React does with one (entry.client.tsx).
    "require-trusted-types-for 'script'",
    `trusted-types ${nonce ? 'default' : "'none'"}`,
    `report-uri ${reportPath}`,
    'report-to csp',
  ].join('; ')
}

/** Gives the response the headers that every response carries, where it has no own. */
export function secure(response: Response, config: Config): Response {
  const { headers } = response
  const defaults: Record<string, string> = {
    'Content-Security-Policy': contentSecurityPolicy(config),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': permissionsPolicy,
    // Not 'no-referrer': a form sent without JavaScript would then carry 'Origin: null'.
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
