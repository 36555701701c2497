import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from '../support/site.ts'
import { type StrictAuth, type StrictFault, startStrictAuth } from '../support/strict-auth.ts'
import { isSignedIn, type Page, sessionCookie, toastOf, Visitor } from '../support/visitor.ts'

let backend: StrictAuth
let site: Site
beforeAll(async () => {
  backend = await startStrictAuth()
  site = await startSite(backend)
  // Makes the worker request the key set now, because each test makes one kind of call fail.
  await newVisitor(3600).visitor.get('/dashboard')
})
afterAll(async () => {
  await site.close()
  await backend.close()
})
afterEach(() => {
  for (const kind of Object.keys(backend.faults)) delete backend.faults[kind as 'refresh']
  backend.refusal = undefined
  backend.slowness = 40
  expect(backend.counts.spentTwice).toBe(0)
})

let members = 0

/** Returns a member's browser with a session that expires in this many seconds. */
function newVisitor(seconds: number, claims: object = {}) {
  members++
  const member = backend.addMember(`member-${members}@example.com`)
  const session = backend.newSession(member, seconds, claims)
  return { member, session, visitor: new Visitor(site.url).carry(sessionCookie, session) }
}

/** A second browser with a copy of the cookies, which later responses to the first do not change. */
function copy({ jar }: Visitor): Visitor {
  const other = new Visitor(site.url)
  for (const [name, value] of jar) other.jar.set(name, value)
  return other
}

const soon = 60
const over = -10
/** Milliseconds. A page waits two seconds for the service; the remaining time allows for a busy machine. */
const longest = 8_000

function expectKept(page: Page): void {
  expect(page.cookies).not.toHaveProperty(sessionCookie)
}

function expectSignedOut(page: Page): void {
  expect(page.cookies[sessionCookie]).toBeNull()
  expect(page.headers.get('Cache-Control')).toBe('private, no-store')
}

test('refreshes a session with less than 90 seconds left, before the page is rendered', async () => {
  const before = backend.counts.refreshes
  const fresh = newVisitor(100)
  expectKept(await fresh.visitor.get('/'))
  expect(backend.counts.refreshes).toBe(before)

  const { visitor, session } = newVisitor(85)
  const page = await visitor.get('/dashboard')
  expect(page.status).toBe(200)
  expect(page.cookies[sessionCookie]).toMatch(/^base64-/)
  expect(page.headers.get('Cache-Control')).toBe('private, no-store')
  expect(visitor.jar.get(sessionCookie)).not.toContain(session.refresh_token)
  expect(backend.counts.refreshes).toBe(before + 1)
})

for (const number of [2, 10])
  test(`${number} concurrent requests cause one refresh, and the visitor stays signed in`, async () => {
    const before = backend.counts.refreshes
    const { visitor, member } = newVisitor(over)
    const paths = ['/dashboard', '/auth/session', '/dashboard.data', '/dashboard', '/auth/session']
    const pages = await Promise.all(
      Array.from({ length: number }, async (_, index) => copy(visitor).get(paths[index % 5] as string)),
    )
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200))
    expect(new Set(pages.map(({ cookies }) => cookies[sessionCookie])).size).toBe(1)
    expect(pages[0]?.html).toContain(member.email)
    expect(backend.counts.refreshes).toBe(before + 1)
    // A later request still sends the used token.
    expect((await copy(visitor).get('/dashboard')).status).toBe(200)
    expect(backend.counts.refreshes).toBe(before + 1)
  })

test('completes a refresh after its visitor has disconnected', async () => {
  const before = backend.counts.refreshes
  const { visitor } = newVisitor(over)
  backend.faults.refresh = 'slow'
  backend.slowness = 800
  const impatient = copy(visitor).send('/dashboard', { signal: AbortSignal.timeout(200) })
  await expect(impatient).rejects.toThrow()
  const page = await visitor.get('/dashboard')
  expect(page.status).toBe(200)
  expect(backend.counts.refreshes).toBe(before + 1)
})

test('sends the headers of the client library with a refresh', async () => {
  const { visitor } = newVisitor(soon)
  expect((await visitor.get('/auth/session')).status).toBe(200)
  expect(backend.refreshHeaders).toMatchObject({
    apikey: backend.publishableKey,
    authorization: `Bearer ${backend.publishableKey}`,
    'x-supabase-api-version': '2024-01-01',
  })
})

test('waits two seconds for a slow refresh, uses the token once and keeps the result', async () => {
  const before = backend.counts.refreshes
  const { visitor } = newVisitor(soon)
  backend.faults.refresh = 'slow'
  const slowness = 4_500
  backend.slowness = slowness
  const startedAt = Date.now()
  const page = await visitor.get('/dashboard')
  const took = Date.now() - startedAt
  expect(took).toBeGreaterThan(1_900)
  // The page came before the response from the service.
  expect(took).toBeLessThan(slowness)
  expect(page.status).toBe(200)
  expectKept(page)
  await sleep(4_700 - took)
  const next = await visitor.get('/auth/session')
  expect(next.status).toBe(200)
  expect(next.cookies[sessionCookie]).toMatch(/^base64-/)
  expect(backend.counts.refreshes).toBe(before + 1)
})

const away: StrictFault[] = ['502', '503', '504', 'reset', 'hang', 'garbage', 'null', 'lost']

for (const fault of away)
  test(`while a refresh fails (${fault}), a page is rendered as signed in until the token expires, and then shows the notice`, async () => {
    const [{ visitor: valid }, { visitor: expired }] = [newVisitor(soon), newVisitor(over)]
    backend.faults.refresh = fault
    const startedAt = Date.now()
    const paths = ['/', '/dashboard', '/auth/session'] as const
    const open = (visitor: Visitor) => Promise.all(paths.map((path) => visitor.get(path)))
    const [validPages, expiredPages] = await Promise.all([open(valid), open(expired)])
    expect(Date.now() - startedAt).toBeLessThan(longest)
    expect(validPages.map(({ status }) => status)).toEqual([200, 200, 503])
    expect(expiredPages.map(({ status }) => status)).toEqual([200, 503, 503])
    for (const page of [...validPages, ...expiredPages]) expectKept(page)
    for (const [home] of [validPages, expiredPages]) expect(isSignedIn(home as Page)).toBe(true)
    expect(expiredPages[1]?.html).toContain('Sign-in isn&#x27;t working right now')
    expect(expiredPages[1]?.html).not.toMatch(/nginx|<b>no/)

    // The form is shown while the service is down, so that another session can begin.
    const form = await expired.get('/auth')
    expect(form.status).toBe(200)
    expect(form.html).toContain('name="password"')

    delete backend.faults.refresh
    // A refresh that hangs may have been executed. The worker stops waiting after five seconds.
    if (fault === 'hang') await sleep(Math.max(0, 5_300 - (Date.now() - startedAt)))
    for (const visitor of [valid, expired]) {
      const page = await visitor.get('/dashboard')
      expect(page.status).toBe(200)
      expect(page.cookies[sessionCookie]).toMatch(/^base64-/)
    }
  })

for (const status of [408, 409, 425, 429, 500])
  test(`the response ${status} to a refresh does not end the session`, async () => {
    const { visitor } = newVisitor(over)
    backend.refusal = { status, body: { code: status, msg: 'not now' } }
    expect((await visitor.get('/auth/session')).status).toBe(503)
    const page = await visitor.get('/dashboard')
    expect(page.status).toBe(503)
    expectKept(page)
  })

const refusals = [
  [400, 'refresh_token_not_found'],
  [400, 'refresh_token_already_used'],
  [400, 'session_expired'],
  [403, 'session_not_found'],
  [404, 'user_not_found'],
  [403, 'user_banned'],
  [400, undefined],
] as const
for (const [status, code] of refusals)
  test(`a rejected refresh (${status} ${code ?? 'without a code'}) ends the session in every tab`, async () => {
    const { visitor } = newVisitor(soon)
    const tabs = ['/', '/auth/session', '/dashboard', '/auth'].map((path) => [path, copy(visitor)] as const)
    backend.refusal = { status, body: { code: status, error_code: code, msg: '<b>over</b>' } }
    const [home, poll, dashboard, auth] = await Promise.all(tabs.map(([path, tab]) => tab.get(path)))
    for (const page of [poll, dashboard, auth]) expectSignedOut(page as Page)
    // A public page shows the cookie's session; its script requests /auth/session immediately.
    expectKept(home as Page)
    expect(home?.html).toMatch(/data-session="[\w-]{12} due"/)
    expect(poll?.status).toBe(200)
    expect(JSON.parse(poll?.html ?? '')).toEqual({ fingerprint: '' })
    expect(dashboard?.status).toBe(303)
    expect(dashboard?.location).toBe('/auth?redirectTo=%2Fdashboard')
    expect(auth?.status).toBe(200)
  })

test('signs the visitor out after a token is reused elsewhere, and after the member is deleted', async () => {
  const stolen = newVisitor(soon)
  await fetch(`${backend.url}/auth/v1/token?grant_type=refresh_token`, {
    method: 'POST',
    body: JSON.stringify({ refresh_token: stolen.session.refresh_token }),
  }).then((response) => response.text())
  expectSignedOut(await stolen.visitor.get('/dashboard'))
  expect(backend.counts.spentTwice).toBe(1)
  backend.counts.spentTwice = 0

  const deleted = newVisitor(soon)
  backend.removeMember(deleted.member)
  const page = await deleted.visitor.get('/dashboard')
  expectSignedOut(page)
  expect(page.location).toBe('/auth?redirectTo=%2Fdashboard')
})

test('keeps the session while neither the key set nor the service responds', async () => {
  const own = await startStrictAuth()
  const cold = await startSite(own)
  const member = own.addMember('member@example.com')
  const visitor = new Visitor(cold.url).carry(sessionCookie, own.newSession(member))
  for (const fault of ['503', 'garbage', 'null'] as const) {
    own.faults.jwks = fault
    own.faults.user = fault
    const page = await visitor.get('/dashboard')
    expect(page.status, fault).toBe(503)
    expectKept(page)
    expect((await visitor.get('/')).status).toBe(200)
    expect((await visitor.get('/auth')).status).toBe(200)
  }
  delete own.faults.jwks
  delete own.faults.user
  expect((await visitor.get('/dashboard')).html).toContain(member.email)
  await cold.close()
  await own.close()
})

for (const skew of [-60, 60])
  test(`members stay signed in while the service clock is ${skew} seconds off`, async () => {
    const own = await startStrictAuth({ skew, lifetime: 120 })
    const skewed = await startSite(own)
    const member = own.addMember('member@example.com')
    const visitor = new Visitor(skewed.url)
    await visitor.post('/auth', { intent: 'sign-in', email: member.email, password: member.password })
    for (let turn = 0; turn < 3; turn++) {
      const page = await visitor.get('/dashboard')
      expect(page.status).toBe(200)
      expect(page.html).toContain('Strict Member')
    }
    expect(own.counts).toMatchObject({ spentTwice: 0, refused: 0 })
    await skewed.close()
    await own.close()
  })

const stillOpen =
  "Signed out on this device only We couldn't reach the sign-in service, so your session may still be open there. To end it, sign in again later and sign out on all devices."

test('signs the visitor out immediately during an outage, and says that the session may still be open at the service', async () => {
  for (const seconds of [3600, soon, over]) {
    const { visitor } = newVisitor(seconds)
    backend.faults.refresh = '503'
    backend.faults.logout = '503'
    const startedAt = Date.now()
    const page = await visitor.post('/auth/sign-out', {})
    expect(Date.now() - startedAt, `${seconds} seconds left`).toBeLessThan(longest)
    expect(page.location).toBe('/')
    expectSignedOut(page)
    expect(toastOf(await visitor.get('/'))).toBe(stillOpen)
  }
})

test('says that the session may still be open even if the service refuses its expired token', async () => {
  const { visitor } = newVisitor(over)
  backend.faults.refresh = '503'
  expectSignedOut(await visitor.post('/auth/sign-out', {}))
  expect(toastOf(await visitor.get('/'))).toBe(stillOpen)
})

test('says that the visitor is signed out, and reports no error, for a session that the service has ended', async () => {
  const { visitor } = newVisitor(3600)
  expectSignedOut(await visitor.post('/auth/sign-out', {}))
  expect(toastOf(await visitor.get('/'))).toMatch(/^Signed out /)
})

test('only refreshSession uses a refresh token; the client library never does', async () => {
  const before = backend.counts.refreshes
  const { visitor, member, session } = newVisitor(soon)
  backend.refusal = { status: 429, body: { code: 429, error_code: 'over_request_rate_limit', msg: 'later' } }
  // The worker calls the service once for each page. The response from the service does not end the session.
  for (const page of [await visitor.get('/dashboard'), await visitor.get('/dashboard.data')]) {
    expect(page.status).toBe(200)
    expectKept(page)
  }
  expect(backend.counts.refreshes).toBe(before + 2)
  const page = await visitor.post('/auth', {
    intent: 'sign-in',
    email: member.email,
    password: member.password,
  })
  expect(page.location).toBe('/dashboard')
  expect(backend.counts.refreshes).toBe(before + 2)
  expect(visitor.jar.get(sessionCookie)).not.toContain(session.refresh_token)
  backend.refusal = undefined
  expect((await visitor.get('/dashboard')).html).toContain(member.email)
  expect(backend.counts.refreshes).toBe(before + 2)
})
