import { describe, expect, it } from 'vitest'
import { loader as robots } from '~/pages/routes/robots'
import { loader as sitemap } from '~/pages/routes/sitemap'
import { impactPools } from '~/platform/impact-pools'
import { english } from '~/platform/locales/locales'
import { pageMeta } from '~/platform/rendering/seo'

const siteUrl = 'https://goodblock.test'
const matches = [{ id: 'root', data: { siteUrl } }, { id: 'words/routes/about' }]

function describePage(page: Parameters<typeof pageMeta>[0]) {
  const tags = pageMeta(page)({ matches }) as Record<string, unknown>[]
  return {
    title: tags.find((tag) => 'title' in tag)?.title,
    canonical: tags.find((tag) => tag.rel === 'canonical')?.href,
    content: (name: string) => tags.find((tag) => tag.name === name || tag.property === name)?.content,
    jsonLd: tags.flatMap((tag) =>
      tag['script:ld+json'] ? [tag['script:ld+json'] as Record<string, unknown>] : [],
    ),
  }
}

async function answer(loader: typeof robots | typeof sitemap): Promise<Response> {
  return loader({ context: { config: { SITE_URL: siteUrl, LOCALES: [english] } }, params: {} } as never)
}

describe('the metadata of a public page', () => {
  const about = describePage({ title: 'About', description: 'Who we are.', path: '/about' })

  it('contains a title with the brand, a description and a canonical URL', () => {
    expect(about.title).toBe('About · Goodblock')
    expect(about.content('description')).toBe('Who we are.')
    expect(about.canonical).toBe(`${siteUrl}/about`)
    expect(about.content('og:url')).toBe(`${siteUrl}/about`)
  })

  it('contains a share card with an absolute image URL and its alternative text', () => {
    expect(about.content('og:image')).toBe(`${siteUrl}/share/default.png`)
    expect(about.content('og:image:alt')).toBeTruthy()
    expect(about.content('twitter:card')).toBe('summary_large_image')
    expect(about.content('twitter:title')).toBe('About')
  })

  it('contains breadcrumbs', () => {
    const pool = describePage({ title: 'Education', description: '', path: '/voting/education' })
    const [trail] = pool.jsonLd as { '@type': string; itemListElement: { name: string; item: string }[] }[]
    expect(trail?.['@type']).toBe('BreadcrumbList')
    expect(trail?.itemListElement.map(({ name, item }) => [name, item])).toEqual([
      ['Home', `${siteUrl}/`],
      ['Impact Pools', `${siteUrl}/voting`],
      ['Education', `${siteUrl}/voting/education`],
    ])
  })

  it('describes the organisation on Home, and adds no brand to the title of Home', () => {
    const home = describePage({ title: 'Goodblock: hello', description: '', path: '/' })
    expect(home.title).toBe('Goodblock: hello')
    expect(home.jsonLd.map((data) => data['@type'])).toEqual(['Organization'])
  })

  it('contains the structured data of the page', () => {
    const jsonLd = (origin: string) => ({ '@type': 'Dataset', url: `${origin}/transparency` })
    const page = describePage({ title: 'T', description: '', path: '/transparency', jsonLd })
    expect(page.jsonLd[1]).toMatchObject({ '@type': 'Dataset', url: `${siteUrl}/transparency` })
  })

  it('contains no canonical URL for a page that is excluded from search engines', () => {
    const page = describePage({ title: 'T', description: '', path: '/giveback/x', noindex: true })
    expect(page.content('robots')).toBe('noindex')
    expect(page.canonical).toBeUndefined()
    expect(page.jsonLd).toEqual([])
  })
})

describe('robots.txt and the sitemap', () => {
  it('list the pages, the legal pages and the pools, and no page of the preview', async () => {
    const xml = await (await answer(sitemap)).text()
    const paths = [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) =>
      address.replace(siteUrl, ''),
    )
    expect(paths.sort()).toEqual(
      [
        ...[
          '/',
          '/cz-call',
          '/voting',
          '/giveback',
          '/transparency',
          '/transparency/api',
          '/donate',
          '/transparency/months',
          '/transparency/orders',
          '/transparency/mistakes',
          '/transparency/wallets',
          '/transparency/verify',
          '/transparency/acts',
          '/about',
        ],
        ...['/tokens', '/risk', '/privacy', '/terms', '/contact'],
        ...impactPools.map(({ slug }) => `/voting/${slug}`),
      ].sort(),
    )
  })

  it('exclude private paths', async () => {
    const text = await (await answer(robots)).text()
    expect(text).toContain('Disallow: /auth\nDisallow: /dashboard\n')
    expect(text).toContain(`Sitemap: ${siteUrl}/sitemap.xml`)
  })
})
