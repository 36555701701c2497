import type { AppLoadContext } from '@remix-run/cloudflare'
import { expect, test } from 'vitest'
import { createEnglish } from '../../platform/locales/language.ts'
import type { outagePage } from '../../platform/server/outage.server.ts'
import { factorsOf, usable } from './factor.server.ts'
import { parseAnswer, readEnrolment } from './factor-form.server.ts'
import { forgetSessions, requireFreshAssurance, requireMember, requireViewer } from './viewer.server.ts'

const verified = { id: 'f1', factor_type: 'totp', status: 'verified', friendly_name: 'My phone' }
const unverified = { ...verified, id: 'f2', status: 'unverified' }
const minute = 60_000

interface Scene {
  assurance?: 'aal1' | 'aal2'
  shownAgo?: number
  /** The user in the session cookie (`remembered`), and the user that the auth service returns (`known`). */
  remembered?: unknown
  known?: unknown
  error?: { code?: string; status: number; name?: string }
}

function scene({ assurance = 'aal1', shownAgo = Infinity, remembered, known, error }: Scene) {
  const asked: string[] = []
  let dropped = false
  const viewer = {
    id: 'm',
    // A new session for each call, because the guard remembers the sessions that the service confirmed.
    sessionId: crypto.randomUUID(),
    email: 'm@example.com',
    accessToken: crypto.randomUUID(),
    assurance,
    factorShownAt: Math.max(0, Date.now() - shownAgo),
    provenAt: 0,
    mailedAt: 0,
  }
  const context = {
    config: { CLOCK_RATE: 1, CLOCK_START: 0 },
    viewer: async () => ({ kind: 'member', viewer }),
    session: async () => ({ kind: 'good', stored: { user: remembered } }),
    dropSession: () => {
      dropped = true
    },
    user: async (token: string) => {
      asked.push(token)
      return error ? { user: null, error } : { user: known, error: null }
    },
  } as unknown as AppLoadContext
  return { context, asked, wasDropped: () => dropped }
}

/** The redirect or the status that a guard throws, or 'in' if the guard returns. */
async function outcome(guard: Promise<unknown>): Promise<string> {
  try {
    await guard
    return 'in'
  } catch (thrown) {
    if (thrown instanceof Response) return thrown.headers.get('Location') ?? String(thrown.status)
    return String((thrown as ReturnType<typeof outagePage>).init?.status)
  }
}

const challenge = '/auth/factor?redirectTo=%2Fdashboard%3Fa%3D1'
const here = '/dashboard?a=1'

test.each<[string, Scene, string, number]>([
  ['no factor', { known: {} }, 'in', 1],
  ['an unfinished factor', { known: { factors: [unverified] } }, 'in', 1],
  ['a factor that was passed', { assurance: 'aal2' }, 'in', 1],
  [
    'a factor that was passed and an unreachable service',
    { assurance: 'aal2', error: { name: 'AuthRetryableFetchError', status: 0 } },
    'in',
    1,
  ],
  [
    'a factor that was passed and a session that is over',
    { assurance: 'aal2', error: { code: 'session_not_found', status: 403 } },
    '/auth?redirectTo=%2Fdashboard%3Fa%3D1',
    1,
  ],
  ['a factor that was not passed', { known: { factors: [verified] } }, challenge, 1],
  [
    'a factor that was not passed and a cookie that says there is none',
    { remembered: { factors: [] }, known: { factors: [verified] } },
    challenge,
    1,
  ],
  ['a removed factor in the cookie', { remembered: { factors: [verified] }, known: {} }, 'in', 1],
  ['an unreachable service', { error: { name: 'AuthRetryableFetchError', status: 0 } }, '503', 1],
  ['an invalid response of the service', { known: { factors: 'x' } }, '503', 1],
  [
    'a session that is over',
    { error: { code: 'session_not_found', status: 403 } },
    '/auth?redirectTo=%2Fdashboard%3Fa%3D1',
    1,
  ],
])(
  'the dashboard accepts the member, redirects, or responds with 503: %s',
  async (_, what, expected, questions) => {
    const { context, asked, wasDropped } = scene(what)
    expect(await outcome(requireViewer(context, here))).toBe(expected)
    expect(asked).toHaveLength(questions)
    expect(wasDropped()).toBe(what.error?.code === 'session_not_found')
    expect(await outcome(requireMember(context, here))).toBe('in')
  },
)

test.each<Scene>([{ known: {} }, { known: { factors: [verified] }, assurance: 'aal2' }])(
  'the auth service confirms a session at most once a minute, and again after the member has ended other sessions: %j',
  async (what) => {
    const { context, asked } = scene(what)
    for (let visit = 0; visit < 3; visit++) expect(await outcome(requireViewer(context, here))).toBe('in')
    expect(asked).toHaveLength(1)
    forgetSessions('someone else')
    expect(await outcome(requireViewer(context, here))).toBe('in')
    expect(asked).toHaveLength(1)
    forgetSessions('m')
    expect(await outcome(requireViewer(context, here))).toBe('in')
    expect(asked).toHaveLength(2)
  },
)

test('a sensitive action reads the factors from the auth service each time', async () => {
  const { context, asked } = scene({ known: {} })
  for (let visit = 0; visit < 3; visit++) expect(await outcome(requireViewer(context, here))).toBe('in')
  expect(asked).toHaveLength(1)
  expect(await outcome(requireFreshAssurance(context, here))).toBe('in')
  expect(asked).toHaveLength(2)
})

test.each<[string, Scene, string]>([
  ['passed nine minutes ago', { assurance: 'aal2', shownAgo: 9 * minute }, 'in'],
  ['passed eleven minutes ago', { assurance: 'aal2', shownAgo: 11 * minute }, challenge],
  ['not passed', { assurance: 'aal1', shownAgo: 1 * minute }, challenge],
])('a sensitive action accepts or redirects a member whose factor was %s', async (_, what, expected) => {
  const user = { factors: [verified] }
  const { context } = scene({ remembered: user, known: user, ...what })
  expect(await outcome(requireFreshAssurance(context, here))).toBe(expected)
})

test('a sensitive action ignores the factors in the cookie', async () => {
  const added = scene({ remembered: {}, known: { factors: [verified] } })
  expect(await outcome(requireFreshAssurance(added.context, here))).toBe(challenge)
  const none = scene({ remembered: {}, known: {} })
  expect(await outcome(requireFreshAssurance(none.context, here))).toBe('in')
})

test('the site supports only verified TOTP factors', () => {
  const phone = { ...verified, id: 'f3', factor_type: 'phone' }
  const nameless = { ...verified, id: 'f4', friendly_name: null, created_at: '2026-11-21T10:00:00Z' }
  const factors = factorsOf({ factors: [verified, unverified, phone, nameless] }) ?? []
  expect(usable(factors)).toEqual([
    { id: 'f1', name: 'My phone', addedAt: null },
    { id: 'f4', name: 'Authenticator app', addedAt: '2026-11-21T10:00:00Z' },
  ])
  expect(factorsOf({})).toEqual([])
  expect(factorsOf(null)).toBeNull()
})

function form(fields: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return data
}

const factorId = '3f0c5f0e-5b0a-4c39-9d0c-0a1b2c3d4e5f'

test.each([
  ['123456', true],
  [' 123 456 ', true],
  ['12345', false],
  ['1234567', false],
  ['12345a', false],
  ['١٢٣٤٥٦', true],
  ['123-456', true],
  ['', false],
])('the form accepts the code %o: %o', (code, good) => {
  const submission = parseAnswer(form({ factorId, code }), createEnglish().i18n)
  expect(submission.status).toBe(good ? 'success' : 'error')
  if (!good && submission.status === 'error')
    expect(submission.error).toEqual({ code: ['Enter the 6-digit code from your app'] })
})

test('the fields of an enrolment are read from its form, and an altered form is refused', async () => {
  const fields = { factorId, name: 'My phone', secret: 'ABC', uri: 'otpauth://totp/x' }
  expect(
    await readEnrolment(form({ ...fields, intent: 'verify', code: '1', qr: 'https://evil.example/x.png' })),
  ).toEqual({ ...fields, qr: expect.stringMatching(/^data:image\/svg\+xml,%3Csvg/) })
  expect(await readEnrolment(form({ ...fields, uri: 'javascript:alert(1)' }))).toBeNull()
})
