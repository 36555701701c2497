import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SiteWithBackend, startSiteWithBackend } from '../support/site.ts'
import { documentOf, Visitor } from '../support/visitor.ts'

let site: SiteWithBackend
let visitor: Visitor
beforeAll(async () => {
  site = await startSiteWithBackend({ variables: { PREVIEW_LOCALES: 'tr en-XA ar-XB' } })
  visitor = new Visitor(site.url)
})
afterAll(() => site.close())

test.each([
  ['/en-XA', 200, null, 'en-XA'],
  ['/en-XA/', 308, '/en-XA', ''],
  ['/en-XA/about', 200, null, 'en-XA'],
  ['/en-XA/About', 308, '/en-XA/about', ''],
  ['/en-XA/about/', 308, '/en-XA/about', ''],
  ['/en-XA/donate/find?hash=z', 303, '/en-XA/donate/unknown', ''],
  ['/en-XA/nope', 404, null, 'en-XA'],
  ['/en-XA/en/about', 404, null, 'en-XA'],
  ['/en-XA/transparency.csv', 404, null, 'en-XA'],
  ['/en-XA/auth', 404, null, 'en-XA'],
  ['/EN-XA/about', 404, null, 'en'],
  ['/en/about', 404, null, 'en'],
  ['/es/about', 404, null, 'en'],
  ['//en-XA/', 404, null, 'en'],
  ['/auth?lang=en-XA', 302, '/auth', ''],
])('%s: %i %s', async (path, status, location, lang) => {
  const page = await new Visitor(site.url).get(path)
  expect([page.status, page.location]).toEqual([status, location])
  if (lang) expect(documentOf(page).querySelector('html')?.getAttribute('lang')).toBe(lang)
})

test('each language of a page names itself as canonical, and all languages name each other', async () => {
  const heads = await Promise.all(
    ['/about', '/tr/about', '/ar-XB/about'].map(async (path) => {
      const head = documentOf(await visitor.get(path)).querySelectorAll('head link')
      const links = head.map((link) => [
        link.getAttribute('rel'),
        link.getAttribute('hreflang'),
        link.getAttribute('href')?.replace(site.url, ''),
      ])
      expect(links).toContainEqual(['canonical', undefined, path])
      return links.filter(([rel]) => rel === 'alternate')
    }),
  )
  expect(heads[0]).toEqual(
    [
      ['en', '/about'],
      ['tr', '/tr/about'],
      ['en-XA', '/en-XA/about'],
      ['ar-XB', '/ar-XB/about'],
      ['x-default', '/about'],
    ].map(([tag, path]) => ['alternate', tag, path]),
  )
  expect(heads[1]).toEqual(heads[0])
  expect(heads[2]).toEqual(heads[0])
  expect((await visitor.get('/sitemap.xml')).html).toContain(
    `<loc>${site.url}/tr/about</loc><xhtml:link rel="alternate" hreflang="en" href="${site.url}/about"/>`,
  )
})

test('the choice of the menu counts on private pages, and leaves the shared page shared', async () => {
  const own = new Visitor(site.url)
  const chosen = await own.post('/language', { lang: 'ar-XB', to: '/about?x=1' })
  expect([chosen.status, chosen.location]).toEqual([303, '/ar-XB/about?x=1'])
  const auth = await own.get('/auth')
  expect(documentOf(auth).querySelector('html')?.getAttribute('dir')).toBe('rtl')
  const shared = await own.get('/about')
  expect(documentOf(shared).querySelector('html')?.getAttribute('lang')).toBe('en')
  expect(shared.headers.get('Cache-Control')).toMatch(/^public/)
  const english = await own.post('/language', { lang: 'en', to: '/ar-XB/about' })
  expect([english.location, english.cookies.lang]).toEqual(['/about', null])
})

test.each([
  ['https://evil.example/', '/tr'],
  ['//evil.example', '/tr'],
  ['', '/tr'],
  ['/auth', '/auth'],
])('the menu leads from %s to %s', async (to, location) => {
  expect((await new Visitor(site.url).post('/language', { lang: 'tr', to })).location).toBe(location)
})

test('a cookie that names no language is removed', async () => {
  const page = await new Visitor(site.url).get('/auth', { Cookie: 'lang=xx' })
  expect([page.status, page.cookies.lang]).toEqual([200, null])
  expect(documentOf(page).querySelector('html')?.getAttribute('lang')).toBe('en')
})

test('no page of a language is in the cache of another: 2,000 interleaved requests', async () => {
  const prefixes = ['', '/tr', '/en-XA', '/ar-XB']
  const tags = ['en', 'tr', 'en-XA', 'ar-XB']
  const paths = ['/about', '/terms', '/voting', '/transparency']
  const visit = async (index: number) => {
    const at = (index * 7) % 4
    const path = `${prefixes[at]}${paths[((index * 5) % 4) ^ ((index >> 4) & 3)]}`
    const { html } = await visitor.get(path)
    expect(html.slice(0, 60), path).toContain(`lang="${tags[at]}"`)
  }
  for (let from = 0; from < 2_000; from += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => visit(from + index)))
})
