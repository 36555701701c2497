import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newLog } from '../../../tests/support/log.ts'
import { createBackendAccess } from './backend.server.ts'
import type { Config } from './env.server.ts'

type Answer = () => Promise<Response>

/** The backend's responses, call by call. The last response is repeated. */
let answers: Answer[] = []
let calls: string[] = []
let lines: string[] = []
let origin = ''
let count = 0

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', (request: Request) => {
    calls.push(request.method)
    const next = answers.length > 1 ? answers.shift() : answers[0]
    return next?.()
  })
  calls = []
  lines = []
  // The state of a service outlasts a test, so each test has its own service.
  origin = `https://backend-${++count}.example`
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const json = (body: BodyInit = '[]', init: ResponseInit = {}) =>
  Promise.resolve(
    new Response(body, { ...init, headers: { 'Content-Type': 'application/json', ...init.headers } }),
  )
const ok: Answer = () => json()
const silence: Answer = () => new Promise(() => {})
const reset: Answer = () => Promise.reject(new TypeError('connection lost'))
const status = (code: number, retryAfter?: string): Answer => {
  const headers: Record<string, string> = retryAfter ? { 'Retry-After': retryAfter } : {}
  return () => json('{}', { status: code, headers })
}
const late =
  (milliseconds: number, answer: Answer): Answer =>
  () =>
    new Promise((resolve) => setTimeout(() => resolve(answer()), milliseconds))

/** The backend access of one request. */
function newRequest() {
  const log = newLog((event) => lines.push(event))
  return createBackendAccess({ READ_TIMEOUT_MS: 2_000 } as Config, log, null, { waitUntil: () => {} })
}

/** Makes a call. Returns its outcome and duration in milliseconds. */
async function call(access = newRequest(), method = 'GET', path = '/rest/v1/rows') {
  const from = Date.now()
  let outcome: { how: string; took: number } | undefined
  const end = (how: string) => {
    outcome = { how, took: Date.now() - from }
  }
  access.fetch(origin + path, { method, body: method === 'POST' ? '{}' : null }).then(
    (response) => end(`${response.status}`),
    (error: Error) => end(error.name),
  )
  for (let step = 0; !outcome && step < 20_000; step += 10) await vi.advanceTimersByTimeAsync(10)
  return outcome ?? { how: 'hangs', took: Number.POSITIVE_INFINITY }
}

test('a read times out after 2 s, and a write times out after 10 s', async () => {
  answers = [silence]
  expect(await call()).toEqual({ how: 'Timeout', took: 2_000 })
  expect(await call(newRequest(), 'PATCH')).toEqual({ how: 'Timeout', took: 10_000 })
})

test('a POST to a function that only reads has the timeout of a read, and is sent once', async () => {
  answers = [silence]
  const path = '/rest/v1/rpc/sum_transactions'
  expect(await call(newRequest(), 'POST', path)).toEqual({ how: 'Timeout', took: 2_000 })
  expect(await call(newRequest(), 'POST', '/rest/v1/rpc/append_ledger')).toMatchObject({ took: 10_000 })
  answers = [reset]
  calls = []
  expect((await call(newRequest(), 'POST', path)).how).toBe('TypeError')
  expect(calls).toEqual(['POST'])
})

test('a response body that never ends causes a timeout', async () => {
  const begun = () =>
    json(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('[')) }))
  answers = [begun]
  expect(await call()).toEqual({ how: 'Timeout', took: 2_000 })
})

test('after a timeout, later calls in the same request have a shorter timeout', async () => {
  answers = [silence]
  const request = newRequest()
  expect((await call(request)).took).toBe(2_000)
  expect((await call(request)).took).toBe(750)
  expect((await call(request, 'POST')).took).toBe(10_000)
  expect((await call(request, 'POST')).took).toBe(2_500)
  expect((await call()).took, 'another request').toBeGreaterThan(0)
})

describe('a failed read is retried', () => {
  for (const [name, first] of Object.entries({
    reset,
    '502': status(502),
    '503': status(503),
    '504': status(504),
    '521': status(521),
    '429 for a second': status(429, '1'),
  }))
    test(`after a fault: ${name}`, async () => {
      answers = [first, ok]
      const { how, took } = await call()
      expect([how, calls]).toEqual(['200', ['GET', 'GET']])
      expect(took).toBeLessThan(2_000)
    })

  test('at most once', async () => {
    answers = [reset]
    expect((await call()).how).toBe('TypeError')
    expect(calls).toHaveLength(2)
  })

  test('after a random pause', async () => {
    const pauses = new Set<number>()
    for (let turn = 0; turn < 20; turn++) {
      answers = [reset, ok]
      pauses.add((await call()).took)
    }
    expect(pauses.size).toBeGreaterThan(1)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(110)
  })

  test('within its deadline', async () => {
    answers = [late(1_990, status(503)), silence]
    expect(await call()).toEqual({ how: '503', took: 1_990 })
    expect(calls).toHaveLength(1)
    answers = [late(1_000, status(503)), silence]
    expect(await call()).toEqual({ how: 'Timeout', took: 2_000 })
    expect(calls).toHaveLength(3)
  })
})

describe('a call is not retried', () => {
  const text = { headers: { 'Content-Type': 'text/html' } }
  const cases: Record<string, [Answer, string]> = {
    '500': [status(500), '500'],
    '501': [status(501), '501'],
    '404': [status(404), '404'],
    '429 for an hour': [status(429, '3600'), '429'],
    '429 without a time': [status(429), '429'],
    '503 until a date': [status(503, 'Wed, 21 Oct 2026 07:28:00 GMT'), '503'],
    HTML: [() => json('<h1>Hello</h1>', text), 'NotJson'],
    'a redirect': [() => json('', { status: 307, headers: { Location: '/elsewhere' } }), 'Redirect'],
  }
  for (const [name, [answer, outcome]] of Object.entries(cases))
    test(`after a response: ${name}`, async () => {
      answers = [answer]
      expect((await call()).how).toBe(outcome)
      expect(calls).toHaveLength(1)
    })

  for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
    for (const [name, answer] of Object.entries({
      reset,
      '503': status(503),
      '429': status(429, '1'),
      silence,
    }))
      test(`if it is a ${method}, after a fault: ${name}`, async () => {
        answers = [answer]
        await call(newRequest(), method)
        expect(calls).toEqual([method])
      })
})

test('at most 4 MiB of a response is read', async () => {
  let sent = 0
  const part = new Uint8Array(64 * 1024).fill(32)
  const pull = (body: ReadableStreamDefaultController) => {
    sent += part.length
    body.enqueue(part)
  }
  answers = [() => json(new ReadableStream({ pull }))]
  expect((await call()).how).toBe('TooLarge')
  expect(sent).toBeLessThan(5 * 1024 * 1024)
  sent = 0
  const most = (body: ReadableStreamDefaultController) => {
    if (sent < 4 * 1024 * 1024) pull(body)
    else body.close()
  }
  answers = [() => json(new ReadableStream({ pull: most }))]
  expect((await call()).how).toBe('200')
})

describe('the breaker', () => {
  /** Opens the breaker with three reads that time out after two seconds. */
  async function breakIt() {
    answers = [silence]
    for (let turn = 0; turn < 3; turn++) expect((await call()).took).toBe(2_000)
    expect(lines).toContain('backend.down')
  }

  test('shortens timeouts while the backend is down', async () => {
    await breakIt()
    for (let turn = 0; turn < 5; turn++) expect((await call()).took).toBe(750)
    answers = [reset]
    calls = []
    await call()
    expect(calls, 'no retry').toHaveLength(1)
  })

  test('lets the first request after the recovery succeed, and then restores the timeouts', async () => {
    await breakIt()
    answers = [ok]
    expect((await call()).how).toBe('200')
    expect(lines).toContain('backend.up')
    answers = [silence]
    expect((await call()).took).toBe(2_000)
  })

  test('closes when a response arrives after its timeout', async () => {
    await breakIt()
    answers = [late(1_500, ok)]
    expect((await call()).took).toBe(750)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await call()).toEqual({ how: '200', took: 1_500 })
  })

  test('does not shorten the timeouts of writes, and restores those of reads after half a minute without calls', async () => {
    await breakIt()
    expect((await call(newRequest(), 'POST')).took).toBe(10_000)
    await vi.advanceTimersByTimeAsync(31_000)
    expect((await call()).took).toBe(2_000)
  })

  test('is separate for each service', async () => {
    await breakIt()
    expect((await call(newRequest(), 'GET', '/auth/v1/user')).took).toBe(2_000)
  })

  test('does not count rejections as failures', async () => {
    for (const code of [400, 401, 404, 409, 429, 500]) {
      answers = [status(code)]
      await call()
    }
    answers = [silence]
    expect((await call()).took).toBe(2_000)
    expect(lines).not.toContain('backend.down')
  })
})
