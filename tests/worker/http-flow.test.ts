import { request as httpRequest } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { siteHost, startSiteWithBackend } from '../support/site.ts'
import { isSignedIn, type Page, sessionCookie, toastOf, Visitor } from '../support/visitor.ts'

const site = await startSiteWithBackend()
afterAll(() => site.close())

let members = 0
function newMember() {
  members++
  return {
    email: `flow-${members}@example.com`,
    password: `a secret of member ${members}`,
    username: `Flow ${members}`,
  }
}

async function signUp(visitor: Visitor, member = newMember()) {
  const page = await visitor.post('/auth?mode=sign-up', { intent: 'sign-up', ...member })
  expect(page.location).toBe('/dashboard')
  return member
}

/** Expects the headers that every uncached response must have. */
function expectGuarded({ headers }: Page): void {
  const policy = headers.get('Content-Security-Policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin')
  expect(headers.get('Cache-Control')).toMatch(/no-store/)
  expect(headers.get('X-Request-Id')).toBeTruthy()
}

/** Expects an error page in the site's design, without internal details. */
function expectDesigned(page: Page, status: number): void {
  expect(page.status).toBe(status)
  expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  expect(page.html).toMatch(/<h1[^>]*>[^<]+<\/h1>/)
  expect(page.html).not.toMatch(/Unexpected Server Error|Application Error|\n\s+at \w+|node_modules/)
  expectGuarded(page)
}

test('a member signs up, edits the profile, signs out and signs in again over plain HTTP', async () => {
  const visitor = new Visitor(site.url)
  const member = newMember()
  const guarded = await visitor.get('/dashboard')
  expect(guarded.status).toBe(303)
  expect(guarded.location).toBe('/auth?redirectTo=%2Fdashboard')
  expectGuarded(guarded)

  const short = await visitor.post('/auth?mode=sign-up', { intent: 'sign-up', ...member, password: '12345' })
  expect(short.status).toBe(400)
  expect(toastOf(short)).toBe('Validation Error Password must be at least 6 characters')
  expect(short.html).toContain(`value="${member.email}"`)
  expect(short.html).not.toContain('12345')
  const again = 'Type the password again.'
  expect(short.html, 'the message of the field says it').not.toContain(again)
  const anonymous = await visitor.post('/auth?mode=sign-up', { intent: 'sign-up', ...member, username: 'x' })
  expect(anonymous.html).toContain(again)
  expect(anonymous.html).toMatch(/<input[^>]*name="password"[^>]*aria-describedby="password-note /)

  const signedUp = await visitor.post('/auth?mode=sign-up', { intent: 'sign-up', ...member })
  expect(signedUp.status).toBe(303)
  expect(signedUp.location).toBe('/dashboard')
  expectGuarded(signedUp)
  expect(Object.keys(signedUp.cookies)).toContain('notice')
  const dashboard = await visitor.get('/dashboard')
  expect(dashboard.status).toBe(200)
  expect(toastOf(dashboard)).toBe('Account created! You have successfully signed up.')
  expect(isSignedIn(dashboard)).toBe(true)
  expect(dashboard.html).toContain(member.email)
  expect(dashboard.html).toContain('You haven&#x27;t created any FundMe pools yet.')
  expectGuarded(dashboard)
  expect(toastOf(await visitor.get('/dashboard')), 'once').toBeNull()
  expect((await visitor.get('/auth')).location).toBe('/dashboard')

  const form = await visitor.get('/dashboard?edit=profile')
  const id = /name="member" value="([^"]+)"/.exec(form.html)?.[1] as string
  const edit = (fields: object) =>
    visitor.post('/dashboard?edit=profile', {
      intent: 'update-profile',
      member: id,
      walletAddress: '',
      ...fields,
    } as never)
  const refused = await edit({ username: 'xy', walletAddress: '0x12' })
  expect(refused.status).toBe(400)
  expect(toastOf(refused)).toBe('Validation Error Username must be at least 3 characters')
  expect(refused.html).toContain('value="xy"')
  expect(refused.html).toContain('value="0x12"')
  const saved = await edit({ username: 'Änne <b>' })
  expect(saved.status).toBe(303)
  expect(saved.location).toBe('/dashboard')
  const after = await visitor.get('/dashboard')
  expect(toastOf(after)).toBe('Success Profile updated successfully')
  expect(after.html).toContain('Änne &lt;b&gt;')

  const signedOut = await visitor.post('/auth/sign-out', {})
  expect(signedOut.status).toBe(303)
  expect(signedOut.location).toBe('/')
  expect(signedOut.cookies[sessionCookie]).toBeNull()
  expectGuarded(signedOut)
  expect([...visitor.jar.keys()]).toEqual(['notice'])
  const home = await visitor.get('/')
  expect(isSignedIn(home)).toBe(false)
  expect(toastOf(home)).toBe('Signed out You are signed out on this device.')
  expect(visitor.jar.size).toBe(0)
  expect((await visitor.get('/dashboard')).status).toBe(303)

  const wrong = await visitor.post('/auth', {
    intent: 'sign-in',
    email: member.email,
    password: 'not this one',
  })
  expect(wrong.status).toBe(400)
  expect(toastOf(wrong)).toBe('Error Invalid login credentials')
  expect(wrong.html).not.toContain('not this one')
  expect(wrong.html).toContain(again)
  const back = await visitor.post('/auth?redirectTo=%2Fdashboard%3Fedit%3Dprofile', {
    intent: 'sign-in',
    email: member.email,
    password: member.password,
  })
  expect(back.status).toBe(303)
  expect(back.location).toBe('/dashboard?edit=profile')
  const welcome = await visitor.get(back.location as string)
  expect(toastOf(welcome)).toBe('Welcome back! You have successfully signed in.')
  expect(welcome.html).toContain('value="Änne &lt;b&gt;"')
})

const forged: Record<string, string>[] = [
  { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' },
  { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'null', 'Sec-Fetch-Site': 'same-site' },
  { Origin: 'null' },
  { Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' },
  { Origin: '', 'Sec-Fetch-Site': 'cross-site' },
  { Origin: '', 'Sec-Fetch-Site': 'same-site' },
  { Origin: '', 'Sec-Fetch-Site': 'none' },
]
for (const headers of forged)
  test(`refuses a form with ${JSON.stringify(headers)} on every page`, async () => {
    const visitor = new Visitor(site.url)
    await signUp(visitor)
    const sent: Record<string, string> = { ...headers, 'X-Forwarded-Host': 'evil.example' }
    // An empty string means that the Origin header is absent, as in a browser that sends only Sec-Fetch-Site.
    const { Origin, ...rest } = sent
    for (const path of [
      '/auth',
      '/auth.data',
      '/auth/sign-out',
      '/auth/implicit',
      '/auth/continue',
      '/dashboard?edit=profile',
      '/dashboard.data',
      '/dashboard/draft',
      '/unknown',
    ]) {
      const page = await visitor.send(path, {
        method: 'POST',
        body: new URLSearchParams({ intent: 'update-profile' }),
        headers: Origin ? { ...rest, Origin } : rest,
      })
      expectDesigned(page, 403)
      expect(page.headers.getSetCookie(), path).toEqual([])
    }
    expect((await visitor.get('/dashboard')).status).toBe(200)
  })

// Referrer-Policy 'no-referrer' and privacy extensions make browsers send 'Origin: null' for the site's own forms:
// https://github.com/better-auth/better-auth/pull/10944, https://github.com/qbittorrent/qBittorrent/issues/21106,
// https://github.com/pleaseai/shunt/pull/471, https://github.com/mrmps/classifier-dev/pull/35
test("accepts a form with 'Origin: null' if the browser states that this site's page sent it", async () => {
  const visitor = new Visitor(site.url)
  const page = await visitor.send('/auth', {
    method: 'POST',
    body: new URLSearchParams({ intent: 'sign-in', email: 'x', password: 'x' }),
    headers: { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' },
  })
  expect([page.status, toastOf(page)]).toEqual([400, 'Validation Error Invalid email address'])
})

// https://github.com/ulsklyc/yuvomi/issues/608
test('a password with an accent signs in whichever form the keyboard gives', async () => {
  const visitor = new Visitor(site.url)
  const email = `accent-${Date.now()}@example.org`
  await visitor.post('/auth', { intent: 'sign-up', email, password: 'Pa\u0308sswort 1', username: 'Änne' })
  for (const password of ['P\u00e4sswort 1', 'Pa\u0308sswort 1']) {
    const page = await new Visitor(site.url).post('/auth', { intent: 'sign-in', email, password })
    expect([page.status, page.location]).toEqual([303, '/dashboard'])
  }
})

/** Another name of this machine. */
const otherHost = siteHost === 'localhost' ? '127.0.0.1' : 'localhost'

test('refuses origins that only look like this site', async () => {
  const { host } = new URL(site.url)
  for (const Origin of [
    `${site.url}.evil.example`,
    `${site.url}/`,
    `https://${host}`,
    `http://evil.example@${host}`,
    `http://evil.example#${host}`,
    `${site.url}, https://evil.example`,
    site.url.replace(siteHost, otherHost),
    'null',
    'file://',
  ])
    for (const [method, path] of [
      ['POST', '/auth'],
      ['POST', '/auth/wallet'],
      ['POST', '/auth/wallet.data'],
      ['PUT', '/dashboard'],
      ['DELETE', '/dashboard'],
    ] as const)
      expectDesigned(await new Visitor(site.url).send(path, { method, headers: { Origin } }), 403)
})

test('serves a client that sends neither Origin nor Sec-Fetch-Site', async () => {
  const visitor = new Visitor(site.url)
  const member = await signUp(visitor)
  const fresh = new Visitor(site.url)
  const { email, password } = member
  const body = new URLSearchParams({ intent: 'sign-in', email, password })
  expect((await fresh.send('/auth', { method: 'POST', body })).location).toBe('/dashboard')
})

/** Sends a request with a Host header that fetch would not send. */
function askAs(host: string, path: string, method = 'GET'): Promise<{ status?: number; location?: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(site.url + path, { method, headers: { Host: host } }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? '' })
    })
    outgoing.on('error', reject).end()
  })
}

test('redirects a request for a different host name to the site, with only its path and query', async () => {
  const port = new URL(site.url).port
  for (const host of [`${otherHost}:${port}`, 'evil.example', 'evil.example:80'])
    for (const path of ['/', '/voting?page=2', '/dashboard']) {
      expect(await askAs(host, path), host).toEqual({ status: 308, location: site.url + path })
      expect(await askAs(host, path, 'HEAD'), host).toEqual({ status: 308, location: site.url + path })
    }
})

const bodies: [string, string][] = [
  ['multipart/form-data', 'no boundary'],
  ['multipart/form-data; boundary=x', '--y\r\nnothing'],
  ['application/x-www-form-urlencoded', '%E0%A4%A&intent=%ff'],
  ['application/x-www-form-urlencoded', ''],
  ['application/x-www-form-urlencoded', `intent=sign-in&email=${'a'.repeat(200_000)}`],
  ['application/x-www-form-urlencoded', 'intent=become-operator&email=a@example.com&password=123456'],
  ['application/x-www-form-urlencoded', 'intent=sign-in&email[]=a&password[x]=y&__proto__[a]=b'],
]
for (const [type, body] of bodies)
  test(`a body of the type ${type || 'no type'} (${body.slice(0, 30)}) is rejected with an error page in the site design`, async () => {
    const visitor = new Visitor(site.url)
    const member = await signUp(visitor)
    const headers = { Origin: site.url, ...(type && { 'Content-Type': type }) }
    const send = (sender: Visitor, path: string) => sender.send(path, { method: 'POST', body, headers })
    expectDesigned(await send(new Visitor(site.url), '/auth'), 400)
    const page = await send(visitor, '/dashboard?edit=profile')
    // A form without a member id may be another's, so the page shows the unchanged profile.
    if (page.status === 303) expect(page.location).toBe('/dashboard?edit=profile')
    else expectDesigned(page, 400)
    expect((await visitor.get('/dashboard')).html).toContain(member.username)
  })

test('rejects unsupported methods with an error page in the site design', async () => {
  const visitor = new Visitor(site.url)
  const status = async (path: string, method: string) =>
    (await visitor.send(path, { method, headers: { Origin: site.url } })).status
  for (const path of ['/', '/about', '/unknown', '/auth', '/dashboard', '/auth/session'])
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const page = await visitor.send(path, { method, headers: { Origin: site.url } })
      expect(page.status, `${method} ${path}`).toBeGreaterThanOrEqual(300)
      expect(page.status, `${method} ${path}`).toBeLessThan(500)
    }
  expect(await status('/auth/session', 'POST')).toBe(405)
})

test('responds to HEAD with the status and the content type of the GET response, and with an empty body', async () => {
  const visitor = new Visitor(site.url)
  await signUp(visitor)
  for (const path of ['/', '/auth', '/dashboard', '/unknown', '/auth/session']) {
    const [head, get] = [await visitor.send(path, { method: 'HEAD' }), await visitor.get(path)]
    expect(head.status, path).toBe(get.status)
    expect(head.html, path).toBe('')
    expect(head.headers.get('Content-Type'), path).toBe(get.headers.get('Content-Type'))
  }
})

test('logs no input and no secret of a member', async () => {
  const visitor = new Visitor(site.url)
  const member = await signUp(visitor)
  await visitor.get(`/dashboard?note=${member.email}`)
  await visitor.post('/auth', { intent: 'sign-in', email: member.email, password: 'wrong password' })
  const cookies = [...visitor.jar.values()]
  await visitor.post('/auth/sign-out', {})
  const log = site.log.join('\n')
  expect(site.log.length).toBeGreaterThan(50)
  expect(log).toContain('"event":"request"')
  expect(log).toContain('"event":"auth.refused"')
  for (const secret of [
    'flow-',
    '@example',
    'secret of',
    'wrong password',
    'eyJ',
    'base64-',
    'Änne',
    ...cookies,
  ])
    expect(log.includes(secret), `the log contains ${secret}`).toBe(false)
})
