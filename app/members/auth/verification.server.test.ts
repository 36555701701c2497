import type { AppLoadContext } from '@remix-run/cloudflare'
import { describe, expect, test } from 'vitest'
import { createEnglish } from '../../platform/locales/language.ts'
import { CookieJar } from '../../platform/server/cookies.server.ts'
import { newPasswordPath, safeRedirect } from '../../platform/server/redirect.ts'
import { parseEmailChange, parseNewPassword, parsePasswordChange } from './account.server.ts'
import { parseCredentials, signInWithPassword } from './credentials.server.ts'
import { dependsOnAddress, parseAddress } from './email.server.ts'
import type { Viewer } from './identity.server.ts'
import { clearPendingEmail, readPendingEmail, savePendingEmail } from './pending-email.server.ts'
import { beginRecovery, endRecovery, isRecovering } from './recovery.server.ts'
import { kindOf, parseCode, parseLink } from './verification.server.ts'

const site = 'https://site.example'
const tooLong = 'Password must be at most 72 characters, or fewer with accents or emoji'

const { i18n } = createEnglish()

function form(fields: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

function jar(cookie = ''): CookieJar {
  return new CookieJar(cookie, { secure: false })
}

/** The cookies that the same browser sends with its next request. */
function next(cookies: CookieJar): CookieJar {
  return jar(
    cookies
      .all()
      .map(({ name, value }) => `${name}=${value}`)
      .join('; '),
  )
}

const errorsOf = (submission: { status?: string; error?: unknown }) =>
  submission.status === 'success' ? null : submission.error

describe('whether an error may depend on the email address', () => {
  test.each([
    ['user_not_found', 400],
    ['otp_disabled', 422],
    ['signup_disabled', 422],
    ['over_email_send_rate_limit', 429],
    ['email_address_not_authorized', 400],
    ['email_not_confirmed', 400],
    ['user_banned', 403],
    ['a code of next year', 400],
  ])('%s may depend on the address and is not shown', (code, status) => {
    expect(dependsOnAddress({ code, status })).toBe(true)
  })

  test.each([
    [{ code: 'over_request_rate_limit', status: 429 }],
    [{ code: 'email_provider_disabled', status: 400 }],
    [{ name: 'AuthRetryableFetchError', status: 0 }],
    [{ name: 'AuthRetryableFetchError', status: 503 }],
    [{ name: 'AuthUnknownError' }],
    [{ status: 429 }],
    [{ code: 'unexpected_failure', status: 500 }],
  ])('%o does not depend on the address and is shown', (error) => {
    expect(dependsOnAddress(error)).toBe(false)
  })
})

describe('a mailed link', () => {
  const parse = (query: string) => parseLink(new URLSearchParams(query))

  test.each([
    ['type=email', 'sign-up'],
    ['type=email&purpose=sign-in', 'sign-in'],
    ['type=email&purpose=nonsense', 'sign-up'],
    ['type=signup', 'sign-up'],
    ['type=magiclink', 'sign-in'],
    ['type=recovery', 'recovery'],
    ['type=invite', 'invite'],
    ['type=email_change', 'email-change'],
  ])('%s has the purpose %s', (query, kind) => {
    const link = parse(`token_hash=abc&${query}`)
    expect(link && kindOf(link)).toBe(kind)
  })

  test.each([
    '',
    'token_hash=abc',
    'type=email',
    'token_hash=&type=email',
    'token_hash=abc&type=sms',
    `token_hash=${'a'.repeat(501)}&type=email`,
  ])('%s is incomplete', (query) => expect(parse(query)).toBeNull())
})

test.each([
  ['123456', '123456'],
  [' 123 456 ', '123456'],
  ['123-456', '123456'],
  ['12345678', '12345678'],
  ['１２３４５６', '123456'],
  ['١٢٣٤٥٦', '123456'],
])('the entered code %s is read as %s', (typed, code) => {
  const submission = parseCode(form({ code: typed }), i18n)
  expect(submission.status === 'success' && submission.value.code).toBe(code)
})

test.each(['', '12345', 'abcdef', '①②③④⑤⑥', '12345678901'])('%s is refused as a code', (code) => {
  expect(errorsOf(parseCode(form({ code }), i18n))).toEqual({ code: ['Please enter the 6-digit code'] })
})

test.each([
  ['73 letters', 'x'.repeat(73), false],
  ['72 letters', 'x'.repeat(72), true],
  ['36 accents', 'é'.repeat(36), true],
  ['37 accents', 'é'.repeat(37), false],
  ['40 accents and 4 letters, which bcrypt would truncate', `${'é'.repeat(40)}AAAA`, false],
  ['18 emoji', '😀'.repeat(18), true],
  ['19 emoji', '😀'.repeat(19), false],
])('accepts a new password only if it has at most 72 bytes: %s', (_, password, accepted) => {
  const chosen = errorsOf(parseNewPassword(form({ newPassword: password }), i18n))
  expect(chosen).toEqual(accepted ? null : { newPassword: [tooLong] })
  const fields = { email: 'a@example.com', password, username: 'Ada' }
  const signUp = errorsOf(parseCredentials(form({ intent: 'sign-up', ...fields }), i18n))
  expect(signUp).toEqual(accepted ? null : { password: [tooLong] })
  expect(errorsOf(parseCredentials(form({ intent: 'sign-in', ...fields }), i18n))).toBeNull()
})

test('the forms show the messages that the specification gives', () => {
  expect(errorsOf(parseAddress(form({ email: 'x' }), i18n))).toEqual({ email: ['Invalid email address'] })
  expect(errorsOf(parseNewPassword(form({ newPassword: '12345' }), i18n))).toEqual({
    newPassword: ['Password must be at least 6 characters'],
  })
  expect(errorsOf(parseNewPassword(form({ newPassword: 'x'.repeat(73) }), i18n))).toEqual({
    newPassword: [tooLong],
  })
  expect(errorsOf(parsePasswordChange(form({}), i18n))).toEqual({
    currentPassword: ['Please enter your current password'],
    newPassword: ['Password must be at least 6 characters'],
  })
  expect(errorsOf(parseEmailChange(form({ email: 'A@Example.org' }), 'a@example.org', i18n))).toEqual({
    email: ["That's already your email"],
  })
  expect(errorsOf(parseEmailChange(form({ email: 'a@example.org' }), null, i18n))).toBeNull()
})

describe('the cookie for a requested email', () => {
  const who = { email: 'a@example.org', purpose: 'sign-in', redirectTo: '/dashboard?edit=profile' } as const

  test('can be read by later requests until it is removed', () => {
    const first = jar()
    savePendingEmail(first, who)
    const second = next(first)
    expect(readPendingEmail(second)).toEqual(who)
    clearPendingEmail(second)
    expect(readPendingEmail(second)).toBeNull()
  })

  test('omits a requested page that is too long for a cookie', () => {
    const cookies = jar()
    savePendingEmail(cookies, { ...who, redirectTo: `/${'x'.repeat(4_000)}` })
    expect(readPendingEmail(cookies)).toEqual({ ...who, redirectTo: null })
  })

  test.each(['', 'pending-email=%', 'pending-email={}', 'pending-email=%7B%22email%22%3A1%7D'])(
    'is ignored if its content is invalid: %s',
    (cookie) => {
      expect(readPendingEmail(jar(cookie))).toBeNull()
    },
  )
})

describe('a recovery', () => {
  const minutes = 60_000
  const recovering = (cookies: CookieJar, id: string, mailedAgo: number | null) =>
    isRecovering(
      { cookies, config: { CLOCK_RATE: 1, CLOCK_START: 0 } } as AppLoadContext,
      { id, mailedAt: mailedAgo === null ? 0 : Date.now() - mailedAgo } as Viewer,
    )

  test('is valid only for its own member, until a password is chosen', () => {
    const cookies = jar()
    beginRecovery(cookies, 'ada')
    expect(recovering(next(cookies), 'ada', minutes)).toBe(true)
    expect(recovering(next(cookies), 'bob', minutes)).toBe(false)
    endRecovery(cookies)
    expect(recovering(next(cookies), 'ada', minutes)).toBe(false)
  })

  test('requires a verified token with an email method used within the last hour, whatever the cookie contains', () => {
    const forged = jar('recovery=ada')
    expect(recovering(forged, 'ada', null)).toBe(false)
    expect(recovering(forged, 'ada', 61 * minutes)).toBe(false)
    expect(recovering(forged, 'ada', 59 * minutes)).toBe(true)
  })
})

test('a return path to the page for a new password is kept; a return path to another sign-in page becomes the dashboard', () => {
  expect(safeRedirect(newPasswordPath, site)).toBe(newPasswordPath)
  for (const path of ['/auth/new-password/x', '/auth/code', '/auth/confirm?type=email'])
    expect(safeRedirect(path, site)).toBe('/dashboard')
})

// https://github.com/ulsklyc/yuvomi/issues/608, https://github.com/mattermost/mattermost/issues/36877,
// https://github.com/matrix-org/synapse/issues/3306, https://github.com/inmanta/inmanta-core/pull/10538
test('a password has one form for every keyboard, and a sign-in tries the forms of older passwords', async () => {
  const [composed, decomposed] = ['ma\u00f1ana', 'man\u0303ana']
  for (const typed of [composed, decomposed, 'ｍａñａｎａ'])
    expect(parseNewPassword(form({ newPassword: typed }), i18n)).toMatchObject({
      status: 'success',
      value: { newPassword: composed },
    })
  // Six code units, but five characters.
  expect(parseNewPassword(form({ newPassword: 'man\u0303an' }), i18n).status).toBe('error')
  const asked: string[] = []
  const authWith = (stored: string) =>
    ({
      signInWithPassword: async ({ password }: { password: string }) => {
        asked.push(password)
        return password === stored ? { error: null } : { error: { code: 'invalid_credentials' } }
      },
    }) as never
  for (const stored of [composed, decomposed])
    for (const password of [composed, decomposed])
      expect(
        (await signInWithPassword(authWith(stored), { email: 'a@b.example', password })).error,
      ).toBeNull()
  asked.length = 0
  expect(
    (await signInWithPassword(authWith('other'), { email: 'a@b.example', password: 'ascii only' })).error,
  ).not.toBeNull()
  expect(asked).toEqual(['ascii only'])
})
