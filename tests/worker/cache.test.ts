import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { type Site, type SiteWithBackend, startSite, startSiteWithBackend } from '../support/site.ts'

let whole: SiteWithBackend
let proxy: FaultProxy
/** A site with a fault proxy in front of its backend. One real second is a minute on the site's clock. */
let site: Site

beforeAll(async () => {
  whole = await startSiteWithBackend()
  proxy = await startFaultProxy(whole.backend.url)
  const clock = { CLOCK_RATE: '60', CLOCK_START: `${Date.now()}` }
  site = await startSite({ url: proxy.url, publishableKey: whole.backend.publishableKey }, clock)
})

afterAll(async () => {
  await site?.close()
  await proxy?.close()
  await whole?.close()
})

/** Requests `path` without following redirects. */
const get = (path: string, headers: Record<string, string> = {}, base = whole) =>
  fetch(base.url + path, { headers, redirect: 'manual' })
/** `hit`, `stale` or `miss`; undefined if the response does not come from the cache. */
const how = (response: Response) => response.headers.get('Server-Timing')?.match(/desc=(\w+)/)?.[1]
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Returns the response to a request target that fetch would not send. */
function ask(target: string, headers: Record<string, string> = {}): Promise<{ head: string; body: string }> {
  const { host, hostname, port } = new URL(whole.url)
  const lines = Object.entries({ Host: host, Connection: 'close', ...headers }).map((pair) => pair.join(': '))
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
    )
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (part) => {
      text += part
    })
    socket.on('error', reject)
    socket.on('end', () => {
      const [head = '', ...body] = text.split('\r\n\r\n')
      resolve({ head, body: body.join('\r\n\r\n') })
    })
  })
}

async function signUp(base: Site, email: string): Promise<string> {
  const body = new URLSearchParams({
    intent: 'sign-up',
    email,
    password: 'secret-word',
    username: 'A member',
  })
  const response = await fetch(`${base.url}/auth`, { method: 'POST', body, redirect: 'manual' })
  return response.headers
    .getSetCookie()
    .filter((cookie) => !cookie.includes('Max-Age=0'))
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

test('renders a public page once, then serves it from the cache with the headers of RFC 9111', async () => {
  const first = await get('/about')
  const second = await get('/about')
  expect([how(first), how(second)]).toEqual(['miss', 'hit'])
  expect(await second.text()).toBe(await first.text())
  expect(second.headers.get('ETag')).toBe(first.headers.get('ETag'))
  expect(second.headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate')
  expect(second.headers.get('Age')).toMatch(/^\d+$/)
  expect(second.headers.get('Vary')).toBe('Cookie')
  const head = await fetch(`${whole.url}/about`, { method: 'HEAD' })
  expect([head.status, how(head), await head.text()]).toEqual([200, 'hit', ''])
})

test('responds with 304 to a matching If-None-Match', async () => {
  const etag = (await get('/terms')).headers.get('ETag') as string
  for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const response = await get('/terms', { 'If-None-Match': condition })
    expect([response.status, await response.text(), response.headers.get('ETag')], condition).toEqual([
      304,
      '',
      etag,
    ])
  }
  expect((await get('/terms', { 'If-None-Match': '"other"' })).status).toBe(200)
})

test('renders a page once for ten concurrent requests', async () => {
  const before = proxy.requests.length
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => get('/voting', {}, site as SiteWithBackend)),
  )
  expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(proxy.requests.slice(before).filter((request) => request.includes('pool_totals'))).toHaveLength(1)
})

test('ignores query parameters that the route does not declare', async () => {
  await get('/transparency?type=donation')
  const evil = await get(
    '/transparency?utm=%3Cscript%3Ealert(1)%3C/script%3E&type=donation&type=tax&_data=root',
  )
  expect(how(evil)).toBe('hit')
  const html = await evil.text()
  expect(html).not.toContain('alert(1)')
  expect(html).toBe(await (await get('/transparency?type=donation')).text())
})

test('stores no request header', async () => {
  const marker = 'poison-7f3a'
  for (const name of [
    'X-Forwarded-Host',
    'X-Forwarded-For',
    'X-Original-URL',
    'Accept-Language',
    'User-Agent',
    'Cookie',
    'Referer',
  ])
    await get('/privacy', { [name]: name === 'Cookie' ? `theme=${marker}` : `${marker}.example` })
  const response = await get('/privacy')
  expect(how(response)).toBe('hit')
  expect((await response.text()) + JSON.stringify([...response.headers])).not.toContain(marker)
})

test('a response from the cache has the same headers as the first response, except the request id', async () => {
  await get('/about')
  const made = await get('/about?utm=1') // The page is stored under a URL without this parameter.
  const one = await get('/about')
  expect([how(made), how(one)]).toEqual(['hit', 'hit'])
  const names = (response: Response) => [...response.headers.keys()].sort()
  expect(made.headers.get('X-Request-Id')).toMatch(/^[\w-]{16,}$/)
  expect(names(one)).toEqual(names(made).filter((name) => name !== 'x-request-id'))
  for (const name of names(one).filter((name) => !['age', 'date'].includes(name)))
    expect(one.headers.get(name), name).toBe(made.headers.get(name))
  // A 304 from the cache in memory does not change the response to the next visitor.
  const etag = one.headers.get('ETag') as string
  expect((await get('/about', { 'If-None-Match': etag })).status).toBe(304)
  expect((await get('/about')).status).toBe(200)
})

test('for every kind of request, composes the page for a member, and does not store the page', async () => {
  const cookie = await signUp(whole, 'memory@example.com')
  const session = cookie.split('; ').filter((pair) => pair.startsWith('sb-'))
  await get('/about')
  const ways: Record<string, string>[] = [
    { cookie: session.join('; ') },
    { cookie: `theme=dark; ${session.join('; ')}` },
    { cookie: session.join('; '), 'If-None-Match': '*', 'Cache-Control': 'only-if-cached' },
    { cookie: session.join('; '), 'Sec-Purpose': 'prefetch', Range: 'bytes=0-10' },
  ]
  for (const headers of ways) {
    const mine = await get('/about', headers)
    expect([mine.status, how(mine), mine.headers.get('Cache-Control'), mine.headers.get('ETag')]).toEqual([
      200,
      'hit',
      'private, no-store',
      null,
    ])
    expect(await mine.text()).toMatch(/<nav aria-label="Main"[\s\S]*?href="\/dashboard"/)
    const head = await fetch(`${whole.url}/about`, { method: 'HEAD', headers: headers })
    expect([await head.text(), head.headers.get('Cache-Control')]).toEqual(['', 'private, no-store'])
    expect(await (await get('/about')).text()).not.toMatch(/<nav aria-label="Main"[\s\S]*?href="\/dashboard"/)
  }
})

test('neither stores nor serves a page under a different host name', async () => {
  const text = await (await get('/terms')).text()
  const { host } = new URL(whole.url)
  for (const [target, name] of [
    ['/terms', 'evil.example'],
    ['/terms', '127.0.0.1.evil.example'],
    ['http://evil.example/terms', 'evil.example'],
    ['http://evil.example/terms', host],
    [`http://${host}@evil.example/terms`, host],
  ] as const) {
    const { head, body } = await ask(target, { Host: name })
    const place = `${target} ${name}`
    // Another host is redirected or rejected; a runtime that reads only Host serves the site's page.
    if (name === host && head.startsWith('HTTP/1.1 200')) expect(body, place).toBe(text)
    else expect(head, place).toMatch(/^HTTP\/1\.1 (308|4\d\d)/)
    expect(head, place).not.toMatch(/Location:.*evil/i)
    expect(body, place).not.toContain('evil.example')
  }
  // This is the absolute form of the site's own URL.
  const own = await ask(`${whole.url}/terms`)
  expect(own.head).toMatch(/^HTTP\/1\.1 200[\s\S]*desc=hit/)
  const after = await get('/terms')
  expect([how(after), await after.text()]).toEqual(['hit', text])
})

test('neither stores nor shows undeclared parts of a URL', async () => {
  const clean = await (await get('/transparency?type=donation')).text()
  for (const query of [
    '?type=donation&type=tax',
    '?type=donation&%74ype=tax',
    '?utm=poison-51c2&type=donation',
    '?type=donation&__proto__=poison-51c2',
    '?type=donation#poison-51c2',
    '?type=donation&_routes=root&index=poison-51c2',
  ]) {
    const poisoned = await ask(`/transparency${query}`)
    expect(poisoned.body, query).not.toContain('poison-51c2')
    expect(await (await get('/transparency?type=donation')).text(), query).toBe(clean)
  }
  expect(await (await get('/transparency')).text()).not.toContain('poison-51c2')
})

test("never shows a member's page or toast to another visitor", async () => {
  const cookie = await signUp(whole, 'cached@example.com')
  expect(cookie).toContain('sb-')
  const paths = [
    '/',
    '/cz-call',
    '/voting',
    '/giveback',
    '/transparency',
    '/about',
    '/risk',
    '/contact',
    '/dashboard',
  ]
  for (const path of paths) {
    const mine = await get(path, { cookie, 'If-None-Match': '*' })
    expect([path, mine.status, mine.headers.get('Cache-Control')]).toEqual([path, 200, 'private, no-store'])
    expect(await mine.text(), path).toContain('href="/dashboard"')
    const theirs = await get(path)
    expect(theirs.headers.getSetCookie(), path).toEqual([])
    expect(await theirs.text(), path).not.toMatch(/cached@example\.com|href="\/dashboard" class="button/)
  }
  // Only a request with the cookie of a toast gets a page with the toast, and this page is not stored.
  const notice = await get('/about', { cookie: 'notice=signed-in' })
  expect(await notice.text()).toContain('Welcome back!')
  expect(notice.headers.get('Cache-Control')).toBe('private, no-store')
  expect(await (await get('/about')).text()).not.toContain('Welcome back!')
})

test('treats a visitor with an unreadable session cookie as signed out, and sends no-store', async () => {
  const response = await get('/risk', { cookie: 'sb-127-auth-token=base64-garbage' })
  expect(response.headers.get('Cache-Control')).toBe('private, no-store')
  expect(await response.text()).toBe(await (await get('/risk')).text())
  expect((await get('/risk')).headers.getSetCookie()).toEqual([])
})

test('shows a new ledger row within a minute, without a purge', async () => {
  const path = '/transparency'
  const shown = async () => (await get(path, {}, site as SiteWithBackend)).text()
  expect(await shown()).toContain('No transactions yet')
  await whole.backend.sql(
    `insert into public.transactions (occurred_at, account, type, direction, amount_usd, rate_usd, rate_source, from_address,
      to_address, tx_hash, chain_id, ordinal) values (now(), 'treasury', 'tax', 'in', 12.34, 1, 'a test',
      '0x${'1'.repeat(40)}', '0x${'2'.repeat(40)}', '0x${'3'.repeat(64)}', 56, -1)`,
  )
  await whole.backend.sql(
    `select public.record_checks(jsonb_build_array(jsonb_build_object('transaction_id', id, 'status', 'verified',
      'block_number', 1, 'block_hash', tx_hash, 'confirmations', 20))) from public.transactions`,
  )
  await wait(1_000)
  await expect.poll(shown).toContain('$12.34')
})

test('serves the last good page while the backend is down, and never stores a page without its figures', async () => {
  const fetchPage = (path: string) => get(path, {}, site as SiteWithBackend)
  expect(await (await fetchPage('/')).text()).toContain('$12.34')
  proxy.fault = 'off'
  await wait(1_500)
  const stale = await fetchPage('/')
  expect([stale.status, how(stale)]).toEqual([200, 'stale'])
  expect(Number(stale.headers.get('Age'))).toBeGreaterThan(60)
  expect(await stale.text()).toContain('$12.34')
  const never = await fetchPage('/cz-call')
  expect([never.status, never.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
  proxy.fault = 'none'
  // First reads after an outage are short, and a page fresh for a second soon is old on a busy machine.
  await expect.poll(async () => (await fetchPage('/cz-call')).text()).toContain('No CZ calls yet')
  await expect.poll(async () => how(await fetchPage('/cz-call'))).toBe('hit')
})

test('serves the shared page to a visitor with only a PKCE verifier cookie', async () => {
  await get('/contact')
  const response = await get('/contact', { cookie: 'sb-127-auth-token-code-verifier=base64-InZlcmlmaWVyIg' })
  expect([how(response), response.headers.get('Cache-Control')]).toEqual([
    'hit',
    'public, max-age=0, must-revalidate',
  ])
})

test('serves no part of a page under a path that only looks like a file (cache deception)', async () => {
  const cookie = await signUp(whole, 'deceived@example.com')
  for (const path of [
    '/dashboard/x.css',
    '/dashboard%2fx.css',
    '/dashboard.css',
    '/about/x.css',
    '/about%2f..%2fdashboard',
    '/dashboard;x=.css',
    '/dashboard/..%2fabout',
  ]) {
    const mine = await get(path, { cookie })
    expect(mine.headers.get('Cache-Control'), path).toMatch(/no-store/)
    expect(how(mine), path).not.toBe('hit')
    expect(await (await get(path)).text(), path).not.toContain('deceived@example.com')
  }
})

test('logs one line for the cached pages that are served within a second, and a line for every other request', async () => {
  // An old page would be rendered again, which writes another line.
  await expect.poll(async () => how(await get('/about'))).toBe('hit')
  const before = whole.log.length
  for (let count = 0; count < 20; count++) await get('/about')
  await wait(1_100)
  await get('/unknown')
  const lines = () => whole.log.slice(before).map((line) => JSON.parse(line))
  const counted = () => lines().filter(({ event }) => event === 'request.hits')
  // The line for a second is printed at the first request after that second.
  await expect
    .poll(async () => {
      await get('/robots.txt')
      return counted().reduce((sum, { hits }) => sum + hits, 0)
    })
    .toBeGreaterThanOrEqual(20)
  expect(counted().at(-1)).toMatchObject({
    statuses: { 200: expect.any(Number) },
    slowestMs: expect.any(Number),
  })
  expect(lines().filter(({ event, path }) => event === 'request' && path === '/about')).toEqual([])
  expect(lines().filter(({ event, path }) => event === 'request' && path === '/unknown')).toHaveLength(1)
})

test('does not cache other routes, missing pages or long queries', async () => {
  for (const path of [
    '/auth',
    '/unknown',
    '/voting/nothing',
    '/auth/session',
    '/about.data',
    `/transparency?before=${'x'.repeat(500)}`,
  ]) {
    await get(path)
    const response = await get(path)
    expect(how(response), path).not.toBe('hit')
    expect(response.headers.get('Cache-Control'), path).toMatch(/no-store/)
  }
})
