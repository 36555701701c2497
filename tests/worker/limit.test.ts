import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readWorkerConfig } from '../../scripts/worker-config.ts'
import {
  limitsInEighths,
  type Site,
  type SiteWithBackend,
  startSite,
  startSiteWithBackend,
} from '../support/site.ts'
import { type StrictAuth, startStrictAuth } from '../support/strict-auth.ts'
import { documentOf, type Page, toastOf, Visitor } from '../support/visitor.ts'

let site: SiteWithBackend
/** A site whose backend hashes no passwords, for tests with hundreds of sign-ins. */
let quick: Site
let quickBackend: StrictAuth
beforeAll(async () => {
  quickBackend = await startStrictAuth()
  ;[site, quick] = await Promise.all([
    startSiteWithBackend({ limits: 'eighth' }),
    startSite(quickBackend, {}, { limits: 'eighth' }),
  ])
})
afterAll(async () => {
  await Promise.all([site.close(), quick.close()])
  await quickBackend.close()
})

// Counters are for a minute of the clock: a short test must not run across its end.
beforeEach(async () => {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 8_000) await sleep(left)
})

const ratelimits = limitsInEighths()
const limitOf = (name: string) => ratelimits.find((one) => one.name === name)?.simple.limit as number

/** Sends requests until one is limited: at most twice the limit plus one, if the window ends once. */
async function untilRefused(limit: number, ask: (attempt: number) => Promise<Page>): Promise<Page> {
  for (let attempt = 0; attempt <= 2 * limit; attempt++) {
    const page = await ask(attempt)
    if (page.status === 429) {
      expect(attempt, 'accepted requests').toBeGreaterThanOrEqual(limit)
      return page
    }
  }
  throw new Error('never limited')
}

/** The header with the client's IP address, which the platform sets and overwrites in production. */
const from = (address: string) => ({ 'CF-Connecting-IP': address })
let places = 0
const elsewhere = () => from(`198.51.${places >> 8}.${places++ & 255}`)

function expectRefused(page: Page): void {
  expect(page.status).toBe(429)
  expect(page.headers.get('Retry-After')).toBe('60')
  expect(page.headers.get('Cache-Control')).toMatch(/no-store/)
  expect(toastOf(page)).toBe('Error Request rate limit reached')
  expect(page.html).toContain('Too many tries. Please wait a minute and try again.')
}

const wrong = (email: string) => ({ intent: 'sign-in', email, password: 'a wrong password' })

test('the limits use windows of at most a minute', () => {
  expect(ratelimits.length).toBeGreaterThan(0)
  for (const { simple } of ratelimits) expect(simple.period).toBeLessThanOrEqual(60)
  expect(new Set(ratelimits.map(({ namespace_id }) => namespace_id)).size).toBe(ratelimits.length)
})

test("limits how often many IP addresses can try to sign in to one account, and keeps the form's values except the password", async () => {
  const email = 'guessed@example.com'
  const page = await untilRefused(limitOf('LIMIT_ACCOUNT'), (attempt) =>
    // An email address in lower case and in upper case counts as the same account.
    new Visitor(site.url).post(
      '/auth',
      wrong(attempt % 2 ? email : ` ${email.toUpperCase()}`.trim()),
      elsewhere(),
    ),
  )
  expectRefused(page)
  expect(page.html.toLowerCase()).toContain(`value="${email}"`)
  expect(page.html).not.toContain('a wrong password')
  const data = await new Visitor(site.url).post('/auth.data', wrong(email), elsewhere())
  expect([data.status, data.headers.get('Retry-After')]).toEqual([429, '60'])

  const other = await new Visitor(site.url).post('/auth', wrong('another@example.com'), elsewhere())
  expect(toastOf(other), 'another account is not limited').toBe('Error Invalid login credentials')
  const mail = await new Visitor(site.url).post('/auth/code', { intent: 'ask', email }, elsewhere())
  expect(mail.location, 'the limited member can sign in by email').toBe('/auth/code?step=mail')
})

test('limits sign-ins from one IP address, but not sign-ins from other addresses', async () => {
  const attacker = from('203.0.113.7')
  const page = await untilRefused(limitOf('LIMIT_ADDRESS'), (attempt) =>
    new Visitor(quick.url).post('/auth', wrong(`many-${attempt}@example.com`), attacker),
  )
  expectRefused(page)
  const form = await new Visitor(quick.url).get('/auth', attacker)
  expect(form.status, 'reading is not limited').toBe(200)
  const other = await new Visitor(quick.url).post('/auth', wrong('many-0@example.com'), from('203.0.113.8'))
  expect(toastOf(other)).toBe('Error Invalid login credentials')
})

test('counts an IPv6 /64 as one client', async () => {
  const page = await untilRefused(limitOf('LIMIT_ADDRESS'), (attempt) =>
    new Visitor(quick.url).post(
      '/auth',
      wrong(`six-${attempt}@example.com`),
      from(`2001:db8:1:2::${attempt.toString(16)}`),
    ),
  )
  expectRefused(page)
  const neighbour = await new Visitor(quick.url).post(
    '/auth',
    wrong('six@example.com'),
    from('2001:db8:1:3::1'),
  )
  expect(neighbour.status).toBe(400)
})

test('limits emails per recipient, whichever page sends them', async () => {
  const email = 'mailed@example.com'
  expect(readWorkerConfig().ratelimits.find(({ name }) => name === 'LIMIT_MAIL')?.simple.limit).toBe(2)
  const page = await untilRefused(limitOf('LIMIT_MAIL'), (attempt) =>
    new Visitor(site.url).post(
      attempt % 2 ? '/auth/forgot' : '/auth/code',
      { intent: 'ask', email },
      elsewhere(),
    ),
  )
  expectRefused(page)
  expect(page.html).toContain(`value="${email}"`)
  const fields = { intent: 'sign-up', email, password: 'a password', username: 'Ada' }
  expectRefused(await new Visitor(site.url).post('/auth', fields, elsewhere()))
  const other = { ...fields, email: 'not-mailed@example.com' }
  expect((await new Visitor(site.url).post('/auth', other, elsewhere())).location).toBe('/dashboard')
})

test('limits wallet sign-ins before their message is read', async () => {
  const place = from('203.0.113.30')
  const form = { message: 'not a message of this site', signature: `0x${'ab'.repeat(65)}` }
  const page = await untilRefused(limitOf('LIMIT_ADDRESS'), () =>
    new Visitor(quick.url).post('/auth/wallet', form, place),
  )
  expect(page.html).toContain('Request rate limit reached')
})

test('limits manual proofs of a wallet, and keeps the message and the signature', async () => {
  const path = '/dashboard/wallets/by-hand'
  const visitor = new Visitor(site.url)
  const fields = { intent: 'sign-up', email: 'by-hand@example.com', password: 'a password', username: 'Ada' }
  expect((await visitor.post('/auth', fields, elsewhere())).location).toBe('/dashboard')
  const address = `0x${'1'.repeat(40)}`
  const shown = documentOf(await visitor.get(`${path}?address=${address}`))
  const member = shown.querySelector('input[name=member]')?.getAttribute('value') ?? ''
  const form = { member, address, message: 'not a message of this site', signature: `0x${'ab'.repeat(65)}` }
  const page = await untilRefused(limitOf('LIMIT_ACCOUNT'), () => visitor.post(path, form, elsewhere()))
  expect(page.html).toContain('Request rate limit reached')
  expect(documentOf(page).querySelector('textarea')?.text.trim()).toBe(form.message)
  expect(documentOf(page).querySelector('input[name=signature]')?.getAttribute('value')).toBe(form.signature)
})

test('limits guesses at a mailed code', async () => {
  const visitor = new Visitor(site.url)
  await visitor.post('/auth/code', { intent: 'ask', email: 'coded@example.com' }, elsewhere())
  const page = await untilRefused(limitOf('LIMIT_CODE'), (attempt) =>
    visitor.post('/auth/code?step=mail', { intent: 'enter', code: `${100_000 + attempt}` }, elsewhere()),
  )
  expectRefused(page)
})

test('limits session polls and policy reports', async () => {
  const polled = from('203.0.113.20')
  const ask = () => new Visitor(site.url).get('/auth/session', polled)
  const session = await untilRefused(limitOf('LIMIT_SESSION'), ask)
  expect([session.html, session.headers.get('Retry-After')]).toEqual(['{}', '60'])
  const body = JSON.stringify({ 'csp-report': { 'effective-directive': 'img-src', 'blocked-uri': 'inline' } })
  const headers = { ...from('203.0.113.21'), 'Content-Type': 'application/csp-report' }
  const report = () => new Visitor(site.url).send('/csp-report', { method: 'POST', body, headers })
  expect((await untilRefused(limitOf('LIMIT_ADDRESS'), report)).html).toBe('')
})

test('limits requests for payment confirmations', async () => {
  const place = from('203.0.113.40')
  const path = (attempt: number) => `/donate/0x${attempt.toString(16).padStart(64, '0')}`
  const page = await untilRefused(limitOf('LIMIT_ADDRESS'), (attempt) =>
    new Visitor(quick.url).get(path(attempt), place),
  )
  expect(page.headers.get('Cache-Control')).toMatch(/no-store/)
})

test('limits changes of a picture per member, from any IP address', async () => {
  const visitor = new Visitor(site.url)
  const account = {
    intent: 'sign-up',
    email: 'painter@example.com',
    password: 'correct horse',
    username: 'Painter',
  }
  expect((await visitor.post('/auth', account, elsewhere())).status).toBe(303)
  const { html } = await visitor.get('/dashboard?edit=profile')
  const member = /name="member" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const remove = () => visitor.post('/dashboard/picture', { intent: 'remove-picture', member }, elsewhere())
  const reached = () => site.log.some((line) => line.includes('limit.reached') && line.includes('"picture"'))
  let accepted = 0
  while (!reached() && accepted <= 2 * limitOf('LIMIT_CODE')) {
    expect((await remove()).status).toBe(303)
    accepted++
  }
  expect(reached()).toBe(true)
  expect(accepted).toBeGreaterThan(limitOf('LIMIT_CODE'))
  expect(toastOf(await visitor.get('/dashboard?edit=profile'))).toMatch(/^Error|Validation/)
})

test('limits downloads with a query per IP address, and does not count an unchanged download again', async () => {
  const visitor = new Visitor(site.url)
  const headers = elsewhere()
  const query = (attempt: number) => `?party=0x${attempt.toString(16).padStart(40, '0')}`
  const limited = await untilRefused(limitOf('LIMIT_ADDRESS'), (attempt) =>
    visitor.get(`/transparency.csv${query(attempt)}`, headers),
  )
  expect(limited.headers.get('Retry-After')).toBe('60')
  expect(limited.headers.get('Cache-Control')).toBe('no-store')
  expect(limited.html).toContain('Too many downloads')
  const others = ['.json', '.ndjson', '.atom', '/feed.json'].map((path) => `/transparency${path}${query(1)}`)
  for (const path of [...others, '/transparency/log.ndjson?from=5', '/cz-call.atom?x'])
    expect([path, (await visitor.get(path, headers)).status]).toEqual([path, 429])
  for (const path of ['/transparency.csv', '/transparency/log.ndjson', '/transparency/log/anchors.ndjson'])
    expect([path, (await visitor.get(path, headers)).status]).toEqual([path, 200])

  const again = { ...elsewhere(), 'If-None-Match': '' }
  again['If-None-Match'] = (await visitor.get('/transparency.csv?type=tax', again)).headers.get('ETag') ?? ''
  for (let attempt = 0; attempt <= limitOf('LIMIT_ADDRESS'); attempt++)
    expect((await visitor.get('/transparency.csv?type=tax', again)).status).toBe(304)
})

test('logs which limit was reached, without the account or IP address', async () => {
  const reached = [...site.log, ...quick.log]
    .filter((line) => line.includes('limit.reached'))
    .map((line) => JSON.parse(line))
  expect(new Set(reached.map(({ what, by }) => `${what} ${by}`))).toEqual(
    new Set([
      'sign-in account',
      'sign-in address',
      'mail account',
      'wallet address',
      'wallet account',
      'code account',
      'session address',
      'report address',
      'search address',
      'picture account',
    ]),
  )
  for (const line of [...site.log, ...quick.log])
    expect(line).not.toMatch(/@example|203\.0\.113|198\.51|2001:db8/)
})

test('limits searches per IP address, but not requests for the plain page or a filtered page', async () => {
  const visitor = new Visitor(quick.url)
  const headers = elsewhere()
  const refused = await untilRefused(limitOf('LIMIT_ADDRESS'), (attempt) =>
    visitor.get(`/transparency?q=0x${attempt.toString(16).padStart(64, '0')}`, headers),
  )
  expect(refused.headers.get('Retry-After')).toBe('60')
  expect(refused.headers.get('Cache-Control')).toMatch(/no-store/)
  expect(refused.html).toContain('Too many searches')
  expect((await visitor.get('/transparency', headers)).status).toBe(200)
  expect((await visitor.get('/transparency?type=tax', elsewhere())).status).toBe(200)
})

test('redirects any other spelling of a public page URL to that page', async () => {
  const visitor = new Visitor(quick.url)
  for (const path of [
    '/Transparency',
    '/transparency/',
    '/transparency//',
    '/%74ransparency',
    '/TRANSPARENCY//',
  ]) {
    const { status, location } = await visitor.get(`${path}?before=a`, elsewhere())
    expect([path, status, location]).toEqual([path, 308, '/transparency?before=a'])
  }
  expect((await visitor.get('/About/', elsewhere())).location).toBe('/about')
  expect((await visitor.get('/VOTING/education/', elsewhere())).location).toBe('/voting/education')
})

test.each([
  ['with a query that is too long', (attempt: number) => `/transparency?q=${'x'.repeat(420)}${attempt}`],
  ['as data', (attempt: number) => `/transparency.data?before=${attempt}`],
])('limits requests for a public page %s, because such a page is rendered each time', async (_, pathOf) => {
  const visitor = new Visitor(quick.url)
  const headers = elsewhere()
  const refused = await untilRefused(limitOf('LIMIT_ADDRESS'), (attempt) =>
    visitor.get(pathOf(attempt), headers),
  )
  expect(refused.html).toContain('Too many searches')
})

test('limits requests for public pages that do not exist, but not requests for pages that exist', async () => {
  const visitor = new Visitor(quick.url)
  const headers = elsewhere()
  const refused = await untilRefused(limitOf('LIMIT_SESSION'), (attempt) =>
    visitor.get(`/giveback/${attempt + 1_000}`, headers),
  )
  expect(refused.html).toContain('Please wait a minute and try again.')
  expect((await visitor.get('/giveback', headers)).status).toBe(200)
})
