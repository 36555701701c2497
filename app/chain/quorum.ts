import * as z from 'zod/mini'
import { sleep } from '../platform/server/timeout.ts'
import { type Capabilities, forgetCapabilities, readCapabilities } from './capabilities.ts'
import { CallRefused, RangeTooLarge, TooLarge, Unreachable } from './chain-errors.ts'
import { AnswerTooLarge, CallFailure, RateLimited, type RpcAnswer, sendCall } from './endpoint.ts'
import type { Rejection } from './rejection.ts'

/** The failures after which an endpoint gets no further request in a run, except transactions to send. */
const maxFailures = 2
/**
 * The number of blocks by which an endpoint may lag behind the newest block of any endpoint before the lag is
 * reported. An endpoint without the common head block is not used.
 */
const maxLag = 10

/**
 * How often in succession a run waits for an endpoint that limits our rate; the first wait, unless the endpoint names
 * one, and the longest, in milliseconds.
 */
const maxWaits = 4
const firstWait = 500
const longestWait = 4_000
/** The same before the run, when other endpoints may be enough. */
const maxProbeWaits = 2
/** The number of an endpoint's blocks whose hashes a run remembers. */
const rememberedBlocks = 20

/** One JSON-RPC endpoint. */
interface Endpoint {
  /** The endpoint's place in the list. It replaces the URL in logs, because URLs may contain keys. */
  name: string
  url: string
  request(method: string, params: unknown[]): Promise<RpcAnswer>
  failures: number
  /** The methods that it does not serve. */
  missing: readonly string[]
  /** It limits our rate: the time before which it gets no call, and the number of such waits since its last answer. */
  readyAt: number
  waits: number
  /** The hashes of blocks that it has returned, by number. */
  blocks: Map<number, string>
}

/** The endpoints that a run uses, and their common head block. */
interface Quorum {
  endpoints: Endpoint[]
  /** The newest block that `needed` endpoints have. */
  head: number
  /** The newest block that any endpoint claims to have. */
  newest: number
  /** The names of the endpoints that did not respond, or were not asked. */
  silent: string[]
  /** The number of endpoints that must return the same result: two, or one if only one is configured. */
  needed: number
  /** The faults, keyed by endpoint name, or by method if no two endpoints returned the same result. */
  faults: Record<string, string>
  /** What each endpoint serves and lacks. */
  capabilities: Record<string, Capabilities>
  /** Number of calls so far. */
  calls: number
  /** The hash of an old transaction that is on the chain, with which the endpoints are probed; null without one. */
  oldest: () => Promise<string | null>
}

/** Asks an endpoint a further question; undefined if it rejects it. */
export type Ask = <T>(method: string, params: unknown[], schema: z.ZodMiniType<T>) => Promise<T | undefined>

type Response<T> =
  | { kind: 'value'; value: T }
  | { kind: Exclude<Rejection, 'limited'>; reason?: string | null; words?: string }

const integer = z.pipe(
  z.pipe(z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/)), z.transform(Number)),
  z.int(),
)
const numberedBlock = z.object({ number: integer, hash: z.string() })

const noResponse = 'does not respond'

/**
 * Probes each endpoint (chain id and block number) and uses those that are on the chain and have the head
 * block. Throws Unreachable if too few endpoints remain. Does not ask the endpoints named in `unasked` (silence.ts).
 */
export async function probeEndpoints(
  urls: readonly string[],
  chainId: number,
  deadline?: AbortSignal,
  oldest: Quorum['oldest'] = async () => null,
  unasked: ReadonlySet<string> = new Set(),
): Promise<Quorum> {
  const needed = Math.min(2, urls.length)
  const faults: Record<string, string> = {}
  for (const name of unasked) faults[name] = 'has not answered for a day, and is asked once an hour'
  const asked = urls
    .map((url, at) => createEndpoint(url, `endpoint ${at + 1}`, deadline))
    .filter(({ name }) => !unasked.has(name))
  const probed = await Promise.all(asked.map((endpoint) => probe(endpoint, chainId, faults)))
  const silent = Object.keys(faults).filter((name) => unasked.has(name) || faults[name] === noResponse)
  const usable = probed.filter((each) => each !== null)
  const heads = usable.map((each) => each.head).sort((a, b) => b - a)
  const [newest, head] = [heads[0], heads[needed - 1]]
  if (newest === undefined || head === undefined)
    throw new Unreachable(sentence('too few endpoints respond', faults))
  for (const { endpoint, head: own } of usable) {
    const behind = newest - own
    if (behind > maxLag) faults[endpoint.name] = `is ${behind} blocks behind`
  }
  const endpoints = usable.filter((each) => each.head >= head).map(({ endpoint }) => endpoint)
  const quorum: Quorum = {
    endpoints,
    head,
    newest,
    silent,
    needed,
    faults,
    capabilities: {},
    calls: asked.length * 2,
    oldest,
  }
  await probeCapabilities(quorum)
  return quorum
}

/** Names what each endpoint serves and lacks. `isAgain`: whatever was found some minutes ago. */
export async function probeCapabilities(quorum: Quorum, isAgain = false): Promise<void> {
  await Promise.all(
    quorum.endpoints.map(async (endpoint) => {
      const { name, url, request } = endpoint
      const { found, calls } = await readCapabilities(url, quorum, request, isAgain)
      quorum.calls += calls
      if (!found) return
      quorum.capabilities[name] = found
      endpoint.missing = found.missing
      if (found.missing.length > 0) quorum.faults[name] = `does not serve ${found.missing.join(' and ')}`
    }),
  )
  const serving = quorum.endpoints.filter(({ missing }) => missing.length === 0)
  if (serving.length < quorum.needed) for (const { url } of quorum.endpoints) forgetCapabilities(url)
}

type Probed = { endpoint: Endpoint; head: number } | null

async function probe(endpoint: Endpoint, chainId: number, faults: Record<string, string>): Promise<Probed> {
  try {
    const [id, head] = await Promise.all([
      call(endpoint, 'eth_chainId', [], integer),
      call(endpoint, 'eth_blockNumber', [], integer),
    ])
    if (id.kind !== 'value' || head.kind !== 'value') faults[endpoint.name] = 'refuses'
    else if (id.value !== chainId) faults[endpoint.name] = `is on chain ${id.value}`
    else return { endpoint, head: head.value }
  } catch (error) {
    faults[endpoint.name] = faultOf(error)
    if (error instanceof RateLimited && endpoint.waits < maxProbeWaits && postpone(endpoint, error)) {
      await sleep(endpoint.readyAt - Date.now())
      return probe(endpoint, chainId, faults)
    }
  }
  return null
}

/**
 * Calls endpoints until `needed` of them have returned the same result, and returns that result. If two are
 * needed, a single wrong endpoint can neither add nor hide a transfer. If two endpoints agree, a fault is
 * recorded for each endpoint that disagrees, unless the method is `optional` and the endpoint refuses it.
 * Throws RangeTooLarge, TooLarge or CallRefused if `needed` endpoints reject the call, or if one endpoint rejects
 * it and no result is agreed. Throws Unreachable if no result is agreed and no endpoint rejects the call.
 *
 * Asks an endpoint that limits our rate only if the others are not enough, and then waits. With `upTo`, a result counts
 * only from an endpoint that has this block, and two results agree only if their blocks do: a node that is behind
 * returns an empty list of event logs for blocks that it does not have.
 *
 * With `otherwise`, an endpoint that responds with null is asked again by `otherwise`, and the second response counts.
 */
export async function requestQuorum<T>(
  quorum: Quorum,
  method: string,
  params: unknown[],
  schema: z.ZodMiniType<T>,
  {
    optional = false,
    upTo,
    otherwise,
  }: { optional?: boolean; upTo?: number; otherwise?: ((ask: Ask) => Promise<T>) | undefined } = {},
): Promise<T> {
  const { faults, needed } = quorum
  const groups = new Map<string, { response: Response<T>; from: Endpoint[] }>()
  let remaining = quorum.endpoints.filter(
    ({ failures, missing }) => failures < maxFailures && !missing.includes(method),
  )
  while (remaining.length > 0) {
    const agreeing = Math.max(0, ...Array.from(groups.values(), ({ from }) => from.length))
    const called = await nextOf(remaining, needed - agreeing)
    remaining = remaining.filter((endpoint) => !called.includes(endpoint))
    quorum.calls += called.length
    await Promise.all(
      called.map(async (endpoint) => {
        try {
          let response = await call(endpoint, method, params, schema)
          if (otherwise && response.kind === 'value' && response.value === null) {
            const ask: Ask = async (...question) => {
              quorum.calls += 1
              const further = await call(endpoint, ...question)
              return further.kind === 'value' ? further.value : undefined
            }
            response = { kind: 'value', value: await otherwise(ask) }
          }
          const key =
            response.kind !== 'value'
              ? response.kind
              : upTo === undefined
                ? toText(response.value)
                : `${toText(response.value)} ${await hashAt(quorum, endpoint, upTo)}`
          const group = groups.get(key) ?? { response, from: [] }
          group.from.push(endpoint)
          groups.set(key, group)
        } catch (error) {
          faults[endpoint.name] = faultOf(error)
          if (error instanceof RateLimited && postpone(endpoint, error)) remaining.push(endpoint)
          else endpoint.failures += 1
        }
      }),
    )
    const agreed = Array.from(groups.values()).find(({ from }) => from.length >= needed)
    if (!agreed) continue
    for (const { response, from } of groups.values())
      if (agreed.from !== from && !(optional && response.kind === 'refused'))
        for (const { name } of from)
          faults[name] =
            response.kind === 'large'
              ? `sends an answer that is too large for ${method}`
              : `disagrees with two others on ${method}`
    return unwrapResponse(agreed.response, method)
  }
  const responses = Array.from(groups.values(), ({ response }) => response)
  for (const kind of ['range', 'large', 'refused'] as const) {
    const rejected = responses.find((response) => response.kind === kind)
    if (rejected) return unwrapResponse(rejected, method)
  }
  if (responses.length > 1) faults[method] = 'no two endpoints agree'
  throw new Unreachable(sentence(`no result for ${method}`, faults))
}

/** The next endpoints to call: those that limit our rate come last, and get the time that they want. */
async function nextOf(remaining: readonly Endpoint[], count: number): Promise<Endpoint[]> {
  const now = Date.now()
  const ready = remaining.filter(({ readyAt }) => readyAt <= now)
  if (ready.length > 0) return ready.slice(0, count)
  const [first] = remaining.toSorted((a, b) => a.readyAt - b.readyAt)
  if (!first) return []
  await sleep(first.readyAt - now)
  return [first]
}

/** False if the run has waited for the endpoint often enough. Calls at the same time count as one. */
function postpone(endpoint: Endpoint, { seconds }: RateLimited): boolean {
  const now = Date.now()
  if (endpoint.readyAt <= now) {
    endpoint.waits += 1
    const wait = seconds === null ? firstWait * 2 ** (endpoint.waits - 1) : seconds * 1000
    endpoint.readyAt = now + Math.min(wait, longestWait)
  }
  if (endpoint.waits <= maxWaits) return true
  endpoint.failures = maxFailures
  return false
}

/** The hash of an endpoint's block. Throws CallFailure if the endpoint does not have the block. */
async function hashAt(quorum: Quorum, endpoint: Endpoint, number: number): Promise<string> {
  if (!endpoint.blocks.has(number)) {
    quorum.calls += 1
    await call(endpoint, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false], z.unknown())
  }
  const hash = endpoint.blocks.get(number)
  if (hash === undefined) throw new CallFailure(`does not have block ${number}`)
  return hash
}

/** Remembers the hash of a block that an endpoint returned. */
function remember({ blocks }: Endpoint, result: unknown): void {
  const { data } = numberedBlock.safeParse(result)
  if (!data) return
  blocks.set(data.number, data.hash)
  const [oldest] = blocks.keys()
  if (blocks.size > rememberedBlocks && oldest !== undefined) blocks.delete(oldest)
}

/** The numbers that the endpoints return, highest first. Those that fail or refuse are missing. */
export async function requestEach(
  quorum: Quorum,
  method: string,
  params: unknown[],
  schema: z.ZodMiniType<bigint>,
): Promise<bigint[]> {
  const answers = await Promise.all(
    quorum.endpoints.map(async (endpoint) => {
      if (endpoint.failures >= maxFailures) return []
      quorum.calls += 1
      try {
        const response = await call(endpoint, method, params, schema)
        return response.kind === 'value' ? [response.value] : []
      } catch (error) {
        quorum.faults[endpoint.name] = faultOf(error)
        if (!(error instanceof RateLimited)) endpoint.failures += 1
        return []
      }
    }),
  )
  return answers.flat().sort((a, b) => (a < b ? 1 : -1))
}

/** What became of a signed transaction: how many endpoints have it, and what others say; null if none refuses it. */
export interface Broadcast {
  accepted: number
  refused: string | null
}

/** The words with which endpoints refuse a transaction that they have. */
const isKnown = /already ?(known|imported)|same hash/i

/** Sends a signed transaction to every endpoint. One that has it is enough. */
export async function broadcast(quorum: Quorum, method: string, params: unknown[]): Promise<Broadcast> {
  const refusals = new Set<string>()
  const accepted = await Promise.all(
    quorum.endpoints.map(async (endpoint) => {
      quorum.calls += 1
      try {
        const response = await call(endpoint, method, params, z.unknown())
        if (response.kind === 'value' || isKnown.test(response.words ?? '')) return true
        refusals.add(response.words || 'no reason')
      } catch (error) {
        quorum.faults[endpoint.name] = faultOf(error)
      }
      return false
    }),
  )
  return { accepted: accepted.filter(Boolean).length, refused: [...refusals].join('; ') || null }
}

function createEndpoint(url: string, name: string, deadline?: AbortSignal): Endpoint {
  return {
    name,
    url,
    request: (method, params) => sendCall(url, method, params, deadline),
    failures: 0,
    missing: [],
    readyAt: 0,
    waits: 0,
    blocks: new Map(),
  }
}

async function call<T>(
  endpoint: Endpoint,
  method: string,
  params: unknown[],
  schema: z.ZodMiniType<T>,
): Promise<Response<T>> {
  try {
    const answer = await endpoint.request(method, params)
    endpoint.waits = 0
    if ('rejected' in answer) return { kind: answer.rejected, reason: answer.reason, words: answer.words }
    if (method === 'eth_getBlockByNumber') remember(endpoint, answer.result)
    return { kind: 'value', value: schema.parse(answer.result) }
  } catch (error) {
    if (error instanceof AnswerTooLarge) return { kind: method === 'eth_getLogs' ? 'range' : 'large' }
    throw error
  }
}

function unwrapResponse<T>(response: Response<T>, method: string): T {
  if (response.kind === 'value') return response.value
  if (response.kind === 'range') throw new RangeTooLarge(method)
  throw response.kind === 'large'
    ? new TooLarge(`the answer to ${method} is too large`)
    : new CallRefused(`${method} is refused`, response)
}

function faultOf(error: unknown): string {
  if (error instanceof z.core.$ZodError) return 'returns an unexpected format'
  if (error instanceof CallFailure) return error.message
  return noResponse
}

function sentence(what: string, faults: Record<string, string>): string {
  return [what, ...Object.entries(faults).map(([name, fault]) => `${name} ${fault}`)].join('; ')
}

function toText(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? part.toString() : part))
}
