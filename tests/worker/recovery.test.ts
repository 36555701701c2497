import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Site, startSite } from '../support/site.ts'
import { type StrictAuth, type StrictFault, startStrictAuth } from '../support/strict-auth.ts'
import { documentOf, sessionCookie, toastOf, Visitor } from '../support/visitor.ts'

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

const factor = { id: 'f1', factor_type: 'totp', status: 'verified', friendly_name: 'My phone' }
const newPassword = '/auth/new-password'
let members = 0
let member: ReturnType<StrictAuth['addMember']>
beforeEach(() => {
  members++
  member = backend.addMember(`member-${members}@example.com`)
})

/** A visitor in a recovery. `methods`: the session's `amr` methods, with the seconds since their use. */
function visitorWith(methods: Record<string, number>, claims: object = {}): Visitor {
  const now = Math.floor(Date.now() / 1000)
  const amr = Object.entries(methods).map(([method, ago]) => ({ method, timestamp: now - ago }))
  const session = backend.newSession(member, 3600, { amr, ...claims })
  const visitor = new Visitor(site.url).carry(sessionCookie, session)
  visitor.jar.set('recovery', member.id)
  return visitor
}

const send = (visitor: Visitor) => visitor.post(newPassword, { newPassword: 'pwned-123456' })

test.each<[string, Record<string, number>]>([
  ['a password', { password: 5 }],
  ['a wallet', { web3: 5 }],
  ['an email more than an hour ago', { otp: 3_601 }],
  ['an unknown method', {}],
])(
  'a forged recovery cookie does not let a session that began with %s set a new password',
  async (_, methods) => {
    const visitor = visitorWith(methods)
    expect((await visitor.get(newPassword)).location).toBe('/dashboard/account')
    expect((await send(visitor)).location).toBe('/dashboard/account')
  },
)

test.each(['otp', 'magiclink', 'recovery', 'invite'])(
  'the recovery cookie lets a session that began with %s set a new password',
  async (method) => {
    const visitor = visitorWith({ password: 9_999, [method]: 3_500 })
    const page = await visitor.get(newPassword)
    expect([page.status, page.html.includes('name="newPassword"')]).toEqual([200, true])
    const other = visitorWith({ [method]: 5 })
    other.jar.delete('recovery')
    expect((await other.get(newPassword)).location, 'without the cookie').toBe('/dashboard/account')
  },
)

test('a recovery requires the second factor again after ten minutes', async () => {
  member.factors = [factor]
  const challenge = `/auth/factor?redirectTo=${encodeURIComponent(newPassword)}`
  const stale = visitorWith({ otp: 700, totp: 650 }, { aal: 'aal2' })
  expect((await stale.get(newPassword)).location).toBe(challenge)
  expect((await send(stale)).location).toBe(challenge)
  const never = visitorWith({ otp: 5 })
  expect((await send(never)).location).toBe(challenge)
  const fresh = visitorWith({ otp: 700, totp: 500 }, { aal: 'aal2' })
  expect((await fresh.get(newPassword)).status).toBe(200)
})

test('a session cookie without the factors of its user does not skip the second factor', async () => {
  // The cookie has `factors: []`, because the member adds a factor later.
  const visitor = visitorWith({ password: 5 })
  member.factors = [factor]
  const logouts = backend.counts.byKind.logout ?? 0
  for (const path of ['/dashboard', '/dashboard/account', '/dashboard/account/factor'])
    expect((await visitor.get(path)).location, path).toBe(
      `/auth/factor?redirectTo=${encodeURIComponent(path)}`,
    )
  const ended = await visitor.post('/dashboard/account', { intent: 'end-others' })
  expect(ended.location).toBe('/auth/factor?redirectTo=%2Fdashboard%2Faccount')
  expect(backend.counts.byKind.logout ?? 0).toBe(logouts)
})

test('a refused sign-in shows the message of the service as plain text', async () => {
  const msg = 'Only invited <b>addresses</b>\u202E\u0007 can sign in'
  backend.passwordRefusal = { status: 403, body: { code: 403, error_code: 'hook_says_no', msg } }
  const fields = { intent: 'sign-in', email: 'a@example.com', password: 'a password' }
  const page = await new Visitor(site.url).post('/auth', fields)
  expect(page.status).toBe(400)
  expect(toastOf(page)).toBe('Error Only invited <b>addresses</b> can sign in')
  backend.passwordRefusal = { status: 400, body: { code: 400, error_code: 'invalid_credentials', msg } }
  expect(toastOf(await new Visitor(site.url).post('/auth', fields))).toBe('Error Invalid login credentials')
  backend.passwordRefusal = { status: 500, body: { code: 500, error_code: 'unexpected_failure', msg } }
  expect(toastOf(await new Visitor(site.url).post('/auth', fields))).toBe('Error An error occurred')
  backend.passwordRefusal = undefined
})

test.each<StrictFault>(['503', 'reset', 'garbage'])(
  "a sign-in during an outage (%s) says that it is not the visitor's fault",
  async (fault) => {
    backend.faults.password = fault
    const fields = { intent: 'sign-in', email: 'typed@example.com', password: 'a password' }
    const page = await new Visitor(site.url).post('/auth', fields)
    delete backend.faults.password
    expect(page.status).toBeGreaterThanOrEqual(500)
    expect(toastOf(page)).toBe('Error An error occurred')
    const text = documentOf(page).querySelector('main')?.text
    expect(text).toContain("Sign-in isn't working right now. That's our fault.")
    expect(page.html).toContain('value="typed@example.com"')
  },
)
