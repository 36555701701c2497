import { expect, test } from 'vitest'
import { secretsIn } from './secrets.ts'

const line = (fields: object) =>
  JSON.stringify({ level: 'info', event: 'request', requestId: crypto.randomUUID(), ms: 123456, ...fields })

test('finds no secret in a correct log', () => {
  const lines = [
    line({ method: 'GET', path: '/auth/confirm', status: 200 }),
    line({ path: `/transparency/${'ab'.repeat(32)}` }),
    line({ path: `/transparency/0x${'ab'.repeat(32)}`, code: '22P05', reason: 'TimeoutError' }),
    'backend error 23505 transactions_key request 6e8bc430-9c3a-11d9-9669-0800200c9a66',
    'backend  http://127.0.0.1:54321',
  ]
  expect(secretsIn(lines, ['an unlucky refresh token'])).toEqual([])
})

test.each([
  ['a token', 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x'],
  ['a key', 'sb_secret_x1y2'],
  ['a cookie', 'sb-127-auth-token=x'],
  ['a cookie', 'base64-eyJ'],
  ['an e-mail address', 'member-1a2b3c4d@example.com'],
  ['an e-mail address', '/auth?email=member%40example.com'],
  ['a password', 'secret-1a2b3c4d'],
  ['a hash of a password', '$2b$10$abc'],
  ['what is behind a mailed link', '/auth/confirm?token_hash=cafe'],
  ['a code', '123456'],
  ['something random', 'x'.repeat(43)],
])('finds %s in a line that contains %s', (what, value) => {
  for (const planted of [line({ message: value }), `Error: ${value}`])
    expect(secretsIn([line({}), planted]).map((found) => found.split(':')[0])).toContain(what)
})

test('finds known secrets in any form', () => {
  expect(secretsIn([line({ message: 'x 4fq2k9 y' })], ['4fq2k9'])).toEqual(['known: 4fq2k9'])
})
