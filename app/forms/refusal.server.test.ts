import { expect, test } from 'vitest'
import { parseCredentials } from '../auth/credentials.server.ts'
import { errorNotice, errorStatus } from '../auth/messages.ts'
import { createEnglish } from '../locales/language.ts'
import { parseProfileEdit } from '../routes/dashboard/profile-edit.server.ts'
import { validationError } from './refusal.server.ts'

const { i18n } = createEnglish()

function form(fields: Record<string, string | undefined>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value ?? '')
  return data
}

const order = ['email', 'password', 'username', 'intent']

test.each([
  [{ intent: 'sign-in' }, 'Invalid email address'],
  [{ intent: 'sign-in', email: 'a@b', password: '123456' }, 'Invalid email address'],
  [{ intent: 'sign-in', email: 'a@example.com' }, 'Password must be at least 6 characters'],
  [
    { intent: 'sign-in', email: 'a@example.com', password: '12345' },
    'Password must be at least 6 characters',
  ],
  [{ intent: 'sign-up', email: 'x', password: 'x', username: 'x' }, 'Invalid email address'],
  [
    { intent: 'sign-up', email: 'a@example.com', password: '123456' },
    'Username must be at least 3 characters',
  ],
  [
    { intent: 'sign-up', email: 'a@example.com', password: '123456', username: 'ab' },
    'Username must be at least 3 characters',
  ],
])('the response to the form %o shows only the first error', (fields, message) => {
  const submission = parseCredentials(form(fields), i18n)
  expect(submission.status).toBe('error')
  const { notice, lastResult } = validationError(submission, i18n, order, ['password']).data
  expect(notice).toEqual({ title: 'Validation Error', text: message, destructive: true })
  expect(Object.values(lastResult.error ?? {})).toEqual([[message]])
  expect(JSON.stringify(lastResult)).not.toContain('12345')
})

test.each([{}, { intent: 'delete-everything' }, { intent: 'update-profile', email: 'a@example.com' }])(
  'a form of a different kind is refused: %o',
  (fields) => {
    const submission = parseCredentials(form(fields), i18n)
    expect(submission.status).toBe('error')
    expect(validationError(submission, i18n, order).data.notice.text).toMatch(/reload the page/)
  },
)

test('an empty wallet address removes the stored address', () => {
  const submission = parseProfileEdit(
    form({ intent: 'update-profile', username: ' Ana ', walletAddress: '   ' }),
    i18n,
  )
  expect(submission.status === 'success' && submission.value).toEqual({
    intent: 'update-profile',
    username: 'Ana',
    walletAddress: null,
  })
})

test.each([
  [{ code: 'invalid_credentials', status: 400 }, 'Invalid login credentials', 400],
  [{ code: 'user_already_exists', status: 422 }, 'User already registered', 400],
  [{ code: 'over_request_rate_limit', status: 429 }, 'Request rate limit reached', 429],
  [{ code: 'unknown_code', status: 400 }, 'An error occurred', 400],
  [{ code: 'unknown_code', status: 400, message: 'Ask the club' }, 'Ask the club', 400],
  [{ code: 'constructor', status: 400 }, 'An error occurred', 400],
  [{ name: 'AuthRetryableFetchError', status: 0 }, 'An error occurred', 503],
  [{ name: 'AuthRetryableFetchError', status: 502 }, 'An error occurred', 503],
  [{ name: 'AuthUnknownError', status: 200 }, 'An error occurred', 502],
  [{ name: 'AuthInvalidTokenResponseError', status: 500 }, 'Auth session or user missing', 502],
])('the error %o has the sentence %s and the status %i', (error, sentence, status) => {
  expect(errorNotice(error, i18n)).toMatchObject({ title: 'Error', text: sentence, destructive: true })
  expect(errorStatus(error)).toBe(status)
})

test('the reasons why a password is weak are listed', () => {
  const error = { code: 'weak_password', status: 422, reasons: ['length', 'pwned', '<script>'] }
  expect(errorNotice(error, i18n).text).toBe(
    'Password is too weak. It is too short. It appeared in a data leak.',
  )
})
