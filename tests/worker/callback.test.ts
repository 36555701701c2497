import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from '../support/site.ts'
import { newSigningKey, type StrictAuth, signToken, startStrictAuth } from '../support/strict-auth.ts'
import { isSignedIn, sessionCookie, toastOf, Visitor } from '../support/visitor.ts'

let backend: StrictAuth
let site: Site
beforeAll(async () => {
  backend = await startStrictAuth()
  site = await startSite(backend)
})
afterAll(async () => {
  await site.close()
  await backend.close()
})
afterEach(() => {
  for (const kind of Object.keys(backend.faults)) delete backend.faults[kind as 'pkce']
})

let members = 0
function newMember() {
  members++
  return backend.addMember(`member-${members}@example.com`)
}

function signedIn() {
  const member = newMember()
  return { member, visitor: new Visitor(site.url).carry(sessionCookie, backend.newSession(member)) }
}

const verifierCookie = `${sessionCookie}-code-verifier`

/** Gives the visitor the code verifier of a flow that began in this browser. */
function withVerifier(visitor: Visitor, purpose = ''): string {
  const verifier = randomBytes(28).toString('hex')
  const value = Buffer.from(JSON.stringify(verifier + purpose)).toString('base64url')
  visitor.jar.set(verifierCookie, `base64-${value}`)
  return verifier
}

for (const [path, clean] of [
  ['/?code=', '/'],
  ['/dashboard?edit=profile&sb=flow&code=', '/dashboard?edit=profile'],
  ['/dashboard/account?code=', '/dashboard/account'],
] as const)
  test(`the code in ${path}… becomes a session and is removed from the URL`, async () => {
    const member = newMember()
    const visitor = new Visitor(site.url)
    const page = await visitor.get(path + backend.newCode(member, withVerifier(visitor)))
    expect(page.status).toBe(303)
    expect(page.location).toBe(clean)
    expect(page.headers.get('Cache-Control')).toBe('private, no-store')
    expect([...visitor.jar.keys()].toSorted()).toEqual(['notice', sessionCookie])
    const next = await visitor.get('/')
    expect(isSignedIn(next)).toBe(true)
    expect(toastOf(next)).toBe('Welcome back! You have successfully signed in.')
    expect((await visitor.get('/dashboard')).html).toContain(member.email)
  })

test('a recovery with a code leads to the page for a new password', async () => {
  const visitor = new Visitor(site.url)
  const page = await visitor.get(`/?code=${backend.newCode(newMember(), withVerifier(visitor, '/recovery'))}`)
  expect(page.location).toBe('/auth/new-password')
  const next = await visitor.get('/auth/new-password')
  expect(next.status).toBe(200)
  expect(next.html).toContain('name="newPassword"')
})

/** Gives the visitor the cookie that records that this browser has requested an email. */
function requestedMail(visitor: Visitor): Visitor {
  const pending = { email: 'a@example.com', purpose: 'sign-in', redirectTo: null }
  visitor.jar.set('pending-email', encodeURIComponent(JSON.stringify(pending)))
  return visitor
}

const elsewhere = 'Error Open the link in the browser where you asked for it.'
test('a code that was used before, belongs to another browser or has a wrong verifier shows a toast and keeps the session', async () => {
  const cases: [string, (visitor: Visitor) => string, string][] = [
    ['no verifier', () => backend.newCode(newMember(), 'of another browser'), elsewhere],
    [
      'another verifier',
      (visitor) => {
        withVerifier(visitor)
        return backend.newCode(newMember(), 'of another browser')
      },
      elsewhere,
    ],
    [
      'no such code',
      (visitor) => {
        withVerifier(visitor)
        return 'spent'
      },
      'Error Email link is invalid or has expired',
    ],
  ]
  for (const [name, codeFor, sentence] of cases) {
    const { member, visitor } = signedIn()
    const session = visitor.jar.get(sessionCookie)
    requestedMail(visitor)
    const page = await visitor.get(`/?code=${codeFor(visitor)}`)
    expect(page.location, name).toBe('/')
    expect(visitor.jar.get(sessionCookie), name).toBe(session)
    expect(toastOf(await visitor.get('/')), name).toBe(sentence)
    expect((await visitor.get('/dashboard')).html, name).toContain(member.email)
  }
})

test('while the service fails, a link with a code leads to the general error message and keeps the session', async () => {
  for (const fault of ['503', 'reset', 'garbage', 'null'] as const) {
    const { visitor } = signedIn()
    const code = backend.newCode(newMember(), withVerifier(visitor))
    backend.faults.pkce = fault
    const page = await visitor.get(`/?code=${code}`)
    expect(page.location, fault).toBe('/')
    expect(page.cookies, fault).not.toHaveProperty(sessionCookie)
    expect(toastOf(await visitor.get('/')), fault).toBe('Error An error occurred')
  }
})

test('only a page load exchanges a code; a HEAD request, a form and a data request do not exchange it', async () => {
  const visitor = requestedMail(new Visitor(site.url))
  const before = backend.counts.byKind.pkce ?? 0
  const code = backend.newCode(newMember(), withVerifier(visitor))
  expect((await visitor.send(`/?code=${code}`, { method: 'HEAD' })).status).toBe(200)
  await visitor.get(`/auth.data?code=${code}`, { Accept: '*/*' })
  await visitor.post(`/auth/sign-out?code=${code}`, {})
  expect(backend.counts.byKind.pkce ?? 0).toBe(before)
})

const sentences: [string, string][] = [
  [
    'error=access_denied&error_code=otp_expired&error_description=x',
    'Error Email link is invalid or has expired',
  ],
  ['error=server_error&error_code=flow_state_expired', 'Error Email link is invalid or has expired'],
  ['error=invalid_request&error_code=flow_state_not_found', 'Error Email link is invalid or has expired'],
  ['error=access_denied', 'Error The sign-in was refused. Please try again.'],
  ['error=invalid_request&error_code=bad_code_verifier', elsewhere],
  ['error=server_error&error_code=unexpected_failure', 'Error An error occurred'],
  ['error=&error_code=', 'Error An error occurred'],
  ['error=__proto__&error_code=constructor', 'Error An error occurred'],
  [
    `error=${encodeURIComponent('<img src=x onerror=alert(1)>')}&error_description=${encodeURIComponent('Call the swindlers <b>now</b>')}`,
    'Error An error occurred',
  ],
]
for (const [query, sentence] of sentences)
  test(`?${query} shows: ${sentence}`, async () => {
    for (const path of ['/', '/dashboard?edit=profile', '/dashboard/account', '/auth/new-password']) {
      const { member, visitor } = signedIn()
      requestedMail(visitor)
      const page = await visitor.get(`${path}${path.includes('?') ? '&' : '?'}${query}`)
      expect(page.status, path).toBe(303)
      expect(page.location, path).toBe(path)
      expect(page.headers.get('Cache-Control')).toBe('private, no-store')
      expect(page.cookies, 'the session is kept').not.toHaveProperty(sessionCookie)
      const next = await visitor.get('/dashboard')
      expect(toastOf(next), path).toBe(sentence)
      expect(next.html).toContain(member.email)
      expect(next.html).not.toMatch(/onerror|swindlers|error_description/)
      expect(toastOf(await visitor.get('/')), 'announced once').toBeNull()
    }
  })

for (const query of [...sentences.map(([query]) => query), 'code=x', 'code='])
  test(`?${query} shows nothing on other pages, nor in a browser that has not started a sign-in flow`, async () => {
    const strangers = ['/', '/dashboard', '/dashboard/account', '/auth/new-password']
    for (const path of [
      ...strangers,
      '/about',
      '/voting',
      '/auth',
      '/unknown',
      '/transparency?type=Donation',
    ]) {
      const { member, visitor } = signedIn()
      if (!strangers.includes(path)) requestedMail(visitor)
      const page = await visitor.get(`${path}${path.includes('?') ? '&' : '?'}${query}`)
      expect(toastOf(page), path).toBeNull()
      expect(page.cookies, path).not.toHaveProperty('notice')
      expect(toastOf(await visitor.get('/')), path).toBeNull()
      expect((await visitor.get('/dashboard')).html).toContain(member.email)
    }
  })

test('a URL with an error and a code counts as an error', async () => {
  const { visitor } = signedIn()
  const before = backend.counts.byKind.pkce ?? 0
  const page = await visitor.get(
    `/?code=${backend.newCode(newMember(), withVerifier(visitor))}&error=access_denied`,
  )
  expect(page.location).toBe('/')
  expect(backend.counts.byKind.pkce ?? 0).toBe(before)
})

test('a cleaned URL never leads to another site', async () => {
  const visitor = requestedMail(new Visitor(site.url))
  for (const path of ['//evil.example/?error=x', '/\\evil.example?error=x', '/.//evil.example/?error=x']) {
    const page = await visitor.get(path)
    const target = new URL(page.location ?? '/', site.url)
    expect(target.origin, path).toBe(site.url)
  }
})

/** The form that the script sends: the tokens after the '#' of the service's URL, and the target. */
function fragment(more: Record<string, string> = {}) {
  const { access_token, refresh_token, expires_at, expires_in } = backend.newSession(newMember())
  return {
    access_token,
    refresh_token,
    expires_at: String(expires_at),
    expires_in: String(expires_in),
    token_type: 'bearer',
    type: 'magiclink',
    page: '/about?from=mail',
    ...more,
  }
}

/** Returns a fragment whose token has different claims, signed with `key`. */
function signed(claims: object, key = backend.key) {
  const own = fragment()
  const [, payload = ''] = own.access_token.split('.')
  const said = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return { ...own, access_token: signToken({ ...said, ...claims }, key) }
}

test('tokens in a URL become a session when the visitor confirms them', async () => {
  const visitor = new Visitor(site.url)
  const answer = await visitor.post('/auth/implicit', fragment())
  expect(JSON.parse(answer.html)).toEqual({ to: '/auth/continue' })
  expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
  expect([...visitor.jar.keys()]).toEqual(['pending-session'])
  // The visitor is not signed in yet, even after loading the page twice.
  expect(isSignedIn(await visitor.get('/'))).toBe(false)
  await visitor.get('/auth/continue')
  const page = await visitor.get('/auth/continue')
  expect(page.status).toBe(200)
  expect(page.html).toMatch(/<form method="post"[^>]*>[\s\S]*Continue as (<!-- -->)?member-\d+@example\.com/)

  const done = await visitor.post('/auth/continue', {})
  expect(done.status).toBe(303)
  expect(done.location).toBe('/dashboard')
  expect([...visitor.jar.keys()].toSorted()).toEqual(['notice', sessionCookie])
  const dashboard = await visitor.get('/dashboard')
  expect(toastOf(dashboard)).toBe('Welcome back! You have successfully signed in.')
  expect((await visitor.post('/auth/continue', {})).location).toBe('/dashboard')
})

test('tokens in a URL never replace a session', async () => {
  const { member, visitor } = signedIn()
  const session = visitor.jar.get(sessionCookie)
  const answer = await visitor.post('/auth/implicit', fragment())
  expect(JSON.parse(answer.html)).toEqual({ to: '/about?from=mail' })
  expect(visitor.jar.has('pending-session')).toBe(false)

  // A GET and a POST delete a pending session that is older than the sign-in.
  const offered = new Visitor(site.url)
  await offered.post('/auth/implicit', fragment())
  const offer = offered.jar.get('pending-session') as string
  for (const method of ['GET', 'POST'] as const) {
    visitor.jar.set('pending-session', offer)
    const page =
      method === 'GET' ? await visitor.get('/auth/continue') : await visitor.post('/auth/continue', {})
    expect(page.location, method).toBe('/dashboard')
    expect(visitor.jar.has('pending-session'), method).toBe(false)
    expect(visitor.jar.get(sessionCookie), method).toBe(session)
  }
  expect((await visitor.get('/dashboard')).html).toContain(member.email)
})

const expired = 'Error Email link is invalid or has expired'
const now = () => Math.floor(Date.now() / 1000)
const refused: [string, () => Record<string, string>][] = [
  ['expired', () => signed({ iat: now() - 60, exp: now() - 30 })],
  ['signed by another key', () => signed({}, newSigningKey())],
  ['signed by another key under our key id', () => signed({}, newSigningKey(backend.key.id))],
  ['text that is not a token', () => fragment({ access_token: 'not.a.token' })],
  ['empty tokens', () => fragment({ access_token: '', refresh_token: '' })],
  ['without a refresh token', () => fragment({ refresh_token: '' })],
  ['no token', () => ({ page: '/about?from=mail' })],
]
for (const [name, form] of refused)
  test(`refuses tokens: ${name}`, async () => {
    const visitor = requestedMail(new Visitor(site.url))
    const answer = await visitor.post('/auth/implicit', form())
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.html)).toEqual({ to: '/about?from=mail' })
    expect([...visitor.jar.keys()].toSorted()).toEqual(['notice', 'pending-email'])
    expect(toastOf(await visitor.get('/about?from=mail'))).toBe(expired)
    const stranger = new Visitor(site.url)
    await stranger.post('/auth/implicit', form())
    expect([...stranger.jar.keys()], 'no toast for a URL that anybody could make').toEqual([])
  })

test('accepts tokens of any age, and logs the specified warning if they are at least 120 seconds old', async () => {
  const fresh = await new Visitor(site.url).post('/auth/implicit', signed({ iat: now() - 110 }))
  expect(JSON.parse(fresh.html)).toEqual({ to: '/auth/continue' })
  expect(site.log.filter((line) => line.includes('implicit.stale'))).toEqual([])
  for (const iat of [now() - 300, undefined]) {
    const stale = await new Visitor(site.url).post('/auth/implicit', signed({ iat }))
    expect(JSON.parse(stale.html)).toEqual({ to: '/auth/continue' })
  }
  const lines = site.log.filter((line) => line.includes('implicit.stale'))
  expect(lines.at(-1)).toContain('Session as retrieved from URL was issued over 120s ago, URL could be stale')
})

test('an invalid or altered pending session does not sign the visitor in', async () => {
  const visitor = new Visitor(site.url)
  visitor.jar.set('pending-session', encodeURIComponent(JSON.stringify(signed({}, newSigningKey()))))
  const look = await visitor.get('/auth/continue')
  expect(look.location).toBe('/auth')
  expect(visitor.jar.has('pending-session')).toBe(false)
  for (const offer of ['garbage', '%7B%7D', encodeURIComponent('null')]) {
    visitor.jar.set('pending-session', offer)
    const page = await visitor.post('/auth/continue', {})
    expect(page.status, offer).toBe(303)
    expect([...visitor.jar.keys()].filter((name) => name !== 'notice')).toEqual([])
  }
})

test('the next page is always a page of this site', async () => {
  for (const page of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '',
  ]) {
    const answer = await new Visitor(site.url).post('/auth/implicit', { page })
    expect(JSON.parse(answer.html)).toEqual({ to: '/dashboard' })
  }
})

test('accepts tokens only from this site, and only as form data', async () => {
  const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
  expect((await new Visitor(site.url).post('/auth/implicit', fragment(), foreign)).status).toBe(403)
  expect((await new Visitor(site.url).post('/auth/continue', {}, foreign)).status).toBe(403)
  const json = {
    method: 'POST',
    body: '{}',
    headers: { Origin: site.url, 'Content-Type': 'application/json' },
  }
  expect((await new Visitor(site.url).send('/auth/implicit', json)).status).toBe(415)
  expect((await new Visitor(site.url).get('/auth/implicit')).status).toBe(405)
})
