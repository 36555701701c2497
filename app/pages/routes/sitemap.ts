import pages from 'virtual:pages'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { listGoalSlugs } from '~/goals/goal-list.server'
import { impactPools } from '~/platform/impact-pools'
import { withPrefix } from '~/platform/locales/paths'
import type { PageHandle } from '~/platform/rendering/handle'

export const handle: PageHandle = { cached: [] }

/**
 * Lists the pages for search engines: those that are the same for everyone and exist in every language, the pools, and
 * the goals while FundMe is open. Omits the preview's campaigns.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  const goals = context.config.FUNDME_OPEN ? await listGoalSlugs(context.publicData()) : []
  const paths = [
    ...pages.flatMap(({ pattern, cached, translated, fundMe }) =>
      cached && translated && !pattern.includes(':') && (!fundMe || context.config.VOTING_OPEN)
        ? [pattern]
        : [],
    ),
    ...impactPools.map(({ slug }) => `/voting/${slug}`),
    ...goals.map((slug) => `/giveback/${slug}`),
  ]
  const { LOCALES, SITE_URL } = context.config
  const entries = paths.flatMap((path) => {
    const versions = LOCALES.map((locale) => ({ tag: locale.tag, url: SITE_URL + withPrefix(locale, path) }))
    const links = [...versions, { tag: 'x-default', url: SITE_URL + path }].map(
      ({ tag, url }) => `<xhtml:link rel="alternate" hreflang="${tag}" href="${url}"/>`,
    )
    return versions.map(
      ({ url }) => `  <url><loc>${url}</loc>${versions.length > 1 ? links.join('') : ''}</url>`,
    )
  })
  const namespace = LOCALES.length > 1 ? ' xmlns:xhtml="http://www.w3.org/1999/xhtml"' : ''
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${namespace}>
${entries.join('\n')}
</urlset>
`
  return new Response(xml, {
    headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  })
}
