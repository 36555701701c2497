import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { impactPools } from '~/impact-pools'
import type { PageHandle } from '~/rendering/handle'
import { navigation, smallPrint } from '~/site'

export const handle: PageHandle = { cached: [] }

/** The pages for search engines, without the campaigns of the preview. */
export function loader({ context }: LoaderFunctionArgs) {
  const pages = [...navigation, ...smallPrint].map(({ to }) => to)
  const paths = [
    ...pages,
    '/transparency/verify',
    '/transparency/months',
    '/transparency/wallets',
    '/transparency/acts',
    '/transparency/api',
    '/donate',
    ...impactPools.map(({ slug }) => `/voting/${slug}`),
  ]
  const entries = paths.map((path) => `  <url><loc>${context.config.SITE_URL}${path}</loc></url>`)
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`
  return new Response(xml, {
    headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  })
}
