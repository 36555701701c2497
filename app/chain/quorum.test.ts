import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { probeEndpoints, requestQuorum } from './quorum.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
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

/** What an endpoint has: its newest block, the last block whose logs it serves, and a letter that its hashes begin with. */
interface Node {
  head: number
  logs?: number
  fork?: string
}
/** The event logs of block 5 and block 9, as the endpoints agree on them; a sentence if they do not. */
async function logsFrom(nodes: Record<string, Node>, upTo: number) {
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    const { method, params } = JSON.parse(body) as { method: string; params: [never] }
    const { head, logs = head, fork = 'a' } = nodes[new URL(url).host] as Node
    const at = Number(params[0])
    const results: Record<string, unknown> = {
      eth_chainId: '0x38',
      eth_blockNumber: '0x9',
      eth_getLogs: [5, 9].filter((number) => number <= logs),
      eth_getBlockByNumber: at <= head ? { number: `0x${at.toString(16)}`, hash: fork + at } : null,
    }
    return Response.json({ result: results[method] ?? null })
  })
  const quorum = await probeEndpoints(
    Object.keys(nodes).map((host) => `https://${host}`),
    56,
  )
  const asked = requestQuorum(quorum, 'eth_getLogs', [{}], z.array(z.number()), { upTo })
  return asked.catch(({ message }: Error) => message)
}

const whole = { head: 9 }
test.each([
  // https://github.com/ethereum/execution-apis/issues/296: no error for blocks that do not exist yet.
  ['the only one is behind', { 'one.example': { head: 4 } }, /endpoint 1 does not have block 9/],
  // https://github.com/ethereum/go-ethereum/issues/24078: one of several nodes is 20 blocks behind.
  ['one of two is behind', { 'one.example': { head: 4 }, 'two.example': whole }, /does not have block 9/],
  [
    'one of three is behind',
    { 'one.example': { head: 4 }, 'two.example': whole, 'three.example': whole },
    [5, 9],
  ],
  // https://github.com/NethermindEth/nethermind/issues/3983: a part of the logs while the node synchronises.
  ['one has a part', { 'one.example': { head: 6 }, 'two.example': whole, 'three.example': whole }, [5, 9]],
  // https://github.com/filecoin-project/lotus/issues/13749: no logs of a block that the node has.
  [
    'one lost its logs',
    { 'one.example': { head: 9, logs: 0 }, 'two.example': whole, 'three.example': whole },
    [5, 9],
  ],
  [
    'one of two lost its logs',
    { 'one.example': { head: 9, logs: 0 }, 'two.example': whole },
    /no two endpoints agree/,
  ],
  [
    'one has another block',
    { 'one.example': { head: 9, fork: 'b' }, 'two.example': whole },
    /no two endpoints agree/,
  ],
] as [string, Record<string, Node>, number[] | RegExp][])(
  'an empty list of event logs counts only with the block: %s',
  async (_, nodes, result) => {
    const found = await logsFrom(nodes, 9)
    if (result instanceof RegExp) expect(found).toMatch(result)
    else expect(found).toEqual(result)
  },
)

/** What a run's probe finds of endpoints of which the first never sends event logs, and how often it asks that one. */
async function probeSilent(hosts: string[]) {
  const called: string[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((after) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), after)
    return controller.signal
  })
  vi.stubGlobal('fetch', (url: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    const { method } = JSON.parse(body) as { method: string }
    called.push(`${new URL(url).host} ${method}`)
    if (method === 'eth_getLogs' && new URL(url).host === hosts[0])
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    return Promise.resolve(Response.json({ result: method === 'eth_getLogs' ? [] : '0x38' }))
  })
  const probing = probeEndpoints(
    hosts.map((host) => `https://${host}`),
    56,
  )
  await vi.advanceTimersByTimeAsync(6_000)
  const { faults, endpoints } = await probing
  const asked = called.filter((each) => each === `${hosts[0]} eth_getLogs`).length
  return { faults, missing: endpoints[0]?.missing, asked }
}

test('an endpoint that answers all but eth_getLogs is not asked for event logs for ten minutes', async () => {
  const hosts = ['silent.example', 'second.example', 'third.example']
  const found = { faults: { 'endpoint 1': 'does not serve eth_getLogs' }, missing: ['eth_getLogs'] }
  expect(await probeSilent(hosts)).toMatchObject({ ...found, asked: 1 })
  expect(await probeSilent(hosts)).toMatchObject({ ...found, asked: 0 })
  vi.setSystemTime(Date.now() + 11 * 60_000)
  expect(await probeSilent(hosts)).toMatchObject({ ...found, asked: 1 })
})

test('an endpoint without event logs is asked again in the next run if too few others serve them', async () => {
  for (let run = 0; run < 2; run += 1)
    expect(await probeSilent(['only.example'])).toMatchObject({ missing: ['eth_getLogs'], asked: 1 })
})
