import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fault, type FaultProxy, faults, startFaultProxy } from '../support/fault-proxy.ts'
import { impatient, type Site, startSite } from '../support/site.ts'
import { type StrictAuth, startStrictAuth } from '../support/strict-auth.ts'
import { isSignedIn, sessionCookie, Visitor } from '../support/visitor.ts'
import { faultsOfPage, hasSession } from './judge.ts'

/** A backend of single-use refresh tokens, whose access tokens the worker verifies by key set. */
let backend: StrictAuth
let proxy: FaultProxy
let site: Site

beforeAll(async () => {
  backend = await startStrictAuth()
  proxy = await startFaultProxy(backend.url)
  site = await startSite(
    { url: proxy.url, publishableKey: backend.publishableKey },
    { ...impatient, SUPABASE_JWT_ISSUER: `${backend.url}/auth/v1` },
  )
  // This request is the only one that fetches the key set.
  await visitorWith(3_600).get('/dashboard')
})
afterAll(async () => {
  await site.close()
  await proxy.close()
  await backend.close()
})

let members = 0

/** Returns a visitor whose session expires in this many seconds. */
function visitorWith(seconds: number): Visitor {
  const member = backend.addMember(`member-${++members}@example.com`)
  return new Visitor(site.url).carry(sessionCookie, backend.newSession(member, seconds))
}

/** Faults under which a refresh succeeds. */
const passing: Fault[] = ['slow']
/**
 * After these faults the worker sends a used refresh token. The hosted service accepts a used token for ten
 * seconds. This backend accepts it only if the response with the next token could not be sent: see
 * tests/worker/refresh.test.ts.
 */
const unforgiven: Fault[] = ['lost', 'late']
const soon = 60
const over = -10

describe('a session that has to be refreshed', () => {
  for (const fault of faults.filter((name) => !unforgiven.includes(name)))
    test(`is kept while the backend has the fault ${fault}, and is refreshed at the first request after the fault`, async () => {
      const cases = [
        // The token is valid, but only the service can confirm that the member has no second factor (docs/security.md).
        { seconds: soon, path: '/dashboard', status: 503 },
        { seconds: soon, path: '/', status: 200 },
        { seconds: soon, path: '/auth/session', status: 503 },
        { seconds: over, path: '/dashboard', status: 503 },
        { seconds: over, path: '/', status: 200 },
        { seconds: over, path: '/auth/session', status: 503 },
      ].map((entry) => ({ ...entry, visitor: visitorWith(entry.seconds) }))
      proxy.fault = fault
      proxy.writes = []
      await Promise.all(
        cases.map(async ({ visitor, path, status, seconds }) => {
          const page = await visitor.get(path)
          const name = `${path}, ${seconds} s`
          expect(page.status, name).toBe(passing.includes(fault) ? 200 : status)
          expect(faultsOfPage(page), name).toEqual([])
          expect(hasSession(visitor), name).toBe(true)
          if (path === '/') expect(isSignedIn(page), name).toBe(true)
        }),
      )
      expect(proxy.writes.length, 'each token is presented once').toBe(new Set(proxy.writes).size)
      proxy.fault = 'none'
      for (const { visitor, path, seconds } of cases) {
        const page = await visitor.get(path)
        expect(page.status, `${path}, ${seconds} s, afterwards`).toBe(200)
        expect(isSignedIn(await visitor.get('/')), `${path}, ${seconds} s, afterwards`).toBe(true)
      }
      expect(backend.counts.spentTwice).toBe(0)
      expect(backend.counts.refused).toBe(0)
    })
})
