import type { MetaDescriptor } from '@remix-run/cloudflare'
import { brand, navigation, pageTitle } from './site'

type JsonLd = Record<string, unknown>

interface Page {
  /** The brand follows it in `<title>`, except on Home, but not in `og:title`. */
  title: string
  description: string
  path: string
  /** The share card, 1200 by 630, as a path of this site. */
  image?: string
  imageAlt?: string
  noindex?: boolean
  /** Feeds of the page's list, as paths of this site: Atom, and JSON Feed. */
  feed?: { title: string; atom: string; json: string }
  /** Additional structured data. Called with the site's origin, because the URLs in it are absolute. */
  jsonLd?: (siteUrl: string) => JsonLd
}

interface MetaArguments {
  matches: readonly { id: string; data?: unknown }[]
}

const defaultImage = '/share/default.png'
const defaultImageAlt = `The ${brand} mark, two linked blocks, beside the words 'From Binance Community, For Everyone'`

/** The metadata of a page for search engines and link previews: `export const meta = pageMeta({ … })`. */
export function pageMeta(page: Page): (args: MetaArguments) => MetaDescriptor[] {
  return ({ matches }) => {
    const siteUrl = siteOrigin(matches)
    const { title, description, path, image = defaultImage, imageAlt = defaultImageAlt } = page
    const url = siteUrl + path
    const graph = [path === '/' ? organization(siteUrl) : breadcrumbs(siteUrl, path, title)]
    if (page.jsonLd) graph.push(page.jsonLd(siteUrl))
    return [
      { title: path === '/' ? title : pageTitle(title) },
      { name: 'description', content: description },
      // A page that is not indexed has no canonical URL and no structured data.
      ...(page.noindex
        ? [{ name: 'robots', content: 'noindex' }]
        : [
            { tagName: 'link', rel: 'canonical', href: url },
            ...graph.map((data) => ({ 'script:ld+json': { '@context': 'https://schema.org', ...data } })),
          ]),
      ...(page.feed
        ? [
            alternate('application/atom+xml', page.feed.title, siteUrl + page.feed.atom),
            alternate('application/feed+json', page.feed.title, siteUrl + page.feed.json),
          ]
        : []),
      { property: 'og:type', content: 'website' },
      { property: 'og:site_name', content: brand },
      { property: 'og:title', content: title },
      { property: 'og:description', content: description },
      { property: 'og:url', content: url },
      { property: 'og:image', content: siteUrl + image },
      { property: 'og:image:width', content: '1200' },
      { property: 'og:image:height', content: '630' },
      { property: 'og:image:alt', content: imageAlt },
      { name: 'twitter:card', content: 'summary_large_image' },
      { name: 'twitter:title', content: title },
      { name: 'twitter:description', content: description },
      { name: 'twitter:image', content: siteUrl + image },
      { name: 'twitter:image:alt', content: imageAlt },
    ]
  }
}

function alternate(type: string, title: string, href: string): MetaDescriptor {
  return { tagName: 'link', rel: 'alternate', type, title, href }
}

/** The site's origin, from the data of the root's loader; '' if the loader failed. */
function siteOrigin(matches: MetaArguments['matches']): string {
  const root = matches.find(({ id }) => id === 'root')?.data as { siteUrl?: string } | undefined
  return root?.siteUrl ?? ''
}

function organization(siteUrl: string): JsonLd {
  return {
    '@type': 'Organization',
    name: brand,
    url: `${siteUrl}/`,
    logo: `${siteUrl}/icon-512.png`,
    description: `${brand} is a community charity project. It is not affiliated with Binance.`,
  }
}

/** Breadcrumbs: Home, the parent page if the navigation bar lists it, the page itself. */
function breadcrumbs(siteUrl: string, path: string, title: string): JsonLd {
  const above = navigation.filter(({ to }) => to === '/' || path.startsWith(`${to}/`))
  const trail = [
    ...above.map(({ to, label }) => ({ path: to as string, name: label as string })),
    { path, name: title },
  ]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map((step, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name: step.name,
      item: siteUrl + step.path,
    })),
  }
}
