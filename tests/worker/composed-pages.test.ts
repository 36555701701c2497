import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notices } from '../../app/entry/edge/notices.server.ts'
import { createEnglish } from '../../app/platform/locales/language.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { type Site, type SiteWithBackend, startSite, startSiteWithBackend } from '../support/site.ts'
import { sessionCookie, sessionCookies } from '../support/visitor.ts'

/**
 * Three sites with the demonstration data. `whole` has the backend that all three sites use. `composed`
 * composes its pages from the cache. `fresh` renders its pages for each visitor.
 */
let whole: SiteWithBackend
let proxy: FaultProxy
let composed: Site
let fresh: Site

beforeAll(async () => {
  whole = await startSiteWithBackend({ demo: true })
  proxy = await startFaultProxy(whole.backend.url)
  const backend = { url: proxy.url, publishableKey: whole.backend.publishableKey }
  ;[composed, fresh] = await Promise.all([
    startSite(backend, { DEMO: '1' }),
    startSite(backend, { DEMO: '1', PAGE_CACHE: 'off' }),
  ])
})

afterAll(async () => {
  await Promise.all([composed?.close(), fresh?.close()])
  await proxy?.close()
  await whole?.close()
})

const pages = [
  '/',
  '/cz-call',
  '/cz-call?before=nonsense',
  '/voting',
  '/voting/education',
  '/voting/humanitarian-relief',
  '/giveback',
  '/giveback/school-bags',
  '/transparency',
  '/transparency?type=donation',
  '/transparency?pool=education&from=2025-01-01',
  '/transparency/1',
  '/transparency/verify',
  '/transparency/api',
  '/about',
  '/risk',
  '/privacy',
  '/terms',
  '/contact',
]

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

interface Member {
  sub: string
  email: string
  aal?: string
  exp?: number
}

/** A member's session cookies. The signature is invalid, because cached pages do not verify it. */
function cookiesOf({
  sub,
  email,
  aal = 'aal1',
  exp = Math.floor(Date.now() / 1000) + 3_600,
}: Member): string {
  const session = {
    access_token: `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub, email, aal, exp })}.c2lnbmF0dXJl`,
    token_type: 'bearer',
    expires_in: 3_600,
    expires_at: exp,
    refresh_token: 'a-refresh-token',
    user: { id: sub, email },
  }
  return sessionCookies(sessionCookie, session)
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
}

/** Returns the fingerprint of a session, computed independently of app/members/auth/session.server.ts. */
function fingerprint({ sub, email, aal = 'aal1' }: Member): string {
  return createHash('sha256').update(`${sub} ${aal} ${email}`).digest().subarray(0, 9).toString('base64url')
}

const member = { sub: '5a5c4d0e-1111-4222-8333-944445555666', email: 'member@example.com' }
const expired = { ...member, exp: Math.floor(Date.now() / 1000) - 60 }
const visitors: Record<string, string> = {
  'who is signed out': '',
  'who is signed in': cookiesOf(member),
  'who is signed in, with a toast': `${cookiesOf(member)}; notice=signed-in`,
  'who is signed out, with a destructive toast': 'notice=link-expired',
  'with an unknown toast': 'notice=%3Cb%3E',
  'with an unreadable cookie': `${sessionCookie}=base64-garbage`,
  'with an expired session while the auth service is down': cookiesOf(expired),
}

const get = (site: Site, path: string, cookie = '', headers: Record<string, string> = {}) =>
  fetch(site.url + path, { headers: cookie ? { cookie, ...headers } : headers, redirect: 'manual' })

/** A page's text without what differs between the sites: the URL, the note of a due session. */
async function textOf(site: Site, response: Response): Promise<string> {
  const text = await response.text()
  return text
    .replaceAll(site.url, 'https://site.example')
    .replace(/data-session="([\w-]*) due"/, 'data-session="$1"')
}

/** Returns the first difference between two pages, with some context; null if the pages are equal. */
function firstDifference(one: string, other: string): [string, string] | null {
  if (one === other) return null
  let at = 0
  while (one[at] === other[at]) at++
  return [one.slice(at - 40, at + 40), other.slice(at - 40, at + 40)]
}

test.each(Object.keys(visitors))(
  'every public page that is composed for a visitor %s is equal to the page that is rendered for this visitor',
  async (name) => {
    const cookie = visitors[name] as string
    await Promise.all(pages.map((path) => get(composed, path)))
    proxy.only = /^\/auth\/v1\//
    proxy.fault = name.includes('down') ? '503' : 'none'
    try {
      for (const path of pages) {
        const [ours, theirs] = [await get(composed, path, cookie), await get(fresh, path, cookie)]
        expect([path, ours.status], path).toEqual([path, theirs.status])
        expect(ours.headers.get('Server-Timing'), path).toMatch(/cache/)
        expect(theirs.headers.has('Server-Timing'), path).toBe(false)
        const text = await textOf(composed, ours)
        expect(firstDifference(text, await textOf(fresh, theirs)), path).toBeNull()
        expect(text, path).not.toMatch(/slot-[0-9a-f]{8}/)
      }
    } finally {
      proxy.fault = 'none'
    }
  },
)

test('composes a 404 page below a cached route, and does not store this page', async () => {
  const response = await get(composed, '/voting/nothing', cookiesOf(member))
  const text = await response.text()
  expect([response.status, response.headers.get('Cache-Control')]).toEqual([404, 'private, no-store'])
  expect(text).toContain(`data-session="${fingerprint(member)}"`)
  expect(text).not.toMatch(/slot-[0-9a-f]{8}/)
  const other = await (await get(composed, '/voting/nothing')).text()
  expect(other).toContain('data-session=""')
  expect(other).not.toContain(fingerprint(member))
})

test('shows a toast once, and not to a prefetch', async () => {
  const cookie = `${cookiesOf(member)}; notice=signed-in`
  const ahead = await get(composed, '/about', cookie, { 'Sec-Purpose': 'prefetch;prerender' })
  expect(await ahead.text()).not.toContain('Welcome back!')
  expect(ahead.headers.getSetCookie()).toEqual([])
  const shown = await get(composed, '/about', cookie)
  expect(await shown.text()).toContain('Welcome back!')
  expect(shown.headers.getSetCookie()).toEqual([expect.stringMatching(/^notice=; Max-Age=0; Path=\/; /i)])
})

test('never calls the auth service for a cached page, and marks a session that is due for a refresh', async () => {
  await get(composed, '/about')
  const soon = { ...member, exp: Math.floor(Date.now() / 1000) + 60 }
  const before = proxy.requests.length
  const due = await (await get(composed, '/about', cookiesOf(soon))).text()
  expect(due).toContain(`data-session="${fingerprint(soon)} due"`)
  expect(proxy.requests.slice(before)).toEqual([])
})

test('ignores conditional and range headers of a request with a session', async () => {
  const etag = (await get(composed, '/about')).headers.get('ETag') as string
  const conditions: Record<string, string>[] = [
    { 'If-None-Match': etag },
    { 'If-None-Match': '*' },
    { Range: 'bytes=0-1' },
  ]
  for (const headers of conditions) {
    const response = await get(composed, '/about', cookiesOf(member), headers)
    expect([response.status, response.headers.has('ETag')]).toEqual([200, false])
  }
})

test('escapes markup in a session cookie', async () => {
  const markup = '"><script>alert(1)</script>'
  for (const evil of [
    { sub: markup, email: markup, aal: markup },
    { sub: 'slot-0-toast;', email: '' },
  ]) {
    const text = await (await get(composed, '/about', cookiesOf(evil))).text()
    expect(text).toContain(`data-session="${fingerprint(evil)}"`)
    expect(text).not.toContain('alert(1)')
  }
  const notice = await get(
    composed,
    '/about',
    `notice=${encodeURIComponent(markup)}; theme=${encodeURIComponent(markup)}`,
  )
  expect(await notice.text()).toBe(await (await get(composed, '/about')).text())
})

/** The total number of requests that the visitors send in turn. */
const visits = process.env.DEEP === '1' ? 2_000 : 300

test(`never shows one visitor's data to another visitor during ${visits} interleaved visits`, async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state % below
  }
  const keys = Object.keys(notices)
  const { i18n } = createEnglish()
  const visit = async (index: number) => {
    const who = {
      sub: `member-${random(400)}`,
      email: `${random(3)}@example.com`,
      aal: random(2) ? 'aal1' : 'aal2',
    }
    const signedIn = random(4) > 0
    const notice = random(3) === 0 ? keys[random(keys.length)] : undefined
    const path = pages[random(pages.length)] as string
    const cookie = [
      signedIn ? cookiesOf(who) : '',
      notice ? `notice=${notice}` : '',
      random(2) ? 'theme=dark' : '',
    ]
      .filter(Boolean)
      .join('; ')
    const response = await get(composed, path, cookie, random(5) === 0 ? { 'If-None-Match': '*' } : {})
    const place = `seed ${seed}, visitor ${index}, ${path}`
    if (response.status === 304) {
      expect([signedIn, notice], place).toEqual([false, undefined])
      return
    }
    const text = await response.text()
    expect(/data-session="([^"]*)"/.exec(text)?.[1], place).toBe(signedIn ? fingerprint(who) : '')
    const nav = /<nav aria-label="Main"[\s\S]*?<\/nav>/.exec(text)?.[0] as string
    expect([nav.includes('href="/dashboard"'), nav.includes('href="/auth"')], place).toEqual([
      signedIn,
      !signedIn,
    ])
    const toast = /<div role="(?:status|alert)" class="toast">[\s\S]*?<\/div><\/div>/.exec(text)?.[0]
    if (notice) expect(toast, place).toContain(i18n._(notices[notice]?.title ?? ''))
    else expect(toast, place).toBeUndefined()
    expect(response.headers.get('Cache-Control'), place).toBe(
      signedIn || notice ? 'private, no-store' : 'public, max-age=0, must-revalidate',
    )
    expect(response.headers.getSetCookie().length, place).toBe(notice ? 1 : 0)
  }
  for (let done = 0; done < visits; done += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => visit(done + index)))
})
