import { expect, test } from 'vitest'
import { parseProfileEdit } from '../../account/routes/dashboard/profile-edit.server.ts'
import { parseCredentials } from '../../members/auth/credentials.server.ts'
import { errorNotice, errorStatus } from '../../members/auth/messages.ts'
import { createEnglish } from '../locales/language.ts'
import { refuse } from './refusal.server.ts'
import { fieldsOf } from './refusal.ts'

const { i18n } = createEnglish()

function form(fields: Record<string, string | undefined>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value ?? '')
  return data
}

const context = () => ({ language: createEnglish(), refused: false })

test.each([
  [{ intent: 'sign-in' }, ['Invalid email address', 'Password must be at least 6 characters']],
  [{ intent: 'sign-in', email: 'a@b', password: '123456' }, ['Invalid email address']],
  [{ intent: 'sign-in', email: 'a@example.com' }, ['Password must be at least 6 characters']],
  [
    { intent: 'sign-in', email: 'a@example.com', password: '12345' },
    ['Password must be at least 6 characters'],
  ],
  [
    { intent: 'sign-up', email: 'x', password: 'x', username: 'x' },
    [
      'Invalid email address',
      'Password must be at least 6 characters',
      'Username must be at least 3 characters',
    ],
  ],
  [
    { intent: 'sign-up', email: 'a@example.com', password: '123456' },
    ['Username must be at least 3 characters'],
  ],
  [
    { intent: 'sign-up', email: 'a@example.com', password: '123456', username: 'ab' },
    ['Username must be at least 3 characters'],
  ],
])(
  'the response to the form %o shows each error at its field, and the first one in the notice',
  (fields, messages) => {
    const submission = parseCredentials(form(fields), i18n)
    expect(submission.status).toBe('error')
    const { notice, errors, values } = refuse(context(), submission, { hide: ['password'] }).data
    expect(notice).toEqual({ title: 'Validation Error', text: messages[0], destructive: true })
    expect(Object.values(errors)).toEqual(messages)
    expect(values).not.toHaveProperty('password')
  },
)

test('only the first faulty field takes the focus, and each field gets its value back', () => {
  const typed = { intent: 'sign-up', email: 'x', password: 'x', username: 'y' }
  const refused = refuse(context(), parseCredentials(form(typed), i18n), { hide: ['password'] }).data
  const field = fieldsOf(refused)
  const names = ['username', 'email', 'password']
  expect(names.map((name) => field(name).isFirst)).toEqual([false, true, false])
  expect(names.map((name) => field(name, 'initial').defaultValue)).toEqual(['y', 'x', undefined])
  expect(fieldsOf(undefined)('email', 'initial')).toMatchObject({ defaultValue: 'initial', isFirst: false })
})

test('a refusal with a message shows only this message, and marks the page as refused', () => {
  const submission = parseCredentials(form({ intent: 'sign-in', email: 'x' }), i18n)
  const given = context()
  const { data, init } = refuse(given, submission, { message: 'Too many.', status: 429 })
  expect(data).toMatchObject({
    errors: {},
    values: { email: 'x' },
    notice: { title: 'Error', text: 'Too many.' },
  })
  expect([init?.status, given.refused]).toEqual([429, true])
  const { errors } = refuse(context(), null, { message: 'Wrong.', field: 'code' }).data
  expect(errors).toEqual({ code: 'Wrong.' })
})

test.each([{}, { intent: 'delete-everything' }, { intent: 'update-profile', email: 'a@example.com' }])(
  'a form of a different kind is refused: %o',
  (fields) => {
    const submission = parseCredentials(form(fields), i18n)
    expect(submission.status).toBe('error')
    expect(refuse(context(), submission).data.notice.text).toMatch(/reload the page/)
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
