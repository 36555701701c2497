import { createChunks, createServerClient, stringFromBase64URL, stringToBase64URL } from '@supabase/ssr'
import { expect, test } from 'vitest'
import { CookieJar } from '../../platform/server/cookies.server.ts'
import {
  clearFlows,
  clearSession,
  cookieMethods,
  fingerprintOf,
  inspectSession,
  issuedAt,
  parseSession,
  readSession,
  storageKey,
  writeSession,
} from './session.server.ts'

const key = 'sb-project-auth-token'
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (claims: object) =>
  `${part({ alg: 'ES256' })}.${part({ exp: 2_000_000_000, ...claims })}.AAAA`

function session(claims: object = {}, more: object = {}) {
  const access_token = tokenOf({ sub: 'member', aal: 'aal1', email: 'a@example.com', ...claims })
  return parseSession({ access_token, refresh_token: 'r', ...more }) as NonNullable<
    ReturnType<typeof parseSession>
  >
}

function jar(cookies: Record<string, string> = {}): CookieJar {
  const Cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  return new CookieJar(Cookie, { secure: false })
}

/** The name and the value of the one cookie of a session. */
function writtenBy(session: Parameters<typeof writeSession>[2]): [string, string] {
  const cookies = jar()
  writeSession(cookies, key, session)
  return [key, cookies.get(key) ?? '']
}

/** The name of each cookie that a jar changes, with 'set' or 'expired'. */
function changes(cookies: CookieJar) {
  return cookies.commit().map((line) => [line.split('=')[0], /Max-Age=0/.test(line) ? 'expired' : 'set'])
}

test('the storage key is equal to the key that supabase-js derives', async () => {
  for (const url of [
    'https://abcdefgh.supabase.co',
    'http://127.0.0.1:54321',
    'http://localhost:1/',
    'https://auth.example.org/base',
  ]) {
    const written: string[] = []
    const client = createServerClient(url, 'key', {
      cookies: { getAll: () => [], setAll: (all) => void written.push(...all.map(({ name }) => name)) },
      global: { fetch: async () => Response.json({ ...session(), expires_in: 60, user: { id: 'member' } }) },
    })
    await client.auth.signInWithPassword({ email: 'a@example.com', password: 'a password' })
    expect(written).toContain(storageKey(url))
  }
})

test('a session is unchanged after it is written and read, in one cookie or in several, and replaces the previous session', async () => {
  const cookies = jar()
  const large = session({}, { user: { notes: 'ü'.repeat(4_000) } })
  writeSession(cookies, key, large)
  expect(cookies.all().length).toBeGreaterThan(2)
  expect(await readSession(cookies, key)).toEqual(large)
  const small = session({ sub: 'other' })
  writeSession(cookies, key, small)
  expect(cookies.all().map(({ name }) => name)).toEqual([key])
  expect(await readSession(cookies, key)).toEqual(small)
  expect(changes(cookies).filter(([, change]) => change === 'set')).toEqual([[key, 'set']])
})

test('clearing a session expires all its chunks, including orphaned and oddly numbered ones, but no other cookie', () => {
  const cookies = jar({
    [key]: 'x',
    [`${key}.0`]: 'x',
    [`${key}.07`]: 'x',
    [`${key}.x`]: 'x',
    [`${key}-code-verifier`]: 'x',
    'sb-other-auth-token': 'x',
    notice: 'x',
  })
  clearSession(cookies, key)
  expect(changes(cookies)).toEqual(
    [key, `${key}.0`, `${key}.07`, `${key}.x`].map((name) => [name, 'expired']),
  )
  clearFlows(cookies, key)
  expect(changes(cookies).at(-1)).toEqual([`${key}-code-verifier`, 'expired'])
  expect(cookies.all().map(({ name }) => name)).toEqual(['sb-other-auth-token', 'notice'])
})

test('a session expires at the time in its token, not at the `expires_at` in the response', () => {
  expect(session({ exp: 1_900_000_000 }, { expires_at: 9e9, expires_in: 9e9 }).expires_at).toBe(1_900_000_000)
  for (const answer of [null, 'text', [], {}, { access_token: 'a.b.c', refresh_token: 'r' }])
    expect(parseSession(answer)).toBeNull()
  expect(parseSession({ access_token: tokenOf({}), refresh_token: '' })).toBeNull()
  expect(parseSession({ access_token: tokenOf({ exp: 'soon' }), refresh_token: 'r' })).toBeNull()
})

test('the client of @supabase/ssr is never given an expired session, and leaves the cookies unchanged', () => {
  const cookies = jar({ notice: 'signed-in' })
  const stored = session({ exp: 1_700_000_000 }, { user: { notes: 'x'.repeat(6_000) } })
  writeSession(cookies, key, stored)
  const before = cookies.all()
  const [given, ...others] = cookieMethods(cookies, key).getAll()
  expect([given?.name, others]).toEqual([key, []])
  const { expires_at, ...shown } = JSON.parse(stringFromBase64URL(given?.value.slice('base64-'.length) ?? ''))
  expect(expires_at).toBeGreaterThan(Date.now() / 1000 + 3_000)
  expect({ ...shown, expires_at: 1_700_000_000 }).toEqual(stored)
  expect(cookies.all()).toEqual(before)
})

test('the client of @supabase/ssr is given no cookie that the request has twice, and none that is not encoded', () => {
  const [, line] = writtenBy(session())
  for (const header of [
    `${key}=${line}; ${key}=${line}`,
    `${key}={"access_token":"a.b.c"}`,
    `${key}-flow-x=1`,
  ])
    expect(cookieMethods(new CookieJar(header, { secure: false }), key).getAll()).toEqual([])
  const verifier = `${key}-code-verifier`
  const flow = `base64-${stringToBase64URL('"verifier"')}`
  expect(cookieMethods(jar({ [verifier]: flow }), key).getAll()).toEqual([{ name: verifier, value: flow }])
})

test('a session of one cookie replaces a session of several, with the attributes of our jar', () => {
  const cookies = new CookieJar('', { secure: true })
  writeSession(cookies, key, session({}, { user: { notes: 'x'.repeat(6_000) } }))
  cookies.commit()
  const value = writtenBy(session({ sub: 'other' }))[1]
  cookieMethods(cookies, key).setAll([{ name: key, value, options: { httpOnly: false, sameSite: 'none' } }])
  expect(readSession(cookies, key)).toEqual(session({ sub: 'other' }))
  const lines = cookies.commit()
  expect(lines.length).toBeGreaterThan(3)
  for (const set of lines) expect(set).toMatch(/^__Host-sb-.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  cookieMethods(cookies, key).setAll([{ name: key, value: '', options: { maxAge: 0 } }])
  expect(cookies.all()).toEqual([])
})

test('writes a session of any length in the same cookies as the hosted library', () => {
  for (const length of [1, 2_000, 2_379, 2_380, 4_760, 4_770, 9_000]) {
    const stored = session({}, { notes: 'ж'.repeat(length / 2) + 'a'.repeat(length % 2) })
    const own = jar()
    writeSession(own, key, stored)
    const text = `base64-${stringToBase64URL(JSON.stringify(stored))}`
    expect(own.all(), `${length}`).toEqual(createChunks(key, text))
  }
})

test('the fingerprint changes only with the member, the assurance level and the email address', async () => {
  const fingerprint = await fingerprintOf(session())
  expect(fingerprint).toMatch(/^[\w-]{12,}$/)
  expect(await fingerprintOf(session({ iat: 5, exp: 1_900_000_000, session_id: 'other' }))).toBe(fingerprint)
  for (const other of [{ sub: 'x' }, { aal: 'aal2' }, { email: 'b@example.com' }])
    expect(await fingerprintOf(session(other))).not.toBe(fingerprint)
  expect(await fingerprintOf(null)).toBe('')
  expect(fingerprint).not.toContain('member')
})

test('a token without `iat` counts as the oldest possible token', () => {
  expect(issuedAt(session({ iat: 1_800_000_000 }))).toBe(1_800_000_000)
  expect(issuedAt(session({ iat: 'now' }))).toBe(0)
  expect(issuedAt(session())).toBe(0)
})

test('classifies the session cookies: no session, a fresh token, a token due for refresh, an unreadable or an ambiguous cookie', () => {
  const now = 1_000_000_000_000
  const inspect = (cookie: string) => inspectSession(new CookieJar(cookie, { secure: false }), key, now)
  const cookieOf = (secondsLeft: number) => {
    const cookies = jar()
    writeSession(cookies, key, session({ exp: now / 1000 + secondsLeft }))
    return cookies.commit().map((line) => line.split('; ')[0])
  }
  const [fresh = ''] = cookieOf(90)
  expect(inspect('notice=1; sb-project-auth-token-code-verifier=x').kind).toBe('none')
  expect(inspect(fresh)).toMatchObject({ kind: 'fresh', session: { expires_at: now / 1000 + 90 } })
  expect(inspect(cookieOf(89).join('; ')).kind).toBe('due')
  expect(inspect(cookieOf(-1).join('; ')).kind).toBe('due')
  expect(inspect(`${fresh}; ${fresh}`)).toEqual({ kind: 'ambiguous', session: null })
  expect(inspect(`${fresh}; ${key}.4=x; ${key}.4=y`).kind).toBe('ambiguous')
  expect(inspect(fresh.slice(0, -20))).toEqual({ kind: 'unreadable', session: null })
  expect(inspect(`${key}.1=x`).kind).toBe('unreadable')
})
