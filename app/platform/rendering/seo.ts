import { msg } from '@lingui/core/macro'
import type { MetaDescriptor } from '@remix-run/cloudflare'
import { isRouteErrorResponse } from '@remix-run/react'
import type { Text } from '../locales/i18n'
import { createEnglish, createLanguage, type Language } from '../locales/language'
import { allLocales, english, type Locale } from '../locales/locales'
import { withPrefix } from '../locales/paths'
import { openGraphOf } from '../locales/public-pages'
import { isTranslated } from '../locales/translated-pages'
import { brand } from '../site'
import { navigation } from './navigation'
import { titleOf } from './page-title'

type JsonLd = Record<string, unknown>

interface Page {
  /** `<title>` adds the brand to this title, except on Home; `og:title` does not. */
  title: Text
  description: Text
  path: string
  /** The share card, 1200 by 630, as a path of this site. */
  image?: string
  imageAlt?: Text
  noindex?: boolean
  /** The feeds of the page's list, as paths of this site: Atom and JSON Feed. */
  feed?: { title: Text; atom: string; json: string }
  /** Further structured data, from a function of the site's origin, because its URLs are absolute. */
  jsonLd?: (siteUrl: string, language: Language) => JsonLd
}

interface MetaArguments {
  matches: readonly { id: string; data?: unknown }[]
}

const defaultImage = '/share/default.png'
const defaultImageAlt = msg`The ${brand} mark, two linked blocks, beside the words 'From Binance Community, For Everyone'`

/** The metadata of a page for search engines and link previews: `export const meta = pageMeta({ … })`. */
export function pageMeta(page: Page): (args: MetaArguments) => MetaDescriptor[] {
  return ({ matches }) => {
    const { siteUrl, language, locales, refused } = ofRoot(matches)
    const { i18n, href, locale } = language
    const { path, image = defaultImage } = page
    const title = i18n._(page.title)
    const description = i18n._(page.description)
    const imageAlt = i18n._(page.imageAlt ?? defaultImageAlt)
    const url = siteUrl + href(path)
    const graph = [
      path === '/' ? organization(siteUrl, language) : breadcrumbs(siteUrl, path, title, language),
    ]
    if (locales.length > 1) graph.push({ '@type': 'WebPage', url, name: title, inLanguage: locale.tag })
    if (page.jsonLd) graph.push(page.jsonLd(siteUrl, language))
    return [
      { title: path === '/' ? title : titleOf(title, refused, i18n) },
      { name: 'description', content: description },
      // A page that is not indexed has no canonical URL and no structured data.
      ...(page.noindex
        ? [{ name: 'robots', content: 'noindex' }]
        : [
            { tagName: 'link', rel: 'canonical', href: url },
            ...languageLinks(siteUrl, path, locales),
            ...graph.map((data) => ({ 'script:ld+json': { '@context': 'https://schema.org', ...data } })),
          ]),
      ...(page.feed
        ? [
            alternate('application/atom+xml', i18n._(page.feed.title), siteUrl + page.feed.atom),
            alternate('application/feed+json', i18n._(page.feed.title), siteUrl + page.feed.json),
          ]
        : []),
      { property: 'og:type', content: 'website' },
      { property: 'og:site_name', content: brand },
      ...(locales.length > 1 ? [{ property: 'og:locale', content: openGraphOf(locale) }] : []),
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

/** The page in each language, for search engines; `x-default` is English. */
function languageLinks(siteUrl: string, path: string, locales: Locale[]): MetaDescriptor[] {
  if (locales.length < 2 || !isTranslated(path)) return []
  const link = (hrefLang: string, path: string) => ({
    tagName: 'link',
    rel: 'alternate',
    hrefLang,
    href: siteUrl + path,
  })
  return [
    ...locales.map((locale) => link(locale.tag, withPrefix(locale, path))),
    link('x-default', withPrefix(english, path)),
  ]
}

/** The language of a page, from the arguments of its `meta`. */
export function languageOf(matches: MetaArguments['matches']): Language {
  return ofRoot(matches).language
}

/** The metadata of a page that search engines must not index: `export const meta = privateMeta(msg`…`)`. */
export function privateMeta(title: Text): (args: MetaArguments) => MetaDescriptor[] {
  return ({ matches }) => {
    const { refused, language } = ofRoot(matches)
    const { i18n } = language
    return [{ title: titleOf(i18n._(title), refused, i18n) }, { name: 'robots', content: 'noindex' }]
  }
}

/**
 * The metadata of a private page whose address may not exist. In that case the title is that of an unknown
 * address, although the route has its own error page.
 */
export function hiddenMeta(title: Text): (args: MetaArguments & { error?: unknown }) => MetaDescriptor[] {
  return (args) => privateMeta(isMissing(args.error) ? msg`Page not found` : title)(args)
}

function isMissing(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status === 404
}

/** What `pageMeta` needs of the root's loader. Without it (the loader failed), the page is in English. */
function ofRoot(matches: MetaArguments['matches']) {
  const root = matches.find(({ id }) => id === 'root')?.data as Partial<RootOfMeta> | undefined
  return {
    siteUrl: root?.siteUrl ?? '',
    language: root?.language ? createLanguage(root.language.code, root.language.isPrefixed) : createEnglish(),
    refused: root?.refused,
    locales: (root?.locales ?? []).map((code) => allLocales.get(code) ?? english),
  }
}

interface RootOfMeta {
  siteUrl: string
  refused: boolean
  language: { code: string; isPrefixed: boolean }
  /** The codes of the languages that the site offers. */
  locales: readonly string[]
}

function organization(siteUrl: string, { i18n, href }: Language): JsonLd {
  return {
    '@type': 'Organization',
    name: brand,
    url: siteUrl + href('/'),
    logo: `${siteUrl}/icon-512.png`,
    description: i18n._(msg`${brand} is a community charity project. It is not affiliated with Binance.`),
  }
}

/** Breadcrumbs: Home, the parent page if the navigation bar lists it, and the page itself. */
function breadcrumbs(siteUrl: string, path: string, title: string, { i18n, href }: Language): JsonLd {
  const above = navigation.filter(({ to }) => to === '/' || path.startsWith(`${to}/`))
  const trail = [...above.map(({ to, label }) => ({ path: to, name: i18n._(label) })), { path, name: title }]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: trail.map((step, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name: step.name,
      item: siteUrl + href(step.path),
    })),
  }
}
