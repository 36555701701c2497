import { readFile } from 'node:fs/promises'
import { formatter } from '@lingui/format-po'
import { afterAll, expect, test } from 'vitest'
import { allLocales, english } from '../../app/platform/locales/locales.ts'
import { startSiteWithBackend } from '../support/site.ts'
import { signUp } from '../support/temporary-backend.ts'
import { documentOf, type Page, sessionCookie, Visitor } from '../support/visitor.ts'

/** The codes of the languages that have a prefix, with the tag of each language. */
const tags = Object.fromEntries(
  [...allLocales.values()].filter((locale) => locale !== english).map(({ code, tag }) => [code, tag]),
)
const codes = Object.keys(tags)
const withCode = (code: string, path: string) => `${code && `/${code}`}${code && path === '/' ? '' : path}`

const site = await startSiteWithBackend({ variables: { PREVIEW_LOCALES: 'en-XA ar-XB' } })
const visitor = new Visitor(site.url)
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
  ['/en-XA/auth', 302, '/auth?lang=en-XA', ''],
  ['/en-XA/operator/acts?x=1', 302, '/operator/acts?x=1&lang=en-XA', ''],
  ['/en-XA/auth.data', 404, null, ''],
  ['/EN-XA/about', 404, null, 'en'],
  ['/en/about', 404, null, 'en'],
  ['/es/about', 200, null, 'es'],
  ['/zh/about', 200, null, 'zh-Hans'],
  ['/fr/about', 404, null, 'en'],
  ['//en-XA/', 404, null, 'en'],
  ['/auth?lang=en-XA', 302, '/auth', ''],
])('%s gets the status %i and the location %s', async (path, status, location, lang) => {
  const page = await new Visitor(site.url).get(path)
  expect([page.status, page.location]).toEqual([status, location])
  if (lang) expect(documentOf(page).querySelector('html')?.getAttribute('lang')).toBe(lang)
})

test.each(['/', '/about', '/voting/education', '/giveback', '/transparency/verify'])(
  'in each language, the page %s states its own URL as canonical, and links to all languages',
  async (page) => {
    const heads = await Promise.all(
      ['', ...codes].map(async (code) => {
        const path = withCode(code, page)
        const head = documentOf(await visitor.get(path)).querySelectorAll('head link')
        const links = head.map((link) => [
          link.getAttribute('rel'),
          link.getAttribute('hreflang'),
          link.getAttribute('href')?.replace(site.url, ''),
        ])
        expect(links).toContainEqual(['canonical', undefined, path])
        return links.filter(([rel, lang]) => rel === 'alternate' && lang)
      }),
    )
    const alternates = [
      ['en', page],
      ...Object.entries(tags).map(([code, tag]) => [tag, withCode(code, page)]),
      ['x-default', page],
    ]
    for (const head of heads) expect(head).toEqual(alternates.map(([tag, path]) => ['alternate', tag, path]))
  },
)

test('the sitemap lists each page in every language, with links to its other languages', async () => {
  expect((await visitor.get('/sitemap.xml')).html).toContain(
    `<loc>${site.url}/tr/about</loc><xhtml:link rel="alternate" hreflang="en" href="${site.url}/about"/>`,
  )
})

test.each(codes)(
  'other spellings of the paths below /%s lead to the page or to the 404 page',
  async (code) => {
    for (const path of ['/about', '/cz-call', '/transparency/verify']) {
      const page = withCode(code, path)
      const answers: [spelling: string, status: number, location: string | null][] = [
        [page, 200, null],
        [`${page}/`, 308, page],
        [withCode(code, path.toUpperCase()), 308, page],
        [`/${code}/${path}`, 404, null],
        [`/${code.toUpperCase()}x${path}`, 404, null],
        [`//${code}${path}`, 404, null],
        [`/${code}/en${path}`, 404, null],
        [`/${code}/${code}${path}`, 404, null],
      ]
      for (const [spelling, status, location] of answers) {
        const answer = await visitor.get(spelling)
        expect([spelling, answer.status, answer.location]).toEqual([spelling, status, location])
      }
    }
  },
)

test('only a Chinese page has the attribute that makes scripts put no space between sentences', async () => {
  for (const code of ['', ...codes]) {
    const html = documentOf(await visitor.get(withCode(code, '/about'))).querySelector('html')
    expect([code, html?.getAttribute('data-gap')]).toEqual([code, code === 'zh' ? '' : undefined])
  }
})

test('a page is composed for a signed-in member in each language, and is never shared', async () => {
  const { client } = await signUp(site.backend, 'member@example.org')
  const { data } = await client.auth.getSession()
  for (const [code, tag] of Object.entries({ '': 'en', ...tags })) {
    const member = new Visitor(site.url).carry(sessionCookie, data.session ?? {})
    const path = withCode(code, '/about')
    const [own, shared] = [await member.get(path), await visitor.get(path)]
    const words = (page: Page) => documentOf(page).querySelector('html')?.getAttribute('lang')
    expect([words(own), words(shared)]).toEqual([tag, tag])
    expect(own.headers.get('Cache-Control')).toBe('private, no-store')
    const links = (page: Page) =>
      documentOf(page)
        .querySelectorAll('nav a')
        .map((a) => a.getAttribute('href'))
    expect(links(own)).toContain(code ? `/dashboard?lang=${code}` : '/dashboard')
    expect(links(shared)).not.toContain(code ? `/dashboard?lang=${code}` : '/dashboard')
  }
})

test('a search finds a pool and an account by their names in the page language and in English', async () => {
  const catalog = await readCatalog('tr')
  for (const [name, slug] of [
    ['Treasury', 'treasury'],
    ['Education Programme', 'education'],
  ] as const)
    for (const words of [name, catalog(name), catalog(name).toLocaleUpperCase('tr')]) {
      const page = await visitor.get(`/tr/transparency?q=${encodeURIComponent(words)}`)
      expect(page.html, words).toContain(`/transparency.csv?q=${slug}`)
    }
})

/** Returns the translations of a catalog. */
async function readCatalog(code: string): Promise<(sentence: string) => string> {
  const po = await readFile(`app/platform/locales/${code}/messages.po`, 'utf8')
  const messages = await formatter().parse(po, { locale: code, sourceLocale: 'en', filename: '' })
  return (sentence) => messages[sentence]?.translation ?? ''
}

test('the language that was chosen in the menu is used on private pages, and the public pages stay shared', async () => {
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
])('the menu leads from %j to %s', async (to, location) => {
  expect((await new Visitor(site.url).post('/language', { lang: 'tr', to })).location).toBe(location)
})

test.each([
  '/tr//evil.example',
  '/tr/.//evil.example',
  '/ar///evil.example',
  '/./tr//evil.example',
  '/tr/\t/evil.example',
  '/tr/\\evil.example',
  '/tr/',
])('the menu leads from %j to the home page, not to another site', async (to) => {
  expect((await new Visitor(site.url).post('/language', { lang: 'en', to })).location).toBe('/')
  expect((await new Visitor(site.url).post('/language', { lang: 'zh', to })).location).toBe('/zh')
})

test('a cookie with an unknown language is removed', async () => {
  const page = await new Visitor(site.url).get('/auth', { Cookie: 'lang=xx' })
  expect([page.status, page.cookies.lang]).toEqual([200, null])
  expect(documentOf(page).querySelector('html')?.getAttribute('lang')).toBe('en')
})

/** The number of interleaved requests; `npm run test:deep` sends 2,000. */
const interleaved = process.env.DEEP === '1' ? 2_000 : 200

test(`${interleaved} interleaved requests never get a page in the wrong language from the cache`, async () => {
  const offered = Object.entries({ '': 'en', ...tags })
  const paths = ['/about', '/terms', '/voting', '/transparency']
  const visit = async (index: number) => {
    const [code, tag] = offered[(index * 5) % offered.length] ?? ['', '']
    const path = withCode(code, paths[(index ^ (index >> 4)) % 4] ?? '')
    const { html } = await visitor.get(path)
    expect(html.slice(0, 60), path).toContain(`lang="${tag}"`)
  }
  for (let from = 0; from < interleaved; from += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => visit(from + index)))
})
