import { afterEach, expect, test, vi } from 'vitest'
import { sendMail } from './send.server.ts'

const settings = {
  from: 'Goodblock <mail@goodblock.example>',
  key: 're_1',
  url: 'https://mail.example/emails',
}
const mail = {
  to: 'ana@example.org',
  subject: 'a',
  html: 'b',
  text: 'c',
  headers: { 'List-Unsubscribe': '<d>' },
}

afterEach(() => vi.unstubAllGlobals())

test.each([
  [200, {}, 'sent'],
  [409, { name: 'invalid_idempotent_request' }, 'sent'],
  [409, { name: 'concurrent_idempotent_requests' }, 'again'],
  [429, { name: 'rate_limit_exceeded' }, 'again'],
  [500, { name: 'application_error' }, 'again'],
  [503, null, 'again'],
  [429, { name: 'daily_quota_exceeded' }, 'paused'],
  [429, { name: 'monthly_quota_exceeded' }, 'paused'],
  [401, { name: 'missing_api_key' }, 'paused'],
  [403, { name: 'validation_error', message: 'The domain is not verified' }, 'paused'],
  [422, { name: 'invalid_from_address', message: 'Invalid `from` field' }, 'paused'],
  [422, { name: 'validation_error', message: 'Invalid `to` field' }, 'refused'],
  [302, null, 'paused'],
])('a response with status %i and %o gives the outcome %s', async (status, body, outcome) => {
  const fetched = vi.fn(
    async (..._: Parameters<typeof fetch>) => new Response(JSON.stringify(body), { status }),
  )
  vi.stubGlobal('fetch', fetched)
  expect((await sendMail(settings, mail, 'a key')).outcome).toBe(outcome)
  const [url, init] = fetched.mock.calls[0] ?? []
  expect(url).toBe(settings.url)
  expect(init?.headers).toMatchObject({ Authorization: 'Bearer re_1', 'Idempotency-Key': 'a key' })
  expect(JSON.parse(`${init?.body}`)).toEqual({ ...mail, from: settings.from, to: ['ana@example.org'] })
})

test('if the mail service does not respond, the email is sent again later', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network')))
  expect(await sendMail(settings, mail, 'a key')).toEqual({ outcome: 'again', reason: 'TypeError' })
})
