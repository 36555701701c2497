/**
 * Opens every page, in each of its states, in a pseudo-locale, which adds an accent to letters. A text
 * without accents is in no catalog. Names, numbers, hashes and the texts of people are unchanged.
 * Opens the pages in Arabic too, and finds hashes, links and similar texts whose characters would change places
 * in right-to-left text, and forms that a browser without JavaScript could not send.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notices } from '../../app/entry/edge/notices.server.ts'
import { demoMember } from '../../supabase/embedded/demo.ts'
import { forms } from '../properties/surface.ts'
import { addOperator } from '../support/operators.ts'
import { disorderIn } from '../support/order.ts'
import { brokenFormsIn } from '../support/plain-forms.ts'
import { rawTextsOf } from '../support/raw-words.ts'
import { type Site, type SiteWithBackend, startSite, startSiteWithBackend } from '../support/site.ts'
import { clientOf } from '../support/temporary-backend.ts'
import { sessionCookie, Visitor } from '../support/visitor.ts'
import { pagesOfEachKind, publicPagesIn, signedOutPages, walkFrom } from '../support/walk.ts'

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

const publicPages = publicPagesIn(code)

/** On the API page, the list of a filter's values: 'donation, gift, … tax (Trading tax)'. */
const valuesOfFilter = /^[a-z-]+(?: \(.*?\))?, [a-z-]+/

/** Visits pages (support/walk.ts). Returns the raw texts of each page, keyed by its path. */
function walk(visitor: Visitor, starts: string[], most: number): Promise<Record<string, string[]>> {
  return walkFrom(visitor, starts, most, (html) =>
    rawTextsOf(html).filter((text) => !valuesOfFilter.test(text)),
  )
}

function walkInArabic(starts: string[], session: object | null = null) {
  return walkFrom(visitorOf(demo, session, 'ar'), starts, pagesOfEachKind, (html) => [
    ...disorderIn(html),
    ...brokenFormsIn(html),
  ])
}

function visitorOf(site: Site, session: object | null = null, lang = code): Visitor {
  const visitor = new Visitor(site.url)
  visitor.jar.set('lang', lang)
  return session ? visitor.carry(sessionCookie, session) : visitor
}

test('public pages that show ledger rows have no untranslated text', async () => {
  expect(await walk(visitorOf(demo), [...publicPages, ...signedOutPages], pagesOfEachKind)).toEqual({})
})

test('pages without rows, and pages of a backend that does not respond, have no untranslated text', async () => {
  expect(await walk(visitorOf(empty), [...publicPages, ...signedOutPages], 0)).toEqual({})
  expect(await walk(visitorOf(down), [...publicPages, ...signedOutPages], 0)).toEqual({})
})

test('pages for members and for operators have no untranslated text', async () => {
  const { email, password } = demoMember
  const { data } = await clientOf(demo.backend).auth.signInWithPassword({ email, password })
  const member = visitorOf(demo, data.session ?? {})
  const operator = async (site: SiteWithBackend) => {
    const { client } = await addOperator(site.backend, 'ada')
    return visitorOf(site, (await client.auth.getSession()).data.session ?? {})
  }
  expect(await walk(member, ['/dashboard', '/dashboard?edit=profile'], pagesOfEachKind)).toEqual({})
  expect(
    await walk(await operator(demo), ['/operator', '/dashboard/account/factor'], pagesOfEachKind),
  ).toEqual({})
  expect(
    await walk(await operator(empty), ['/operator', '/dashboard', '/dashboard/follows'], pagesOfEachKind),
  ).toEqual({})
})

test('in Arabic, pages keep the order of the characters in hashes, addresses, paths and dates, and their forms need no script', async () => {
  expect(await walkInArabic([...publicPagesIn('ar'), ...signedOutPages])).toEqual({})
  const { email, password } = demoMember
  const { data } = await clientOf(demo.backend).auth.signInWithPassword({ email, password })
  expect(await walkInArabic(['/dashboard', '/dashboard?edit=profile'], data.session ?? {})).toEqual({})
  const { client } = await addOperator(demo.backend, 'eve')
  expect(await walkInArabic(['/operator'], (await client.auth.getSession()).data.session ?? {})).toEqual({})
})

test('no form with empty fields shows untranslated text', async () => {
  const visitor = visitorOf(empty)
  const { client } = await addOperator(empty.backend, 'ben')
  visitor.carry(sessionCookie, (await client.auth.getSession()).data.session ?? {})
  const found: Record<string, string[]> = {}
  for (const { action, intent, kept, dropped, members, operators } of Object.values(forms).flat()) {
    const fields = Object.fromEntries([...kept, ...dropped].map((name) => [name, '']))
    const who = members || operators ? visitor : visitorOf(empty)
    const page = await who.post(
      /^\/(arrived|donate|follow|giveback|transparency)/.test(action) ? `/${code}${action}` : action,
      { ...fields, ...(intent && { intent }) },
    )
    const texts = page.headers.get('Content-Type')?.startsWith('text/html') ? rawTextsOf(page.html) : []
    if (texts.length > 0) found[`${action} ${intent}`] = texts
  }
  expect(found).toEqual({})
})

test('no toast has untranslated text', async () => {
  const pages = await Promise.all(
    Object.keys(notices).map((key) =>
      new Visitor(demo.url).get(`/${code}/about`, { Cookie: `notice=${key}`, 'Sec-Fetch-Dest': 'document' }),
    ),
  )
  expect(pages.every(({ html }) => html.includes('class="toast'))).toBe(true)
  expect([...new Set(pages.flatMap(({ html }) => rawTextsOf(html)))]).toEqual([])
})
