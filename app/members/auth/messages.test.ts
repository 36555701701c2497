import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createEnglish } from '../../platform/locales/language.ts'
import { toPlainText } from '../../platform/server/plain-text.ts'
import { classifyAuthError, errorNotice, errorStatus, generalSentence } from './messages.ts'

/** The file of the installed client library that lists the error codes. */
const declaration = readFileSync('node_modules/@supabase/auth-js/dist/module/lib/error-codes.d.ts', 'utf8')
const published = [...declaration.matchAll(/'([a-z0-9_]+)'/g)].map(([, code]) => code as string)

/** The only codes that clear the session (spec §8): each means that it is no longer valid. */
const clearing = [
  'session_not_found',
  'session_expired',
  'refresh_token_not_found',
  'refresh_token_already_used',
  'bad_jwt',
  'invalid_jwt',
  'no_authorization',
  'user_not_found',
  'user_banned',
]

/** Published codes for which the site shows the general error message. */
const general = [
  // Bad requests, which only a bug in this site could cause.
  'validation_failed',
  'bad_json',
  'not_admin',
  'unexpected_audience',
  'hook_payload_over_size_limit',
  'hook_payload_invalid_content_type',
  // Phone numbers, which this site does not use.
  'phone_exists',
  'phone_provider_disabled',
  'phone_not_confirmed',
  'sms_send_failed',
  'over_sms_send_rate_limit',
  'mfa_phone_enroll_not_enabled',
  'mfa_phone_verify_not_enabled',
  // OAuth, SSO, linking, invitations, anonymous members.
  'provider_email_needs_verification',
  'invite_not_found',
  'bad_oauth_state',
  'bad_oauth_callback',
  'oauth_provider_not_supported',
  'saml_provider_disabled',
  'manual_linking_disabled',
  'saml_relay_state_not_found',
  'saml_relay_state_expired',
  'saml_idp_not_found',
  'saml_assertion_no_user_id',
  'saml_assertion_no_email',
  'sso_provider_not_found',
  'saml_metadata_fetch_failed',
  'saml_idp_already_exists',
  'sso_domain_already_exists',
  'saml_entity_id_mismatch',
  'user_sso_managed',
  'anonymous_provider_disabled',
  // Passkeys and recovery codes.
  'webauthn_challenge_expired',
  'mfa_webauthn_enroll_not_enabled',
  'mfa_webauthn_verify_not_enabled',
  'mfa_recovery_codes_enroll_not_enabled',
  'mfa_recovery_codes_verify_not_enabled',
  'mfa_recovery_codes_locked',
  'mfa_recovery_codes_sole_factor',
  // Errors that a member cannot resolve.
  'captcha_failed',
  'conflict',
  'request_timeout',
  'hook_timeout',
  'hook_timeout_after_retry',
  'unexpected_failure',
]

/** The code for a reauthentication by email, which this site does not use: the general message. */
const reauthentication = ['reauth_nonce_missing']

test('reads the published list of error codes', () => {
  expect(published.length).toBeGreaterThan(80)
  expect(published).toContain('refresh_token_already_used')
})

for (const code of published)
  test(`${code} has its own message or, if it is listed, the general message; the session ${clearing.includes(code) ? 'ends' : 'stays'}`, () => {
    const { sentence, session } = classifyAuthError({ code, status: 400 })
    const expectGeneral = general.includes(code) || reauthentication.includes(code)
    expect(sentence === generalSentence).toBe(expectGeneral)
    expect(session).toBe(clearing.includes(code) ? 'clear' : 'keep')
  })

test('the list of codes with the general message contains only published codes', () => {
  expect(general.filter((code) => !published.includes(code))).toEqual([])
})

const { i18n } = createEnglish()
const textOf = (error: Parameters<typeof errorNotice>[0]) => errorNotice(error, i18n).text
const inGeneral = 'An error occurred'

type Info = Pick<ReturnType<typeof classifyAuthError>, 'session' | 'retry' | 'level'> & { sentence: string }
const specified: [Parameters<typeof classifyAuthError>[0], Info][] = [
  [
    { name: 'AuthSessionMissingError', status: 400 },
    { sentence: 'Auth session missing!', session: 'clear', retry: false, level: 'info' },
  ],
  [
    { code: 'session_not_found', status: 403 },
    { sentence: 'Auth session missing!', session: 'clear', retry: false, level: 'info' },
  ],
  [
    { name: 'AuthInvalidTokenResponseError', status: 500 },
    { sentence: 'Auth session or user missing', session: 'keep', retry: false, level: 'error' },
  ],
  [
    { name: 'AuthInvalidJwtError', code: 'invalid_jwt', status: 400 },
    { sentence: 'Invalid JWT', session: 'clear', retry: false, level: 'info' },
  ],
  [
    { name: 'AuthImplicitGrantRedirectError', status: 500 },
    { sentence: inGeneral, session: 'keep', retry: false, level: 'error' },
  ],
  [
    { name: 'AuthApiError', code: 'identity_already_exists', status: 422 },
    { sentence: 'Identity is already linked to another user', session: 'keep', retry: false, level: 'info' },
  ],
  [
    { name: 'AuthApiError', code: 'identity_not_found', status: 422 },
    { sentence: 'Identity not found', session: 'keep', retry: false, level: 'info' },
  ],
  [
    { name: 'AuthApiError', code: 'single_identity_not_deletable', status: 422 },
    { sentence: "You can't remove your only way to sign in", session: 'keep', retry: false, level: 'info' },
  ],
  [
    { name: 'AuthApiError', code: 'invalid_credentials', status: 400 },
    { sentence: 'Invalid login credentials', session: 'keep', retry: false, level: 'info' },
  ],
  ...[502, 503, 504, 0].map((status): (typeof specified)[number] => [
    { name: 'AuthRetryableFetchError', status },
    { sentence: inGeneral, session: 'keep', retry: true, level: 'warn' },
  ]),
]
for (const [error, info] of specified)
  test(`${error.code ?? error.name} (${error.status}) shows the message that the specification gives; session: ${info.session}`, () => {
    const { sentence, ...others } = info
    expect(classifyAuthError(error)).toMatchObject(others)
    expect(textOf(error)).toBe(sentence)
  })

test('the reasons why a password is weak are listed in our own words', () => {
  const sentenceOf = (reasons: string[]) => textOf({ code: 'weak_password', status: 422, reasons })
  expect(sentenceOf(['length', 'characters', 'pwned'])).toBe(
    'Password is too weak. It is too short. Add another kind of character. It appeared in a data leak.',
  )
  expect(sentenceOf(['<b>', 'toString', '__proto__'])).toBe('Password is too weak.')
  expect(sentenceOf([])).toBe('Password is too weak.')
})

test('the message of an unknown 4xx error is shown as plain text, and no other text from the backend is shown', () => {
  const strange = [
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    '',
    ' ',
    'x'.repeat(9_999),
    '<img src=x onerror=alert(1)>',
  ]
  for (const word of [
    ...strange,
    ...published.map((code) => ` ${code}`),
    ...published.map((code) => code.toUpperCase()),
  ])
    for (const status of [
      undefined,
      0,
      200,
      400,
      401,
      403,
      404,
      409,
      422,
      429,
      500,
      502,
      503,
      504,
      522,
      NaN,
    ]) {
      const error = { name: word, code: word, status, message: `${word} said`, reasons: [word] }
      // A 429 without a known code comes from a gateway, so the site does not show its message.
      const refused = status !== undefined && status >= 400 && status < 500 && status !== 429
      const sentence = refused ? toPlainText(`${word} said`) : inGeneral
      expect(classifyAuthError(error).session).toBe('keep')
      expect(textOf({ ...error, message: '{}' })).toBe(inGeneral)
      expect(errorNotice(error, i18n)).toEqual({
        ...{ title: 'Error', text: sentence, destructive: true },
        // `lang` marks the service's message as English.
        ...(refused && { lang: 'en' }),
      })
      expect([400, 429, 502, 503]).toContain(errorStatus(error))
    }
})

test('a known code has its own message, whatever message the service sends', () => {
  const error = { code: 'invalid_credentials', status: 400, message: 'Call 555 to unlock your account' }
  expect(textOf(error)).toBe('Invalid login credentials')
  const hook = {
    name: 'AuthApiError',
    code: 'unknown',
    status: 403,
    message: 'Only\nmembers \u202Eof the club',
  }
  expect(textOf(hook)).toBe('Only members of the club')
  expect(textOf({ ...hook, status: 500 })).toBe(inGeneral)
})

test('only temporary errors are retried', () => {
  const retried = published.filter((code) => classifyAuthError({ code, status: 400 }).retry)
  expect(retried.toSorted()).toEqual([
    'conflict',
    'hook_timeout',
    'hook_timeout_after_retry',
    'over_email_send_rate_limit',
    'over_request_rate_limit',
    'request_timeout',
    'unexpected_failure',
  ])
})

test('the status is 400 for refused input, 503 for an unreachable service and 502 for an invalid response', () => {
  expect(errorStatus({ code: 'invalid_credentials', status: 400 })).toBe(400)
  expect(errorStatus({ code: 'over_request_rate_limit', status: 429 })).toBe(429)
  for (const status of [undefined, 0, 502, 503, 504]) expect(errorStatus({ status })).toBe(503)
  for (const status of [200, 400, 500, 501, 520]) expect(errorStatus({ status })).toBe(502)
})
