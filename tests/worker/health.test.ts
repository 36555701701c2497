import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import tlog from '../../public/ledger/tlog-vectors.json' with { type: 'json' }
import { type Site, startSite } from '../support/site.ts'

const key = 'a key for the monitor alone'
const writtenAt = new Date(Date.now() - 3_600_000).toISOString()

/** The part of the backend that /healthz calls. */
let backend: Server
let calls: string[] = []
/** The witnesses that have raised an alarm, and the queries with which the site reads them. */
let alarms: readonly string[] = []
const queries: string[] = []
let delay = 0
let writesFail = false
/** The status of the response from the auth service; null if the service does not respond. */
let authStatus: number | null = 200
let site: Site
let alone: Site
beforeAll(async () => {
  backend = createServer(async (incoming, outgoing) => {
    calls.push(`${incoming.method} ${incoming.url?.split('?')[0]} ${incoming.headers.apikey}`)
    await sleep(delay)
    outgoing.setHeader('Content-Type', 'application/json')
    if (incoming.url?.startsWith('/auth/v1/')) {
      if (authStatus !== null) outgoing.writeHead(authStatus).end('{}')
      return
    }
    if (incoming.url?.startsWith('/rest/v1/witness_states?')) {
      queries.push(incoming.url.split('?')[1] ?? '')
      outgoing.end(JSON.stringify(alarms.map((witness) => ({ witness }))))
    } else if (incoming.method === 'GET') outgoing.end(JSON.stringify([{ as_of: writtenAt }]))
    else if (writesFail) outgoing.writeHead(500).end('{"code":"53100","message":"No space left on device"}')
    else outgoing.writeHead(204).end()
  })
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`
  ;[site, alone] = await Promise.all([
    startSite({ url, publishableKey: 'sb_publishable_test' }, { HEALTH_KEY: key }),
    startSite({ url: 'http://127.0.0.1:9', publishableKey: 'sb_publishable_test' }, { HEALTH_KEY: key }),
  ])
})
afterAll(async () => {
  await Promise.all([site?.close(), alone?.close()])
  backend.close()
})

test('without the key, /healthz returns only the status and the unavailable parts', async () => {
  for (const [where, status, body] of [
    [site, 200, { status: 'ok' }],
    [alone, 503, { status: 'degraded', unavailable: ['data', 'auth'] }],
  ] as const)
    for (const Authorization of ['', 'Bearer', `Bearer ${key}x`, `Bearer ${key.slice(1)}`, key]) {
      const response = await fetch(`${where.url}/healthz`, {
        headers: Authorization ? { Authorization } : {},
      })
      expect([response.status, await response.json()]).toEqual([status, body])
      expect(response.headers.get('Cache-Control')).toBe('no-store')
    }
})

test('with the key, /healthz describes the backend and the age of the ledger', async () => {
  const headers = { Authorization: `Bearer ${key}` }
  const well = (await (await fetch(`${site.url}/healthz`, { headers })).json()) as { ledgerAge: number }
  expect(well).toMatchObject({
    status: 'ok',
    backend: 'ok',
    auth: 'ok',
    worker: expect.stringMatching(/^\w+$/),
  })
  expect(well.ledgerAge).toBeGreaterThanOrEqual(3_600)
  const ill = await (await fetch(`${alone.url}/healthz`, { headers })).json()
  expect(ill).toMatchObject({ status: 'degraded', backend: 'unreachable', ledgerAge: null })
})

const startBehind = (more: object = {}) => {
  const url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`
  return startSite({ url, publishableKey: 'sb_publishable_test' }, more)
}

test('60 concurrent requests to /healthz of a cold isolate make one call to each service', async () => {
  const cold = await startBehind()
  calls = []
  delay = 500
  const responses = await Promise.all(Array.from({ length: 60 }, () => fetch(`${cold.url}/healthz`)))
  delay = 0
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(calls.toSorted()).toEqual([
    'GET /auth/v1/health sb_publishable_test',
    'GET /rest/v1/ledger_totals sb_publishable_test',
  ])
  await cold.close()
})

test('/healthz responds with 503 while writes fail, for example on a full disk', async () => {
  const headers = { Authorization: `Bearer ${key}` }
  for (const [fails, status, backend] of [
    [false, 200, 'ok'],
    [true, 503, 'read-only'],
  ] as const) {
    const own = await startBehind({ SUPABASE_SECRET_KEY: 'sb_secret_test', HEALTH_KEY: key })
    writesFail = fails
    const response = await fetch(`${own.url}/healthz`, { headers })
    expect([response.status, ((await response.json()) as { backend: string }).backend]).toEqual([
      status,
      backend,
    ])
    expect(calls).toContain('POST /rest/v1/rpc/check_writes sb_secret_test')
    await own.close()
  }
  writesFail = false
})

test.each([500, 503, null])(
  '/healthz reports that the auth service is unavailable (%s), with 200 because public pages do not need it',
  async (status) => {
    const own = await startBehind()
    authStatus = status
    try {
      const response = await fetch(`${own.url}/healthz`)
      expect(await response.json()).toEqual({ status: 'degraded', unavailable: ['auth'] })
      expect(response.status).toBe(200)
      expect((await fetch(own.url)).status).toBe(200)
      expect(own.log.some((line) => line.includes('"health.auth-unreachable"'))).toBe(true)
    } finally {
      authStatus = 200
      await own.close()
    }
  },
)

test('/healthz reports an alarm from a configured witness, but only for the current name of the log', async () => {
  const others = `W2+${'0'.repeat(8)}+B`
  for (const [raised, expected] of [
    [[], { status: 'ok' }],
    [[others], { status: 'ok' }],
    [[others, tlog.cosignature.vkey], { status: 'degraded', unavailable: ['witnesses'] }],
  ] as const) {
    alarms = raised
    const own = await startBehind({
      WITNESSES: `${tlog.cosignature.vkey} https://w.example`,
      LOG_ORIGIN: 'our.example/log',
    })
    try {
      calls = []
      const response = await fetch(`${own.url}/healthz`)
      expect([response.status, await response.json()]).toEqual([200, expected])
      expect(queries).toContain('select=witness&state=eq.alarm&origin=eq.our.example%2Flog')
    } finally {
      await own.close()
    }
  }
})

const logKey = generateKeyPairSync('ed25519')
  .privateKey.export({ format: 'der', type: 'pkcs8' })
  .toString('base64')

test('/healthz reports a ledger log that is signed without a KV namespace, and a log line reports this fault once an hour', async () => {
  const own = await startBehind({ SUPABASE_SECRET_KEY: 'sb_secret_test', LOG_KEY: logKey })
  try {
    const response = await fetch(`${own.url}/healthz`)
    expect(await response.json()).toEqual({ status: 'degraded', unavailable: ['checkpoints'] })
    expect(response.status).toBe(200)
    for (const minute of ['09:59', '10:00', '10:01'])
      await own.runSchedule(new Date(`2026-01-05T${minute}:00Z`))
    expect(own.log.filter((line) => line.includes('"checkpoints.not-kept"'))).toHaveLength(1)
  } finally {
    await own.close()
  }
  const demo = await startBehind({ LOG_KEY: logKey, DEMO: '1' })
  expect(await (await fetch(`${demo.url}/healthz`)).json()).toEqual({ status: 'ok' })
  await demo.close()
})
