import * as z from 'zod'
import { RangeTooLarge, Refused, TooLarge, Unreachable } from './chain-errors.ts'
import { type Answer, AnswerTooLarge, CallFailure, sendCall } from './endpoint.ts'

/**
 * The number of failures after which an endpoint receives no further requests in the same run, except
 * transactions to send.
 */
const maxFailures = 2
/**
 * The number of blocks by which an endpoint may lag behind the newest block of any endpoint before the lag is
 * reported. An endpoint without the common head block is not used.
 */
const maxLag = 10

/** One JSON-RPC endpoint. */
interface Endpoint {
  /** The endpoint's place in the list. It replaces the URL in logs, because URLs may contain keys. */
  name: string
  request(method: string, params: unknown[]): Promise<Answer>
  failures: number
}

/** The endpoints that a run uses, and their common head block. */
interface Quorum {
  endpoints: Endpoint[]
  /** The newest block that `needed` endpoints have. */
  head: number
  /** The number of endpoints that must return the same result: two, or one if only one is configured. */
  needed: number
  /**
   * The faults, keyed by endpoint name, or by method if no two endpoints returned the same result.
   */
  faults: Record<string, string>
  /** Number of calls so far. */
  calls: number
}

type Response<T> = { kind: 'value'; value: T } | { kind: Rejection }
/** Why an endpoint returned no value: it refused the call, or the range or the response was too large. */
type Rejection = 'refused' | 'range' | 'large'

const integer = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(Number)
  .pipe(z.int())

/**
 * Probes each endpoint (chain id and block number) and uses those that are on the chain and have the head
 * block. Throws Unreachable if too few endpoints remain.
 */
export async function probeEndpoints(
  urls: readonly string[],
  chainId: number,
  deadline?: AbortSignal,
): Promise<Quorum> {
  const needed = Math.min(2, urls.length)
  const faults: Record<string, string> = {}
  const probed = await Promise.all(
    urls.map((url, at) => probe(createEndpoint(url, `endpoint ${at + 1}`, deadline), chainId, faults)),
  )
  const usable = probed.filter((each) => each !== null)
  const heads = usable.map((each) => each.head).sort((a, b) => b - a)
  const head = heads[needed - 1]
  if (head === undefined) throw new Unreachable(sentence('too few endpoints respond', faults))
  for (const { endpoint, head: own } of usable) {
    const behind = (heads[0] ?? head) - own
    if (behind > maxLag) faults[endpoint.name] = `is ${behind} blocks behind`
  }
  const endpoints = usable.filter((each) => each.head >= head).map(({ endpoint }) => endpoint)
  return { endpoints, head, needed, faults, calls: urls.length * 2 }
}

async function probe(endpoint: Endpoint, chainId: number, faults: Record<string, string>) {
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
  }
  return null
}

/**
 * Calls endpoints until `needed` of them have returned the same result, and returns that result. If two are
 * needed, a single wrong endpoint can neither add nor hide a transfer. If two endpoints agree, a fault is
 * recorded for each endpoint that disagrees, unless the method is `optional` and the endpoint refuses it.
 * Throws RangeTooLarge, TooLarge or Refused if `needed` endpoints reject the call, or if one endpoint rejects
 * it and no result is agreed. Throws Unreachable if no result is agreed and no endpoint rejects the call.
 */
export async function requestQuorum<T>(
  quorum: Quorum,
  method: string,
  params: unknown[],
  schema: z.ZodType<T>,
  { optional = false } = {},
): Promise<T> {
  const { faults, needed } = quorum
  const groups = new Map<string, { response: Response<T>; from: Endpoint[] }>()
  let remaining = quorum.endpoints.filter(({ failures }) => failures < maxFailures)
  while (remaining.length > 0) {
    const agreeing = Math.max(0, ...Array.from(groups.values(), ({ from }) => from.length))
    const called = remaining.slice(0, needed - agreeing)
    remaining = remaining.slice(called.length)
    quorum.calls += called.length
    await Promise.all(
      called.map(async (endpoint) => {
        try {
          const response = await call(endpoint, method, params, schema)
          const key = response.kind === 'value' ? toText(response.value) : response.kind
          const group = groups.get(key) ?? { response, from: [] }
          group.from.push(endpoint)
          groups.set(key, group)
        } catch (error) {
          endpoint.failures += 1
          faults[endpoint.name] = faultOf(error)
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

/**
 * Sends a call to every endpoint and returns how many accepted it. Used for signed transactions, for which
 * one endpoint is enough.
 */
export async function broadcast(quorum: Quorum, method: string, params: unknown[]): Promise<number> {
  const accepted = await Promise.all(
    quorum.endpoints.map(async (endpoint) => {
      quorum.calls += 1
      try {
        return (await call(endpoint, method, params, z.unknown())).kind === 'value'
      } catch (error) {
        quorum.faults[endpoint.name] = faultOf(error)
        return false
      }
    }),
  )
  return accepted.filter(Boolean).length
}

function createEndpoint(url: string, name: string, deadline?: AbortSignal): Endpoint {
  return { name, failures: 0, request: (method, params) => sendCall(url, method, params, deadline) }
}

const rateLimited = 'limits our rate'

async function call<T>(
  endpoint: Endpoint,
  method: string,
  params: unknown[],
  schema: z.ZodType<T>,
): Promise<Response<T>> {
  try {
    const answer = await endpoint.request(method, params)
    if ('result' in answer) return { kind: 'value', value: schema.parse(answer.result) }
    const { code, message } = answer.error ?? { code: 0, message: '' }
    if (isRange(method, message)) return { kind: 'range' }
    if (isLarge(message)) return { kind: 'large' }
    if (code === 429 || code === -32005) throw new CallFailure(rateLimited)
    return { kind: 'refused' }
  } catch (error) {
    if (error instanceof AnswerTooLarge) return { kind: method === 'eth_getLogs' ? 'range' : 'large' }
    throw error
  }
}

/** True if the range of eth_getLogs was too large. Each provider has its own message. */
function isRange(method: string, message: string): boolean {
  return method === 'eth_getLogs' && /range|limit|too (many|large|big|wide)|exceed|more than/i.test(message)
}

/** True if an endpoint refuses to send a response because of its size. */
function isLarge(message: string): boolean {
  return /response|result|answer/i.test(message) && /too (large|big)|exceed|greater/i.test(message)
}

function unwrapResponse<T>(response: Response<T>, method: string): T {
  if (response.kind === 'value') return response.value
  if (response.kind === 'range') throw new RangeTooLarge(method)
  throw response.kind === 'large'
    ? new TooLarge(`the answer to ${method} is too large`)
    : new Refused(`${method} is refused`)
}

function faultOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'returns an unexpected format'
  if (error instanceof CallFailure) return error.status === 429 ? rateLimited : error.message
  return 'does not respond'
}

function sentence(what: string, faults: Record<string, string>): string {
  return [what, ...Object.entries(faults).map(([name, fault]) => `${name} ${fault}`)].join('; ')
}

function toText(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? part.toString() : part))
}
