import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { PageHandle } from '~/platform/rendering/handle'

export const handle: PageHandle = { cached: [] }

/** A route, not a file: the sitemap needs an absolute URL, and the site's origin is configured. */
export function loader({ context }: LoaderFunctionArgs) {
  const lines = [
    'User-agent: *',
    'Disallow: /auth',
    'Disallow: /dashboard',
    'Disallow: /operator',
    '',
    `Sitemap: ${context.config.SITE_URL}/sitemap.xml`,
  ]
  return new Response(`${lines.join('\n')}\n`, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  })
}
