import type { GoTrueClient } from '@supabase/auth-js'
import { expect, test } from 'vitest'
import { createEnglish } from '../../platform/locales/language.ts'
import { newPassword, signInWithPassword } from './credentials.server.ts'

const { i18n } = createEnglish()
const stored = (typed: string) => newPassword(i18n).parse(typed)

/** An auth service that compares bytes, with the passwords that it was asked for. */
function service(password: string) {
  const asked: string[] = []
  const auth = {
    signInWithPassword: async (given: { password: string }) => {
      asked.push(given.password)
      return { error: given.password === password ? null : { code: 'invalid_credentials' } }
    },
  }
  return { asked, auth: auth as unknown as GoTrueClient }
}

const signIn = async (password: string, typed: string) => {
  const { asked, auth } = service(password)
  const { error } = await signInWithPassword(auth, { email: 'a@example.org', password: typed })
  return { isIn: error === null, asked }
}

test.each([
  // Firefox on macOS sends the decomposed form: https://github.com/ulsklyc/yuvomi/issues/608
  ['Pässwort', 'Pa\u0308sswort'],
  // https://github.com/usnistgov/800-63-3/issues/301
  ['ma\u00f1ana', 'man\u0303ana'],
  // https://github.com/mattermost/mattermost/issues/36877
  ['E acute long password 1! \u00e9', 'E acute long password 1! e\u0301'],
  // Full-width letters and ligatures: https://github.com/inmanta/inmanta-core/pull/10538
  ['ｐａｓｓｗｏｒｄ', 'password'],
  ['e\ufb03cient', 'efficient'],
])('%j and %j are one password, whichever was entered first', async (one, other) => {
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const)
    expect((await signIn(stored(first), second)).isIn).toBe(true)
})

// https://github.com/matrix-org/synapse/issues/3306: a new rule must not shut out older passwords.
test('a password that was stored as it was entered, before the forms were joined, still signs in', async () => {
  for (const old of ['Pa\u0308sswort', 'Pässwort', 'ｐａｓｓｗｏｒｄ'])
    expect((await signIn(old, old)).isIn).toBe(true)
  expect((await signIn('Pa\u0308sswort', 'Pässwort')).isIn).toBe(true)
})

test('another password is refused, and one in ASCII is tried once', async () => {
  expect(await signIn('correct horse', 'correct mule')).toEqual({ isIn: false, asked: ['correct mule'] })
  expect((await signIn('Pässwort', 'Passwort')).isIn).toBe(false)
})
