import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBackendAccess } from './backend.server.ts'
import type { Config } from './env.server.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.stubGlobal('fetch', () => new Promise(() => {}))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

let services = 0

/** The milliseconds after which a call to a silent service is given up. */
async function waitFor(method: string, path: string): Promise<number> {
  const url = `https://silent-${++services}.example`
  const say = () => {}
  const log = { requestId: 'r', failed: false, info: say, warn: say, error: say }
  const access = createBackendAccess({ SUPABASE_URL: url } as Config, log, null, { waitUntil: () => {} })
  const from = Date.now()
  let took: number | undefined
  access.fetch(url + path, { method, body: method === 'GET' ? null : '{}' }).catch(() => {
    took = Date.now() - from
  })
  for (let step = 0; took === undefined && step < 200; step++) await vi.advanceTimersByTimeAsync(100)
  return took ?? Number.NaN
}

test.each([
  ['GET', '/rest/v1/transactions', 2_000],
  ['POST', '/rest/v1/rpc/sum_transactions', 2_000],
  ['POST', '/rest/v1/rpc/append_ledger', 10_000],
])(
  'a silent service is waited for as long as the call is a read or a write: %s %s',
  async (method, path, wait) => {
    expect(await waitFor(method, path)).toBe(wait)
  },
)
