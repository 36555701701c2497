import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from '../support/site.ts'
import { newSigningKey, type StrictAuth, signToken, startStrictAuth } from '../support/strict-auth.ts'
import { isSignedIn, sessionCookie, sessionCookies, toastOf, Visitor } from '../support/visitor.ts'

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

let members = 0
function newSession() {
  members++
  return backend.newSession(backend.addMember(`member-${members}@example.com`))
}

function claims(more: object = {}) {
  const now = Math.floor(Date.now() / 1000)
  const [, payload = ''] = newSession().access_token.split('.')
  return { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), iat: now, exp: now + 3600, ...more }
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const named = (...pairs: [string, string][]) => pairs.map(([name, value]) => ({ name, value }))
const whole = (value: string) => named([sessionCookie, value])
const encoded = (value: unknown) =>
  whole(`base64-${Buffer.from(JSON.stringify(value)).toString('base64url')}`)
/** Returns a session with this access token and an unknown refresh token. */
const withToken = (access_token: string) =>
  sessionCookies(sessionCookie, { ...newSession(), access_token, refresh_token: 'an unknown token' })

/** Returns a session that is stored in several cookies. */
function inChunks() {
  const session = newSession()
  return sessionCookies(sessionCookie, { ...session, user: { ...session.user, notes: 'x'.repeat(6_000) } })
}

/** HS256 with the published key as the secret: accepted if a verifier ignores the algorithm. */
function signedWithPublicKey(header: object): string {
  const text = `${part({ alg: 'HS256', typ: 'JWT', ...header })}.${part(claims())}`
  const secret = JSON.stringify(backend.key.published)
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

/** Unreadable sessions. Every page detects them without a call to the backend. */
const unreadable: Record<string, () => { name: string; value: string }[]> = {
  'an empty value': () => whole(''),
  garbage: () => whole("%%%='[]"),
  'percent signs that mean nothing': () => whole('%E0%A4%A'),
  'base64 of garbage': () => whole('base64-!!!!'),
  'base64 of half a character': () => whole('base64-4Q'),
  'base64 of something else': () => encoded('a string'),
  'base64 of null': () => encoded(null),
  'base64 of a list': () => encoded([1, 2]),
  'a session without tokens': () => encoded({ user: { id: 1 } }),
  'a session whose tokens are objects': () => encoded({ access_token: {}, refresh_token: [] }),
  'a session of the old, plain format': () => whole(encodeURIComponent(JSON.stringify(newSession()))),
  'a JWT of two parts': () => withToken(`${part({ alg: 'ES256' })}.${part(claims())}`),
  'a JWT of four parts': () => withToken(`${newSession().access_token}.more`),
  'a JWT of three words': () => withToken('not.a.token'),
  'a JWT whose payload is null': () => withToken(`${part({ alg: 'ES256' })}.${part(null)}.AAAA`),
  'a JWT that never ends': () => withToken(signToken(claims({ exp: undefined }), backend.key)),
  'chunks without their beginning': () => inChunks().slice(1),
  'chunks without their end': () => inChunks().slice(0, -1),
  'chunks in another order': () =>
    inChunks().map(({ value }, index) => ({ name: `${sessionCookie}.${2 - index}`, value })),
  'renamed chunks': () =>
    inChunks().map(({ name, value }) => ({ name: name.replace(/\.(\d)$/, '.0$1'), value })),
  'a chunk with a strange number': () => named([`${sessionCookie}.99999999999999999999`, 'base64-AAAA']),
}

/** Readable but invalid sessions. The guard that verifies the member detects them. */
const untrue: Record<string, () => { name: string; value: string }[]> = {
  'an expired JWT': () => withToken(signToken(claims({ exp: 1_700_000_000 }), backend.key)),
  'signed by another key': () => withToken(signToken(claims(), newSigningKey())),
  'signed by another key, under our key id': () =>
    withToken(signToken(claims(), newSigningKey(backend.key.id))),
  'alg none': () => withToken(`${part({ alg: 'none', typ: 'JWT' })}.${part(claims())}.`),
  'alg none with our key id': () =>
    withToken(`${part({ alg: 'none', kid: backend.key.id })}.${part(claims())}.`),
  'another algorithm with our key id': () => withToken(signToken(claims(), backend.key, { alg: 'RS256' })),
  'no algorithm': () => withToken(signToken(claims(), backend.key, { alg: undefined })),
  'HS256 with the public key': () => withToken(signedWithPublicKey({})),
  'HS256 with the public key and its id': () => withToken(signedWithPublicKey({ kid: backend.key.id })),
  'a signature cut off': () => withToken(newSession().access_token.replace(/\.[^.]*$/, '.')),
  'another issuer': () => withToken(signToken(claims({ iss: 'https://evil.example/auth/v1' }), backend.key)),
  'no issuer': () => withToken(signToken(claims({ iss: undefined }), backend.key)),
  'another audience': () => withToken(signToken(claims({ aud: 'service' }), backend.key)),
  'a list of other audiences': () => withToken(signToken(claims({ aud: ['a', 'b'] }), backend.key)),
  'no audience': () => withToken(signToken(claims({ aud: undefined }), backend.key)),
  'a key id that is not published': () => withToken(signToken(claims(), newSigningKey('unknown'))),
  'a forged token beside a valid refresh token': () => {
    const session = newSession()
    const forged = signToken(claims({ sub: 'a1b2' }), newSigningKey())
    return sessionCookies(sessionCookie, { ...session, access_token: forged })
  },
}

function carrying(cookies: { name: string; value: string }[]): Visitor {
  const visitor = new Visitor(site.url)
  for (const { name, value } of cookies) visitor.jar.set(name, value)
  return visitor
}

for (const [name, cookies] of Object.entries(unreadable))
  test(`clears an unreadable session on every page: ${name}`, async () => {
    const given = cookies()
    for (const [path, status] of [
      ['/', 200],
      ['/auth', 200],
      ['/auth/session', 200],
      ['/dashboard', 303],
    ] as const) {
      const visitor = carrying(given)
      const page = await visitor.get(path)
      expect(page.status, path).toBe(status)
      expect(isSignedIn(page)).toBe(false)
      expect(page.headers.get('Cache-Control'), path).toBe('private, no-store')
      expect(Object.values(page.cookies), path).toEqual(given.map(() => null))
      expect(visitor.jar.size, path).toBe(0)
    }
  })

for (const [name, cookies] of Object.entries(untrue))
  test(`the dashboard redirects to sign-in and clears the cookies: ${name}`, async () => {
    const visitor = carrying(cookies())
    expect((await carrying(cookies()).get('/')).status).toBe(200)
    const form = await carrying(cookies()).get('/auth')
    expect(form.status).toBe(200)
    expect(form.cookies[sessionCookie]).toBeNull()

    const page = await visitor.get('/dashboard')
    expect(page.status).toBe(303)
    expect(page.location).toBe('/auth?redirectTo=%2Fdashboard')
    expect(page.cookies[sessionCookie]).toBeNull()
    expect(page.headers.get('Cache-Control')).toBe('private, no-store')
    const next = await visitor.get(page.location as string)
    expect(next.status).toBe(200)
    expect(next.html).toContain('name="password"')
    expect(isSignedIn(next)).toBe(false)
    expect(visitor.jar.size).toBe(0)
  })

test('accepts a new key while the previous key is published, and refuses the previous key afterwards', async () => {
  const old = newSession()
  const carryingSession = (session: object) => new Visitor(site.url).carry(sessionCookie, session)
  expect((await carryingSession(old).get('/dashboard')).status).toBe(200)
  backend.rotateKey({ keep: true })
  expect((await carryingSession(newSession()).get('/dashboard')).status, 'the new key').toBe(200)
  expect((await carryingSession(old).get('/auth')).status, 'the former key: signed in').toBe(303)
  backend.rotateKey({ keep: false })
  expect((await carryingSession(newSession()).get('/dashboard')).status, 'the newest key').toBe(200)
  expect((await carryingSession(old).get('/auth')).status, 'the removed key: signed out').toBe(200)
})

test('verifies tokens through the service while the key set is unavailable', async () => {
  const fresh = await startSite(backend)
  try {
    for (const fault of ['503', 'reset', 'garbage', 'null'] as const) {
      backend.faults.jwks = fault
      const visitor = new Visitor(fresh.url).carry(sessionCookie, newSession())
      expect((await visitor.get('/dashboard')).status, fault).toBe(200)
      const forged = new Visitor(fresh.url)
      for (const { name, value } of withToken(signToken(claims(), newSigningKey(backend.key.id))))
        forged.jar.set(name, value)
      expect((await forged.get('/dashboard')).status, fault).toBe(303)
    }
  } finally {
    delete backend.faults.jwks
    await fresh.close()
  }
})

test('the cookie name is derived from the backend URL, and the cookie of a different project is ignored', async () => {
  const session = newSession()
  const other = sessionCookies('sb-abcdefgh-auth-token', session)
  const visitor = carrying(other)
  const page = await visitor.get('/dashboard')
  expect(page.status).toBe(303)
  expect(page.cookies).toEqual({})
  expect(
    (await carrying([...other, ...sessionCookies(sessionCookie, session)]).get('/dashboard')).status,
  ).toBe(200)
})

test('reads a session in chunks, and expires surplus chunks when it writes a session', async () => {
  expect(inChunks()).toHaveLength(3)
  expect((await carrying(inChunks()).get('/dashboard')).status).toBe(200)

  const large = backend.newSession(backend.addMember('chunks@example.com'), 30)
  const visitor = carrying(
    sessionCookies(sessionCookie, { ...large, user: { ...large.user, notes: 'x'.repeat(6_000) } }),
  )
  const page = await visitor.get('/dashboard')
  expect(page.html).toContain('chunks@example.com')
  expect(Object.keys(page.cookies).toSorted()).toEqual(
    [sessionCookie, ...[0, 1, 2].map((chunk) => `${sessionCookie}.${chunk}`)].toSorted(),
  )
  expect([...visitor.jar.keys()]).toEqual([sessionCookie])
  expect((await visitor.get('/dashboard')).status).toBe(200)
})

test('ignores orphaned chunks beside a complete session', async () => {
  const session = newSession()
  const value = sessionCookies(sessionCookie, session)[0]?.value
  const Cookie = `${sessionCookie}=${value}; ${sessionCookie}.0=base64-garbage; ${sessionCookie}.7=more`
  expect((await new Visitor(site.url).get('/dashboard', { Cookie })).status).toBe(200)
})

test('two cookies with the same name sign the visitor out, with a toast and a log line', async () => {
  const own = sessionCookies(sessionCookie, newSession())[0]?.value
  const foreign = sessionCookies(sessionCookie, newSession())[0]?.value
  const chunks = inChunks()
  const inPieces = chunks.map(({ name, value }) => `${name}=${value}`)
  for (const Cookie of [
    `${sessionCookie}=${own}; ${sessionCookie}=${foreign}`,
    `${sessionCookie}=garbage; ${sessionCookie}=${own}`,
    `${sessionCookie}=${own}; ${sessionCookie}=${own}`,
    [...inPieces, `${chunks[1]?.name}=x`].join('; '),
  ]) {
    const before = site.log.length
    const dashboard = await new Visitor(site.url).get('/dashboard', { Cookie })
    expect(dashboard.location, Cookie).toBe('/auth?redirectTo=%2Fdashboard')
    expect(dashboard.cookies, 'no cookie is changed').not.toHaveProperty(sessionCookie)
    for (const path of ['/', '/auth', '/about']) {
      const page = await new Visitor(site.url).get(path, { Cookie })
      expect(isSignedIn(page), path).toBe(false)
      expect(toastOf(page), path).toMatch(/^Signed out Your browser sent two sign-in cookies/)
    }
    expect(site.log.slice(before).filter((line) => line.includes('session.two-cookies'))).toHaveLength(4)
  }
})

test('on https only cookies with the prefix __Host- are read', async () => {
  const secure = await startSite(backend, {
    SITE_URL: 'https://goodblock.example',
    CONTACT_EMAIL: 'hello@goodblock.example',
  })
  try {
    const get = (path: string, Cookie: string) =>
      secure.dispatch(`https://goodblock.example${path}`, { headers: { Cookie }, redirect: 'manual' })
    const value = sessionCookies(sessionCookie, newSession())[0]?.value
    const planted = await get('/dashboard', `${sessionCookie}=${value}`)
    expect(planted.status).toBe(303)
    expect(planted.headers.getSetCookie()).toEqual([])
    const masked = `${sessionCookie}=zzz; __Host-${sessionCookie}=${value}`
    expect((await get('/dashboard', masked)).status, 'a planted cookie does not sign the member out').toBe(
      200,
    )
    const short = sessionCookies(sessionCookie, backend.newSession(backend.addMember('host@example.com'), 30))
    const refreshed = await get('/dashboard', `__Host-${sessionCookie}=${short[0]?.value}`)
    expect(refreshed.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-sb-127-auth-token=base64-.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ])
  } finally {
    await secure.close()
  }
})

test('renders a page for cookies of the maximum size', async () => {
  const many = Array.from({ length: 8 }, (_, index): [string, string] => [
    `${sessionCookie}.${index}`,
    'A'.repeat(3_000),
  ])
  for (const cookies of [named(...many), named([sessionCookie, `base64-${'A'.repeat(4_000)}`])]) {
    const page = await carrying(cookies).get('/')
    expect(page.status).toBe(200)
    expect(isSignedIn(page)).toBe(false)
  }
})

test('sets session cookies with HttpOnly and SameSite=Lax, only for this host', async () => {
  const session = backend.newSession(backend.addMember('attributes@example.com'), 30)
  const response = await fetch(`${site.url}/auth/session`, {
    headers: {
      Cookie: sessionCookies(sessionCookie, session)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
    },
  })
  const [cookie] = response.headers.getSetCookie()
  expect(cookie).toMatch(/; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(await response.json()).toEqual({ fingerprint: expect.stringMatching(/^[\w-]{12,}$/) })
})

test('marks every response that reads or writes a session as no-store', async () => {
  const visitor = new Visitor(site.url).carry(sessionCookie, newSession())
  for (const path of ['/', '/about', '/auth', '/auth/session', '/dashboard', '/dashboard.data', '/unknown'])
    expect((await visitor.get(path)).headers.get('Cache-Control'), path).toBe('private, no-store')
  const page = await visitor.post('/auth/sign-out', {})
  expect(page.headers.get('Cache-Control')).toBe('private, no-store')
})
