import type { Config } from '../env.server'

/**
 * The policy of a page. Pages without framework script run this site's own module and nothing else;
 * pages with it carry a fresh nonce.
 */
export function contentSecurityPolicy(config: Config, nonce?: string): string {
  const avatars = config.AVATAR_ORIGIN ?? new URL(config.SUPABASE_URL).origin
  return [
    "default-src 'none'",
    `script-src 'self'${nonce ? ` 'nonce-${nonce}'` : ''}`,
    "style-src 'self'",
    `img-src 'self' data: ${avatars}`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/** The response with the headers that every response carries. */
export function secure(response: Response, config: Config, requestId: string): Response {
  const headers = new Headers(response.headers)
  const defaults: Record<string, string> = {
    'Content-Security-Policy': contentSecurityPolicy(config),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // Not 'no-referrer': a form sent without JavaScript would then carry 'Origin: null'.
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    'Cache-Control': 'private, no-store',
  }
  if (config.SITE_URL.startsWith('https:'))
    defaults['Strict-Transport-Security'] = 'max-age=63072000; includeSubDomains'
  for (const [name, value] of Object.entries(defaults)) if (!headers.has(name)) headers.set(name, value)
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}
