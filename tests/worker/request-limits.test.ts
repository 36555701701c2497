import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { startSiteWithBackend } from '../support/site.ts'

const site = await startSiteWithBackend()
afterAll(() => site.close())

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  html: string
}

/** Sends what fetch does not allow: any method or header, a chunked body without a length. */
function ask(
  method: string,
  path: string,
  headers: OutgoingHttpHeaders = {},
  body: (string | Buffer)[] = [],
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(site.url + path, { method, headers, agent: false }, (answer) => {
      let html = ''
      answer.setEncoding('utf8')
      answer.on('data', (part) => {
        html += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, html }))
    })
    // A client that gets 413 while it sends the body may find the connection closed.
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') reject(error)
    })
    for (const piece of body) outgoing.write(piece)
    outgoing.end()
  })
}

/** Expects an error page in the site's design, and a log line with its request id and the status. */
async function expectPage({ status, headers, html }: Answer, expected: number): Promise<void> {
  expect(status).toBe(expected)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(html).toMatch(/<h1 class="text-title">[^<]+<\/h1>/)
  expect(html).toMatch(/<link rel="stylesheet" href="\/assets\/[^"]+\.css">/)
  expect(html).toContain(`Reference: <code>${headers['x-request-id']}</code>`)
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['cache-control']).toMatch(/no-store/)
  const line = () =>
    site.log.findLast(
      (text) => text.includes('"event":"request"') && text.includes(`${headers['x-request-id']}`),
    )
  await expect.poll(line).toContain(`"status":${expected}`)
}

const origin = () => ({ Origin: site.url })
const form = 'application/x-www-form-urlencoded'
const bound = 256 * 1024

test.each([
  ['PUT', '/', 'GET, HEAD'],
  ['DELETE', '/about', 'GET, HEAD'],
  ['PATCH', '/voting/education', 'GET, HEAD'],
  ['OPTIONS', '/', 'GET, HEAD'],
  ['PROPFIND', '/', 'GET, HEAD'],
  ['TRACE', '/', 'GET, HEAD'],
  ['POST', '/', 'GET, HEAD'],
  ['POST', '/transparency', 'GET, HEAD'],
  ['POST', '/_root.data', 'GET, HEAD'],
  ['POST', '/about.data', 'GET, HEAD'],
  ['POST', '/auth/session', 'GET, HEAD'],
  ['POST', '/robots.txt', 'GET, HEAD'],
  ['POST', '/unknown', 'GET, HEAD'],
  ['PUT', '/auth', 'GET, HEAD, POST'],
  ['DELETE', '/dashboard', 'GET, HEAD, POST'],
  ['GET', '/auth/implicit', 'POST'],
  ['GET', '/dashboard/draft', 'POST'],
  ['GET', '/csp-report', 'POST'],
])('%s %s gets 405 with an Allow header', async (method, path, allow) => {
  const answer = await ask(method, path, { ...origin(), 'Content-Type': form })
  await expectPage(answer, 405)
  expect(answer.headers.allow).toBe(allow)
})

test.each([
  'application/json',
  'text/plain',
  'application/xml',
  'application/csp-report',
  'image/png',
  'nonsense',
])('a body of %s gets 415', async (type) => {
  await expectPage(await ask('POST', '/auth', { ...origin(), 'Content-Type': type }, ['intent=sign-in']), 415)
})

test('responds with 400 to a POST without a body', async () => {
  const answer = await ask('POST', '/auth', origin())
  expect([answer.status, answer.html.includes('That didn&#x27;t work')]).toEqual([400, true])
})

test('responds with 415 to a body without a type and to a compressed body', async () => {
  const answer = await ask('POST', '/auth', origin(), ['intent=sign-in'])
  await expectPage(answer, 415)
  expect(answer.headers['accept-post']).toBe('application/x-www-form-urlencoded, multipart/form-data')
  const packed = { ...origin(), 'Content-Type': form, 'Content-Encoding': 'gzip' }
  await expectPage(await ask('POST', '/auth', packed, ['intent=sign-in']), 415)
})

test('accepts the media types of forms in any spelling', async () => {
  for (const type of [
    form,
    `${form};charset=UTF-8`,
    'APPLICATION/X-WWW-Form-urlencoded',
    `${form} ; charset=utf-8`,
  ]) {
    const answer = await ask('POST', '/auth', { ...origin(), 'Content-Type': type }, [
      'intent=sign-in&email=unknown',
    ])
    expect([answer.status, answer.html.includes('Invalid email address')], type).toEqual([400, true])
  }
  const parts = '--x\r\nContent-Disposition: form-data; name="intent"\r\n\r\nsign-in\r\n--x--\r\n'
  const multipart = { ...origin(), 'Content-Type': 'multipart/form-data; boundary=x' }
  expect((await ask('POST', '/auth', multipart, [parts])).html).toContain('Invalid email address')
})

test('responds with 413 to a body over the limit, with or without a declared length', async () => {
  const headers = { ...origin(), 'Content-Type': form }
  const filled = (length: number) =>
    `intent=sign-in&email=${'a'.repeat(length - 'intent=sign-in&email='.length)}`
  const declared = (length: number) =>
    ask('POST', '/auth', { ...headers, 'Content-Length': length }, [filled(length)])
  expect((await declared(bound)).status).toBe(400)
  await expectPage(await declared(bound + 1), 413)
  const chunked = (length: number) =>
    ask('POST', '/auth', headers, filled(length).match(/.{1,9999}/g) as string[])
  expect((await chunked(bound)).status).toBe(400)
  await expectPage(await chunked(bound + 1), 413)
  await expectPage(await chunked(bound * 8), 413)
  // A forged request is rejected before the worker reads its body.
  const forged = { 'Content-Type': form, Origin: 'https://evil.example' }
  await expectPage(await ask('POST', '/auth', forged, [filled(bound + 1)]), 403)
})

test('responds with 414 to a URL over the limit', async () => {
  expect((await ask('GET', `/about?${'a'.repeat(8_000)}`)).status).toBe(200)
  await expectPage(await ask('GET', `/${'a'.repeat(9_000)}`), 414)
  expect((await ask('GET', `/${'a'.repeat(8_000)}`)).status).toBe(404)
  expect(Math.max(...site.log.map((line) => line.length)), 'the longest log line').toBeLessThan(1_000)
  await expectPage(await ask('GET', `/about?${'a'.repeat(9_000)}`), 414)
  await expectPage(await ask('GET', `/auth?code=${'a'.repeat(9_000)}`), 414)
  await expectPage(
    await ask('POST', `/auth?${'a'.repeat(9_000)}`, { ...origin(), 'Content-Type': form }),
    414,
  )
})

test('never responds with 500 to garbage in headers and URLs', async () => {
  const headers: OutgoingHttpHeaders[] = [
    { Cookie: '%E0%A4%A; =; ;;; sb-127-auth-token; notice=%00' },
    { Cookie: `sb-127-auth-token=base64-${'A'.repeat(6_000)}` },
    { Cookie: 'sb-127-auth-token=base64-eyJhY2Nlc3NfdG9rZW4iOjF9' },
    { Accept: 'nonsense;;;q=9', 'Accept-Language': '\xff\xfe', 'Accept-Encoding': ';;' },
    { 'If-None-Match': '"', 'If-Modified-Since': 'yesterday', Range: 'bytes=9-1' },
    { 'Content-Length': '0', 'X-Forwarded-Host': '<script>', Forwarded: 'host="' },
    { 'CF-Connecting-IP': '::::::', 'Sec-Fetch-Dest': '\t', 'Sec-Purpose': 'x' },
    { Origin: '\xff', Referer: 'javascript:alert(1)' },
  ]
  const paths = [
    '/',
    '/auth',
    '/dashboard',
    '/voting/%00',
    '/%E0%A4%A',
    '/%ff',
    '//evil.example',
    '/\\evil',
    '/a%2f..%2fb',
  ]
  for (const path of paths)
    for (const one of headers) {
      const { status } = await ask('GET', path, one)
      expect([200, 303, 308, 404], `${path} ${JSON.stringify(one)}: ${status}`).toContain(status)
    }
  expect(site.log.filter((line) => !line.startsWith('{"level":"'))).toEqual([])
})

test("accepts the platform's request id only if the id has the expected format", async () => {
  const idFor = async (ray: string) =>
    (await ask('GET', '/unknown', { 'CF-Ray': ray })).headers['x-request-id']
  expect(await idFor('9a1b2c3d4e5f6071-FRA')).toBe('9a1b2c3d4e5f6071-FRA')
  for (const forged of [
    '',
    '9a1b2c3d4e5f6071-FRA"}',
    'x'.repeat(5_000),
    '{"level":"error"}',
    '9A1B2C3D4E5F6071-fra',
  ])
    expect(await idFor(forged), forged).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
})

test('shows the request id of the response on every error page', async () => {
  for (const [method, path, headers, body] of [
    ['GET', '/unknown', {}, []],
    ['GET', '/voting/nothing', {}, []],
    ['POST', '/dashboard/account', { Origin: 'https://evil.example', 'Content-Type': form }, ['intent=none']],
    ['POST', '/auth', { 'Content-Type': 'multipart/form-data' }, ['no boundary']],
  ] as const) {
    const { status, headers: answered, html } = await ask(method, path, headers, [...body])
    expect(status, path).toBeGreaterThanOrEqual(400)
    expect(html, path).toContain(`Reference: <code>${answered['x-request-id']}</code>`)
  }
})

test('writes short log lines, whatever a visitor sends', async () => {
  const long = '\u00e9'.repeat(20_000)
  const before = site.log.length
  const upgrade = {
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    Origin: `https://${'x'.repeat(20_000)}.example`,
  }
  const report = (directive: string) =>
    JSON.stringify({
      'csp-report': { 'effective-directive': directive, 'blocked-uri': `https://${directive}` },
    })
  const asks: Parameters<typeof ask>[] = [
    ['POST', '/auth', { Origin: long, 'Sec-Fetch-Site': long }],
    ['GET', `/${'%C3%A9'.repeat(1_000)}`],
    ['GET', `/${'a'.repeat(30_000)}`, { 'User-Agent': long, Accept: long, 'CF-Ray': long }],
    ['M'.repeat(2_000), '/'],
    ['GET', '/live', upgrade],
    ['GET', `/auth/confirm?type=${'t'.repeat(3_000)}&token_hash=${'h'.repeat(3_000)}`],
    ['GET', `/?error=${'e'.repeat(3_000)}&error_code=${'c'.repeat(3_000)}`],
    ['POST', '/csp-report', { 'Content-Type': 'application/csp-report' }, [report('d'.repeat(3_000))]],
    [
      'POST',
      '/auth/wallet',
      { ...origin(), 'Content-Type': form },
      [`message=${'m'.repeat(50_000)}&signature=0x`],
    ],
    ['POST', '/auth', { ...origin(), 'Content-Type': form }, [`intent=${'i'.repeat(50_000)}`]],
    ['GET', `/pictures/avatars/${'p'.repeat(5_000)}/x.webp`],
    ['GET', `/transparency?q=${'q'.repeat(7_000)}`],
    ['GET', '/dashboard', { Cookie: `sb-auth-token=base64-${'c'.repeat(3_000)}` }],
  ]
  // The platform itself rejects some of these requests before they reach the worker.
  for (const one of asks) await ask(...one).catch(() => null)
  await expect.poll(() => site.log.slice(before).some((line) => line.includes('request.forged'))).toBe(true)
  const lines = site.log.slice(before)
  for (const event of ['request.forged', 'not-found', 'live.refused'])
    expect(
      lines.some((line) => line.includes(`"${event}"`)),
      event,
    ).toBe(true)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(8_000)
  for (const line of lines.filter((text) => text.startsWith('{')))
    expect(() => JSON.parse(line)).not.toThrow()
})
