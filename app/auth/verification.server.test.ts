import { describe, expect, test } from 'vitest'
import { CookieJar } from '../server/cookies.server.ts'
import { parseEmailChange, parseNewPassword, parsePasswordChange } from './account.server.ts'
import { dependsOnAddress, parseAddress } from './email.server.ts'
import { clearPendingEmail, readPendingEmail, savePendingEmail } from './pending-email.server.ts'
import { beginRecovery, endRecovery, isRecovering } from './recovery.server.ts'
import { newPasswordPath, safeRedirect } from './redirect.ts'
import { kindOf, parseCode, parseLink } from './verification.server.ts'

const site = 'https://site.example'

function form(fields: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

function jar(cookie = ''): CookieJar {
  return new CookieJar(new Request(site, { headers: { Cookie: cookie } }), { secure: true })
}

/** What a later request of the same browser sends. */
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

describe('whether a refusal may depend on the address', () => {
  test.each([
    ['user_not_found', 400],
    ['otp_disabled', 422],
    ['signup_disabled', 422],
    ['over_email_send_rate_limit', 429],
    ['email_address_not_authorized', 400],
    ['email_not_confirmed', 400],
    ['user_banned', 403],
    ['a code of next year', 400],
  ])('%s does: it is never told', (code, status) => {
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
  ])('%o does not: it is said', (error) => {
    expect(dependsOnAddress(error)).toBe(false)
  })
})

describe('an e-mailed link', () => {
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
  ])('%s is for %s', (query, kind) => {
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
  ])('%s is not a whole one', (query) => expect(parse(query)).toBeNull())
})

test.each([
  ['123456', '123456'],
  [' 123 456 ', '123456'],
  ['123-456', '123456'],
  ['12345678', '12345678'],
])('the code %s is read as %s', (typed, code) => {
  const submission = parseCode(form({ code: typed }))
  expect(submission.status === 'success' && submission.value.code).toBe(code)
})

test.each(['', '12345', 'abcdef', '１２３４５６', '12345678901'])('%s is no code', (code) => {
  expect(errorsOf(parseCode(form({ code })))).toEqual({ code: ['Please enter the six-digit code'] })
})

test('forms say what is wrong in the words of the specification', () => {
  expect(errorsOf(parseAddress(form({ email: 'x' })))).toEqual({ email: ['Invalid email address'] })
  expect(errorsOf(parseNewPassword(form({ newPassword: '12345' })))).toEqual({
    newPassword: ['Password must be at least 6 characters'],
  })
  expect(errorsOf(parseNewPassword(form({ newPassword: 'x'.repeat(73) })))).toEqual({
    newPassword: ['Password must be at most 72 characters'],
  })
  expect(errorsOf(parsePasswordChange(form({})))).toEqual({
    currentPassword: ['Please enter your current password'],
    newPassword: ['Password must be at least 6 characters'],
  })
  expect(errorsOf(parseEmailChange(form({ email: 'A@Example.org' }), 'a@example.org'))).toEqual({
    email: ['This is your e-mail address already'],
  })
  expect(errorsOf(parseEmailChange(form({ email: 'a@example.org' }), null))).toBeNull()
})

describe('what is kept while a mail is waited for', () => {
  const who = { email: 'a@example.org', purpose: 'sign-in', redirectTo: '/dashboard?edit=profile' } as const

  test('comes back with the next request, and goes when it is dropped', () => {
    const first = jar()
    savePendingEmail(first, who)
    const second = next(first)
    expect(readPendingEmail(second)).toEqual(who)
    clearPendingEmail(second)
    expect(readPendingEmail(second)).toBeNull()
  })

  test('leaves out where the visitor was going when that is too long for a cookie', () => {
    const cookies = jar()
    savePendingEmail(cookies, { ...who, redirectTo: `/${'x'.repeat(4_000)}` })
    expect(readPendingEmail(cookies)).toEqual({ ...who, redirectTo: null })
  })

  test.each(['', 'pending-email=%', 'pending-email={}', 'pending-email=%7B%22email%22%3A1%7D'])(
    'garbage is nothing: %s',
    (cookie) => {
      expect(readPendingEmail(jar(cookie))).toBeNull()
    },
  )
})

test('a recovery is for its own member, until a password is chosen', () => {
  const cookies = jar()
  beginRecovery(cookies, 'ada')
  expect(isRecovering(next(cookies), 'ada')).toBe(true)
  expect(isRecovering(next(cookies), 'bob')).toBe(false)
  endRecovery(cookies)
  expect(isRecovering(next(cookies), 'ada')).toBe(false)
})

test('a recovery goes on after its second factor; other pages that sign in lead home', () => {
  expect(safeRedirect(newPasswordPath, site)).toBe(newPasswordPath)
  for (const path of ['/auth/new-password/x', '/auth/code', '/auth/confirm?type=email'])
    expect(safeRedirect(path, site)).toBe('/dashboard')
})
