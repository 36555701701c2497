import bcrypt from 'bcryptjs'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { clientOf, startTemporary, type TemporaryBackend } from '../support/temporary-backend.ts'

const confirmed = 'confirmed@example.org'
const unconfirmed = 'unconfirmed@example.org'
const password = 'correct horse'

let backend: TemporaryBackend
beforeAll(async () => {
  backend = await startTemporary({ confirmations: true })
  for (const email of [confirmed, unconfirmed]) await clientOf(backend).auth.signUp({ email, password })
  await backend.sql('update auth.users set email_confirmed_at = now() where email = $1', [confirmed])
})
afterAll(() => backend.close())
afterEach(() => vi.restoreAllMocks())

/** How often a call hashes or compares a password, which takes most of its time. */
async function countHashes(call: () => Promise<unknown>): Promise<number> {
  const spies = [vi.spyOn(bcrypt, 'compare'), vi.spyOn(bcrypt, 'hash')]
  await call()
  return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
}

test.each([
  ['a confirmed address', confirmed],
  ['the same address in capitals', confirmed.toUpperCase()],
  ['an unconfirmed address', unconfirmed],
  ['an unknown address', 'unknown@example.org'],
])('a refused sign-in computes one hash for %s', async (_, email) => {
  const signIn = async () => {
    const { error } = await clientOf(backend).auth.signInWithPassword({ email, password: 'wrong password' })
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    })
  }
  expect(await countHashes(signIn)).toBe(1)
})

test('with the correct password, the response says that the email address is not confirmed', async () => {
  const { error } = await clientOf(backend).auth.signInWithPassword({ email: unconfirmed, password })
  expect(error).toMatchObject({ status: 400, code: 'email_not_confirmed' })
})

test.each([
  ['a confirmed address', confirmed],
  ['an unconfirmed address', unconfirmed],
  ['a new address', 'new@example.org'],
])('a sign-up that awaits confirmation computes one hash for %s', async (_, email) => {
  const signUp = async () => {
    const { data } = await clientOf(backend).auth.signUp({ email, password })
    expect(data.session).toBeNull()
  }
  expect(await countHashes(signUp)).toBe(1)
})
