import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Log } from './log.server.ts'
import { createLimit } from './rate-limit.server.ts'

/** The Cache API in memory. It ignores max-age, so that the test shows that the code compares the times. */
const stored = new Map<string, string>()
const memoryCache = {
  match: async (url: string) => (stored.has(url) ? new Response(stored.get(url)) : undefined),
  put: async (url: string, response: Response) => void stored.set(url, await response.text()),
}
const log = { warn: () => {}, error: () => {} } as unknown as Log
const unlimited = { limit: async () => ({ success: true }) }
const env = { LIMIT_ADDRESS: unlimited, LIMIT_ACCOUNT: unlimited, LIMIT_MAIL: unlimited }

beforeEach(() => {
  stored.clear()
  vi.useFakeTimers()
  vi.stubGlobal('caches', { default: memoryCache })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('one recipient gets at most ten emails an hour, from all clients together', async () => {
  const mail = (to: string, place: string) => createLimit(env, place, log)('mail', to)
  for (let sent = 0; sent < 10; sent++) {
    expect(await mail('Ada@example.com', `198.51.100.${sent}`)).toBeNull()
    vi.advanceTimersByTime(60_000)
  }
  expect(await mail(' ada@example.com', '203.0.113.1')).toEqual({
    code: 'over_request_rate_limit',
    status: 429,
  })
  expect(await mail('bob@example.com', '203.0.113.1')).toBeNull()
  // The first email is an hour old. The refused email does not count.
  vi.advanceTimersByTime(50 * 60_000 + 1)
  expect(await mail('ada@example.com', '203.0.113.2')).toBeNull()
  expect(await mail('ada@example.com', '203.0.113.2')).not.toBeNull()
  expect([...stored.keys()].join()).not.toContain('example.com')
})

test('an action without a limit per hour is not counted per hour', async () => {
  const limit = createLimit(env, '203.0.113.1', log)
  for (let attempt = 0; attempt < 30; attempt++) expect(await limit('sign-in', 'ada@example.com')).toBeNull()
  expect(stored.size).toBe(0)
})

test('a deployment without the bindings counts no actions', async () => {
  const limit = createLimit({}, '203.0.113.1', log)
  for (let attempt = 0; attempt < 30; attempt++) expect(await limit('mail', 'ada@example.com')).toBeNull()
  expect(stored.size).toBe(0)
})

test('without the Cache API, as in the development server, actions are not counted per hour', async () => {
  vi.stubGlobal('caches', undefined)
  const limit = createLimit(env, '203.0.113.1', log)
  for (let attempt = 0; attempt < 30; attempt++) expect(await limit('mail', 'ada@example.com')).toBeNull()
})
