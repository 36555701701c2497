import type { Config } from '../env.server'

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
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/** Gives the response the headers that every response carries, where it has no own. */
export function secure(response: Response, config: Config): Response {
  const { headers } = response
  const defaults: Record<string, string> = {
    'Content-Security-Policy': contentSecurityPolicy(config),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // Not 'no-referrer': a form sent without JavaScript would then carry 'Origin: null'.
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-store',
  }
  if (config.SITE_URL.startsWith('https:'))
    defaults['Strict-Transport-Security'] = 'max-age=63072000; includeSubDomains'
  for (const [name, value] of Object.entries(defaults)) if (!headers.has(name)) headers.set(name, value)
  return response
}
