import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from '../support/site.ts'

/** No page in these tests needs the backend. */
const noBackend = { url: 'http://127.0.0.1:9', publishableKey: 'sb_publishable_test' }
let site: Site
/** A site that has no email address for reports. */
let silent: Site
let deployed: Site
beforeAll(async () => {
  ;[site, silent, deployed] = await Promise.all([
    startSite(noBackend, { CONTACT_EMAIL: 'security@goodblock.example' }),
    startSite(noBackend),
    startSite(noBackend, { SITE_URL: 'https://goodblock.example', CONTACT_EMAIL: 'hello@goodblock.example' }),
  ])
})
afterAll(() => Promise.all([site?.close(), silent?.close(), deployed?.close()]))

test('security.txt follows RFC 9116', async () => {
  const response = await fetch(`${site.url}/.well-known/security.txt`)
  expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
  const fields = (await response.text()).trim().split('\n')
  expect(fields).toEqual([
    'Contact: mailto:security@goodblock.example',
    `Contact: ${site.url}/contact`,
    expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT00:00:00Z$/),
    'Preferred-Languages: en',
    `Canonical: ${site.url}/.well-known/security.txt`,
  ])
  const left = Date.parse(fields[2]?.slice('Expires: '.length) as string) - Date.now()
  expect(left / 86_400_000).toBeGreaterThan(90)
  expect(left / 86_400_000).toBeLessThan(366)
  expect(await (await fetch(`${silent.url}/.well-known/security.txt`)).text()).not.toContain('mailto:')
})

/** Returns the directives in the policy of a page. */
function policyOf({ headers }: Response): Record<string, string> {
  const directives = (headers.get('Content-Security-Policy') ?? '').split('; ')
  return Object.fromEntries(directives.map((one) => [one.split(' ', 1)[0], one.slice(one.indexOf(' ') + 1)]))
}

const everywhere = {
  'default-src': "'none'",
  'style-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
  'report-uri': '/csp-report',
  'report-to': 'csp',
}

test('public pages allow only scripts of this site; hydrated pages also allow inline scripts with a fresh nonce', async () => {
  for (const path of ['/', '/about', '/voting/education', '/unknown', '/robots.txt'])
    expect(policyOf(await fetch(site.url + path)), path).toMatchObject({
      ...everywhere,
      'script-src': "'self'",
    })
  const nonces = new Set<string>()
  for (const path of ['/auth', '/auth', '/auth/forgot', '/auth/code']) {
    const response = await fetch(site.url + path)
    const policy = policyOf(response)
    expect(policy, path).toMatchObject(everywhere)
    const nonce = /^'self' 'nonce-([\w+/=]{40,})'$/.exec(policy['script-src'] ?? '')?.[1] as string
    nonces.add(nonce)
    const inline = [...(await response.text()).matchAll(/<script\b[^>]*>/g)].filter(
      ([tag]) => !/ src=/.test(tag),
    )
    expect(inline.length).toBeGreaterThan(0)
    for (const [tag] of inline) expect(tag).toContain(`nonce="${nonce}"`)
  }
  expect(nonces.size).toBe(4)
})

test('every site may frame a pool of /embed, which has no script, no cookie and no address, and no other page', async () => {
  const signedIn = { headers: { Cookie: 'sb-127-auth-token=x; toast=x' } }
  for (const [path, lang] of [
    ['/embed/education', 'en'],
    ['/ar/embed/education', 'ar'],
  ] as const) {
    const response = await fetch(site.url + path, signedIn)
    const policy = policyOf(response)
    expect([response.status, policy['frame-ancestors'], policy['script-src']], path).toEqual([
      200,
      '*',
      undefined,
    ])
    expect(policy['default-src'], path).toBe("'none'")
    expect(response.headers.get('Cross-Origin-Resource-Policy'), path).toBe('cross-origin')
    expect(response.headers.getSetCookie(), path).toEqual([])
    const text = await response.text()
    expect(text, path).toBe(await (await fetch(site.url + path)).text())
    expect(text, path).toContain(`lang="${lang}"`)
    expect(text, path).not.toMatch(/<script|0x[0-9a-f]{4}/i)
    const links = [...text.matchAll(/<a [^>]*>/g)].map(([tag]) => tag)
    expect(links.length, path).toBe(2)
    for (const link of links) expect(link, path).toMatch(/href="http.* target="_blank" rel="noopener"/)
  }
  expect((await fetch(`${site.url}/embed/unknown`)).status).toBe(404)
  for (const path of ['/', '/voting/education', '/donate', '/auth', '/llms.txt'])
    expect(policyOf(await fetch(site.url + path))['frame-ancestors'], path).toBe("'none'")
})

test('every response has the security headers', async () => {
  for (const path of ['/', '/auth', '/auth/session', '/unknown', '/healthz', '/csp-report']) {
    const { headers } = await fetch(site.url + path)
    expect(headers.get('X-Content-Type-Options'), path).toBe('nosniff')
    expect(headers.get('Referrer-Policy'), path).toBe('strict-origin-when-cross-origin')
    expect(headers.get('Cross-Origin-Opener-Policy'), path).toBe('same-origin')
    expect(headers.get('Cross-Origin-Resource-Policy'), path).toBe('same-origin')
    expect(headers.get('Permissions-Policy'), path).toMatch(/camera=\(\).*payment=\(\)/)
    expect(headers.get('Reporting-Endpoints'), path).toBe('csp="/csp-report"')
    expect(headers.has('Strict-Transport-Security'), path).toBe(false)
  }
  const moved = await fetch(`${deployed.url}/about`, { redirect: 'manual' })
  expect([moved.status, moved.headers.get('Location')]).toEqual([308, 'https://goodblock.example/about'])
  expect(moved.headers.get('Strict-Transport-Security')).toBe('max-age=63072000; includeSubDomains')
})

const report = (body: string, type = 'application/csp-report') =>
  fetch(`${site.url}/csp-report`, { method: 'POST', body, headers: { 'Content-Type': type } })
const violations = () =>
  site.log.filter((line) => line.includes('csp.violation')).map((line) => JSON.parse(line).violations)

test('logs the directive and the blocked origin of a policy report, and nothing about the visitor', async () => {
  const old = {
    'document-uri': `${site.url}/dashboard?token=secret-1`,
    referrer: 'https://secret-2.example/',
    'effective-directive': 'img-src',
    'violated-directive': 'img-src',
    'blocked-uri': 'https://tracker.example/pixel?member=secret-3',
    'script-sample': 'secret-4',
  }
  expect((await report(JSON.stringify({ 'csp-report': old }))).status).toBe(204)
  await expect.poll(violations).toEqual([['img-src https://tracker.example']])
  const news = [
    'inline',
    'data:text/html,secret-5',
    'chrome-extension://secret6/x.js',
    'nonsense secret-7',
  ].map((blockedURL) => ({
    type: 'csp-violation',
    url: `${site.url}/?secret-8`,
    user_agent: 'secret-9',
    body: { effectiveDirective: 'script-src-elem', blockedURL, sample: 'secret-0' },
  }))
  expect((await report(JSON.stringify([...news, ...news]), 'application/reports+json')).status).toBe(204)
  const found = ['inline', 'data:', 'chrome-extension:', 'unknown'].map(
    (blocked) => `script-src-elem ${blocked}`,
  )
  await expect.poll(violations).toEqual([['img-src https://tracker.example'], found])
  expect(site.log.join('\n')).not.toContain('secret')
})

test('refuses a malformed report without logging a violation', async () => {
  const before = violations().length
  const valid = { 'effective-directive': 'img-src', 'blocked-uri': 'inline' }
  for (const [body, type, status] of [
    ['{', 'application/csp-report', 400],
    ['', 'application/csp-report', 400],
    ['null', 'application/csp-report', 204],
    ['[[[]]]', 'application/reports+json', 204],
    ['{"csp-report":{"effective-directive":["a"],"blocked-uri":{}}}', 'application/csp-report', 204],
    [JSON.stringify({ 'csp-report': valid }), 'application/json', 415],
    [JSON.stringify({ 'csp-report': valid }), 'text/plain', 415],
    [
      JSON.stringify({ 'csp-report': { ...valid, 'script-sample': 'x'.repeat(8_192) } }),
      'application/csp-report',
      413,
    ],
  ] as const)
    expect((await report(body, type)).status, body.slice(0, 60)).toBe(status)
  expect((await fetch(`${site.url}/csp-report`)).status).toBe(405)
  expect(violations()).toHaveLength(before)
})

test('works without the rate limit bindings, and logs their absence once', async () => {
  await report('{}')
  await report('{}')
  const absent = () => site.log.filter((line) => line.includes('limit.absent'))
  await expect.poll(absent).toHaveLength(1)
})
