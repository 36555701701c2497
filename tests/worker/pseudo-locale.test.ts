/**
 * Opens every page, in each of its states, in a pseudo-locale, which adds an accent to letters. A text
 * without accents is in no catalog. Names, numbers, hashes and the texts of people are unchanged.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notices } from '../../app/edge/notices.server.ts'
import { demoMember } from '../../supabase/embedded/demo.ts'
import { forms } from '../properties/surface.ts'
import { addOperator } from '../support/operators.ts'
import { rawTextsOf } from '../support/raw-words.ts'
import { type Site, type SiteWithBackend, startSite, startSiteWithBackend } from '../support/site.ts'
import { clientOf } from '../support/temporary-backend.ts'
import { type Page, sessionCookie, Visitor } from '../support/visitor.ts'

const code = 'en-XA'
const previews = { PREVIEW_LOCALES: code }

/** Three sites: with rows, without rows, and with a backend that does not respond. */
let demo: SiteWithBackend
let empty: SiteWithBackend
let down: Site

beforeAll(async () => {
  ;[demo, empty, down] = await Promise.all([
    startSiteWithBackend({ demo: true, mail: true, variables: previews }),
    startSiteWithBackend({ variables: previews }),
    startSite({ url: 'http://127.0.0.1:9', publishableKey: 'sb_publishable_none' }, previews),
  ])
}, 120_000)
afterAll(() => Promise.all([demo, empty, down].map((site) => site?.close())))

const publicPages = [
  '/',
  '/cz-call',
  '/voting',
  '/voting/education',
  '/giveback',
  '/giveback/school-bags',
  '/donate',
  '/donate?to=treasury',
  '/donate?to=treasury&token=BNB&amount=10',
  '/donate?to=treasury&token=BNB&amount=x',
  '/donate/unknown',
  `/donate/0x${'1'.repeat(64)}`,
  '/follow',
  '/follow/confirm?token=x',
  '/follow/leave?token=x',
  '/transparency',
  '/transparency?q=nothing&from=x&type=x#history',
  '/transparency/months',
  '/transparency/wallets',
  '/transparency/acts',
  '/transparency/verify',
  '/transparency/api',
  '/transparency/1',
  '/transparency/0',
  '/about',
  '/risk',
  '/privacy',
  '/terms',
  '/contact',
  '/nothing',
].map((path) => `/${code}${path === '/' ? '' : path}`)

const signedOut = [
  '/auth',
  '/auth?mode=sign-up',
  '/auth?redirectTo=%2Foperator',
  '/auth/forgot',
  '/auth/code',
  '/auth/code?step=mail',
  '/auth/confirm?token_hash=x&type=email',
  '/auth/confirm?token_hash=x&type=recovery',
  '/auth/confirm?type=x',
  '/auth/new-password',
]

/** On the page of the API, the list of the values of a filter: 'donation, gift, … tax (Trading tax)'. */
const valuesOfFilter = /^[a-z-]+(?: \(.*?\))?, [a-z-]+/

/**
 * The kind of a path. Paths that differ only in an id have the same kind, so that a walk visits two of them.
 */
function kindOf(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://site.example')
  const names = [...searchParams].map(([name, value]) => (name === 'edit' ? `${name}=${value}` : name))
  return `${pathname.replace(/0x[0-9a-f]+|[0-9a-f-]{36}|\d+/g, '1')}?${names.sort().join('&')}`
}

/**
 * Visits pages, and at most `most` pages of each kind to which they link. Returns the raw texts keyed by the
 * path of their page.
 */
async function walk(visitor: Visitor, starts: string[], most: number): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  const visits = new Map<string, number>()
  const seen = new Set<string>()
  let next = starts
  const add = (path: string) => {
    const kind = kindOf(path)
    if (seen.has(path) || (!starts.includes(path) && (visits.get(kind) ?? 0) >= most)) return []
    seen.add(path)
    visits.set(kind, (visits.get(kind) ?? 0) + 1)
    return [path]
  }
  while (next.length > 0) {
    const paths = next.flatMap(add)
    const pages: Page[] = []
    // Requests only a few pages at a time, because a page that waits too long for the backend says that its
    // data is unavailable.
    for (let at = 0; at < paths.length; at += 6)
      pages.push(...(await Promise.all(paths.slice(at, at + 6).map((path) => visitor.get(path)))))
    next = []
    for (const [at, { html, headers }] of pages.entries()) {
      if (!headers.get('Content-Type')?.startsWith('text/html')) continue
      const texts = rawTextsOf(html).filter((text) => !valuesOfFilter.test(text))
      if (texts.length > 0) found[paths[at] ?? ''] = texts
      for (const [, path = ''] of html.matchAll(/<a [^>]*href="(\/[^"#]*)/g))
        if (isPage(path)) next.push(path.replaceAll('&amp;', '&'))
    }
  }
  expect(seen.size).toBeGreaterThanOrEqual(starts.length)
  return found
}

const isPage = (path: string) =>
  (path.startsWith(`/${code}`) || /^\/(auth|dashboard|operator)\b/.test(path)) &&
  !/\/(data|sign-out)\b/.test(path)

function visitorOf(site: Site, session: object | null = null): Visitor {
  const visitor = new Visitor(site.url)
  visitor.jar.set('lang', code)
  return session ? visitor.carry(sessionCookie, session) : visitor
}

test('public pages with rows have no raw text', async () => {
  expect(await walk(visitorOf(demo), [...publicPages, ...signedOut], 2)).toEqual({})
})

test('pages without rows, and pages of a backend that does not respond, have no raw text', async () => {
  expect(await walk(visitorOf(empty), [...publicPages, ...signedOut], 0)).toEqual({})
  expect(await walk(visitorOf(down), [...publicPages, ...signedOut], 0)).toEqual({})
})

test('pages of a member and of an operator have no raw text', async () => {
  const { email, password } = demoMember
  const { data } = await clientOf(demo.backend).auth.signInWithPassword({ email, password })
  const member = visitorOf(demo, data.session ?? {})
  const operator = async (site: SiteWithBackend) => {
    const { client } = await addOperator(site.backend, 'ada')
    return visitorOf(site, (await client.auth.getSession()).data.session ?? {})
  }
  expect(await walk(member, ['/dashboard', '/dashboard?edit=profile'], 2)).toEqual({})
  expect(await walk(await operator(demo), ['/operator', '/dashboard/account/factor'], 2)).toEqual({})
  expect(await walk(await operator(empty), ['/operator', '/dashboard', '/dashboard/follows'], 2)).toEqual({})
})

test('no form with empty fields shows a raw text', async () => {
  const visitor = visitorOf(empty)
  const { client } = await addOperator(empty.backend, 'ben')
  visitor.carry(sessionCookie, (await client.auth.getSession()).data.session ?? {})
  const found: Record<string, string[]> = {}
  for (const { action, intent, kept, dropped, members, operators } of Object.values(forms).flat()) {
    const fields = Object.fromEntries([...kept, ...dropped].map((name) => [name, '']))
    const who = members || operators ? visitor : visitorOf(empty)
    const page = await who.post(/^\/(donate|follow|giveback)/.test(action) ? `/${code}${action}` : action, {
      ...fields,
      ...(intent && { intent }),
    })
    const texts = page.headers.get('Content-Type')?.startsWith('text/html') ? rawTextsOf(page.html) : []
    if (texts.length > 0) found[`${action} ${intent}`] = texts
  }
  expect(found).toEqual({})
})

test('no toast has a raw text', async () => {
  const pages = await Promise.all(
    Object.keys(notices).map((key) =>
      new Visitor(demo.url).get(`/${code}/about`, { Cookie: `notice=${key}`, 'Sec-Fetch-Dest': 'document' }),
    ),
  )
  expect(pages.every(({ html }) => html.includes('class="toast'))).toBe(true)
  expect([...new Set(pages.flatMap(({ html }) => rawTextsOf(html)))]).toEqual([])
})
