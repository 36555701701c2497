import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newLog } from '../../../tests/support/log.ts'
import { newSigningKey, signToken } from '../../../tests/support/strict-auth.ts'
import { createBackendAccess } from '../../platform/server/backend.server.ts'
import type { Config } from '../../platform/server/env.server.ts'
import { askForUser, claimedViewer, identify } from './identity.server.ts'
import { createTokenClient } from './token-client.server.ts'

type Answer = () => Promise<Response>

const key = newSigningKey()
const member = { id: '6f0e7a52-0d0f-4f3d-9d5c-0f6f5f1b1a11', email: 'member@example.com' }

const json = async (status: number, body: object, headers = {}) => Response.json(body, { status, headers })
const keySet: Answer = () => json(200, { keys: [key.published] })
const user: Answer = () => json(200, { ...member, aud: 'authenticated', created_at: '2026-01-01T00:00:00Z' })
const ended: Answer = () => json(403, { error_code: 'session_not_found', msg: 'ended' })
const silence: Answer = () => new Promise(() => {})
const away: Answer = () => json(503, {}, { 'Retry-After': '1' })
const noJson: Answer = async () => new Response('<h1>Welcome to nginx</h1>')
const late =
  (milliseconds: number, answer: Answer): Answer =>
  () =>
    new Promise((resolve) => setTimeout(() => resolve(answer()), milliseconds))

/** How many Web Crypto operations run. They take real time, so `settle` must wait for them. */
let running = 0

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  for (const name of ['importKey', 'verify'] as const) {
    const operation = crypto.subtle[name].bind(crypto.subtle) as (...args: unknown[]) => Promise<never>
    vi.spyOn(crypto.subtle, name).mockImplementation((...args: unknown[]) => {
      running++
      return operation(...args).finally(() => running--)
    })
  }
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Waits until all work that uses no timer is done. */
async function settle(): Promise<void> {
  for (let idle = 0; idle < 3; idle = running ? 0 : idle + 1) await new Promise(setImmediate)
}

let services = 0

/** Verifies a valid token as a new isolate does: the state, the milliseconds, and the calls. */
async function check(answers: { keySet: Answer; user: Answer }) {
  // A new host name for each check, because the breaker and the key set are stored per host name.
  const SUPABASE_URL = `https://project-${++services}.example`
  const issuer = `${SUPABASE_URL}/auth/v1`
  const config = {
    SUPABASE_URL,
    SUPABASE_PUBLISHABLE_KEY: 'key',
    SUPABASE_JWT_ISSUER: issuer,
    READ_TIMEOUT_MS: 2_000,
  } as Config
  const calls: string[] = []
  vi.stubGlobal('fetch', ({ url }: Request) => {
    const isKeySet = url.endsWith('/jwks.json')
    calls.push(isKeySet ? 'key set' : 'user')
    return isKeySet ? answers.keySet() : answers.user()
  })
  const log = newLog()
  const access = createBackendAccess(config, log, null, { waitUntil: () => {} })
  const client = createTokenClient({ config, fetch: access.fetch, log })
  const from = Date.now()
  const exp = Math.floor(from / 1000) + 3600
  const token = signToken(
    { sub: member.id, email: member.email, iss: issuer, aud: 'authenticated', exp },
    key,
  )
  const verifier = {
    tokens: async () => client,
    user: (accessToken: string) => askForUser(client, accessToken),
    log,
    config,
  }
  let state: string | undefined
  let took = 0
  void identify(verifier, token).then(({ kind }) => {
    state = kind
    took = Date.now() - from
  })
  await settle()
  for (let step = 0; !state && step < 2_000; step++) {
    await vi.advanceTimersByTimeAsync(10)
    await settle()
  }
  return { state, took, calls }
}

test('if the service sends the key set, a token is verified with the key set alone', async () => {
  expect(await check({ keySet, user: silence })).toMatchObject({ state: 'member', calls: ['key set'] })
})

test('neither a missing nor a slow key set delays a page by more than 300 ms', async () => {
  for (const slow of [silence, late(1_500, keySet), late(1_500, noJson)]) {
    const { state, took } = await check({ keySet: slow, user })
    expect(state).toBe('member')
    expect(took).toBeLessThan(300)
  }
})

test('if the service does not respond, a token is verified with the key set, even if the key set arrives late', async () => {
  const { state, took } = await check({ keySet: late(500, keySet), user: silence })
  expect(state).toBe('member')
  expect(took).toBeLessThan(1_000)
})

test('while the key set is unavailable, the service refuses a session that has ended', async () => {
  for (const unavailable of [silence, away, noJson])
    expect(await check({ keySet: unavailable, user: ended })).toMatchObject({ state: 'refused' })
})

for (const [fault, answer, most] of [
  ['silent', silence, 2_300],
  ['unavailable for a second', away, 1_400],
] as const)
  test(`a check takes only slightly longer than one timeout while the service is ${fault}`, async () => {
    const { state, took } = await check({ keySet: answer, user: answer })
    expect(state).toBe('unreachable')
    expect(took).toBeLessThan(most)
  })

test('no claims of a forged token make the site fail', () => {
  const odd = { toString: 1, valueOf: 1 }
  for (const value of [odd, null, 5, [], [odd], [null], '', true]) {
    const claims = { sub: member.id, email: value, session_id: value, aal: value, amr: value }
    expect(claimedViewer(signToken(claims, key))).toMatchObject({ id: member.id, assurance: 'aal1' })
    expect(claimedViewer(signToken({ ...claims, sub: value }, key))).toBeNull()
    const amr = [{ method: value, timestamp: value }]
    expect(claimedViewer(signToken({ ...claims, amr }, key))?.provenAt).toBe(value === 5 ? 5_000 : 0)
  }
})
