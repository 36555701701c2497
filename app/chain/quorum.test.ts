import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { probeEndpoints, requestQuorum } from './quorum.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** An endpoint that limits the rate of eth_call `times` times. Returns the milliseconds between its calls. */
async function limit(times: number, retryAfter?: string) {
  const calls: number[] = []
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const { method } = JSON.parse(body) as { method: string }
    const isCall = method === 'eth_call'
    if (isCall) calls.push(Date.now())
    if (isCall && calls.length <= times)
      return new Response('{"error":{"code":-32005,"message":"rate limit exceeded"}}', {
        status: 429,
        headers: retryAfter ? { 'Retry-After': retryAfter } : {},
      })
    return Response.json({ result: method === 'eth_getLogs' ? [] : '0x38' })
  })
  const quorum = await probeEndpoints([`https://rpc.example/${calls.length}`], 56)
  const asked = requestQuorum(quorum, 'eth_call', [], z.string()).catch((error: Error) => error)
  await vi.runAllTimersAsync()
  const waits = calls.slice(1).map((at, before) => at - (calls[before] ?? 0))
  return { result: await asked, waits, faults: quorum.faults }
}

test('a run waits longer each time for an endpoint that limits the rate, at most four times in succession', async () => {
  const { result, waits, faults } = await limit(Number.POSITIVE_INFINITY)
  expect(waits).toEqual([500, 1_000, 2_000, 4_000])
  expect(result).toBeInstanceOf(Error)
  expect((result as Error).message).toBe('no result for eth_call; endpoint 1 limits our rate')
  expect(faults).toEqual({ 'endpoint 1': 'limits our rate' })
})

test('a run goes on as soon as the endpoint answers, and names the limit', async () => {
  const { result, waits, faults } = await limit(2)
  expect({ result, waits, faults }).toEqual({
    result: '0x38',
    waits: [500, 1_000],
    faults: { 'endpoint 1': 'limits our rate' },
  })
})

test.each([
  ['2', [2_000]],
  ['0', [0]],
  ['3600', [4_000]],
  ['tomorrow', [500]],
])('a run waits as long as the endpoint says (%s), at most four seconds', async (retryAfter, waits) => {
  expect((await limit(1, retryAfter)).waits).toEqual(waits)
})
