import { HttpRequestError, http } from 'viem'
import * as z from 'zod'

/** No single call takes longer, nor brings more. */
const callDeadline = 6_000
const largestAnswer = 8_000_000
/** An endpoint that failed this often is not asked again in the same run. */
const failuresAllowed = 2
/** What is said of an endpoint that is further behind; what it lacks, others are asked for anyway. */
const lagAllowed = 10
const mostKept = 1_000
/** Each is asked of two endpoints. */
const atOnce = 3

const hex = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern)
    .transform((value) => value.toLowerCase())
const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt)
const small = quantity.transform(Number).pipe(z.int())
const hash = hex(/^0x[0-9a-fA-F]{64}$/)
const address = hex(/^0x[0-9a-fA-F]{40}$/)
const bytes = hex(/^0x([0-9a-fA-F]{2})*$/)

const log = z.object({
  address,
  topics: z.array(hash).max(4),
  data: bytes,
  blockNumber: small,
  blockHash: hash,
  transactionHash: hash,
  logIndex: small,
})
const block = z.object({ number: small, hash, timestamp: small })
const receipt = z.object({
  transactionHash: hash,
  blockNumber: small,
  blockHash: hash,
  status: z.enum(['0x0', '0x1']),
  logs: z.array(log),
})
const transaction = z.object({
  hash,
  from: address,
  to: address.nullish().transform((to) => to ?? null),
  value: quantity,
  blockHash: hash.nullish(),
})

export type ChainLog = z.infer<typeof log>
export type Block = z.infer<typeof block>
export type Receipt = z.infer<typeof receipt>
export type NativeTransfer = z.infer<typeof transaction>

/** Too few endpoints answered, or no two gave the same answer. It says nothing about what was asked. */
export class Unreachable extends Error {}
/** Endpoints that were there would not answer: the state is gone, the call reverts. */
export class Refused extends Error {}
/** The range of blocks, or what is in it, is too large for an endpoint. */
export class RangeTooLarge extends Error {}

/** The chain as one run sees it. Every answer was given alike by two endpoints, where two are configured. */
export interface Chain {
  id: number
  /** The newest block that enough endpoints have. */
  head: number
  /** What was wrong with which endpoint, by its place in the list: addresses carry keys. */
  faults: Record<string, string>
  /** How many calls went out. */
  calls: number
  block(number: number): Promise<Block | null>
  blockByHash(hash: string): Promise<Block | null>
  receipt(hash: string): Promise<Receipt | null>
  transaction(hash: string): Promise<NativeTransfer | null>
  logs(
    from: number,
    to: number,
    topics: (string | string[] | null)[],
    addresses: string[],
  ): Promise<ChainLog[]>
  /** What a contract answers at a block. */
  call(to: string, data: string, at: number): Promise<`0x${string}`>
  balance(of: string, at: number): Promise<bigint>
}

interface Endpoint {
  name: string
  ask(method: string, params: unknown[]): Promise<unknown>
  failures: number
}

type Answer<T> = { kind: 'value'; value: T } | { kind: 'refused' | 'range' }

/** Finds out which endpoints can be used, and how far they agree. Throws Unreachable where too few can. */
export async function openChain(urls: readonly string[], id: number, deadline?: AbortSignal): Promise<Chain> {
  const needed = Math.min(2, urls.length)
  const faults: Record<string, string> = {}
  const found = await Promise.all(
    urls.map(async (url, at) => {
      const endpoint = createEndpoint(url, `endpoint ${at + 1}`, deadline)
      try {
        const [chainId, head] = await Promise.all([
          ask(endpoint, 'eth_chainId', [], small),
          ask(endpoint, 'eth_blockNumber', [], small),
        ])
        if (chainId.kind !== 'value' || head.kind !== 'value') faults[endpoint.name] = 'refuses'
        else if (chainId.value !== id) faults[endpoint.name] = `is on chain ${chainId.value}`
        else return { endpoint, head: head.value }
      } catch (error) {
        faults[endpoint.name] = faultOf(error)
      }
    }),
  )
  const usable = found.filter((each) => each !== undefined)
  const heads = usable.map((each) => each.head).sort((a, b) => b - a)
  const head = heads[needed - 1]
  if (head === undefined) throw new Unreachable(sentence('too few endpoints answer', faults))
  for (const each of usable) {
    const behind = (heads[0] ?? head) - each.head
    if (behind > lagAllowed) faults[each.endpoint.name] = `lags ${behind} blocks behind`
  }
  const endpoints = usable.filter((each) => each.head >= head).map(({ endpoint }) => endpoint)

  async function agree<T>(method: string, params: unknown[], schema: z.ZodType<T>): Promise<T> {
    const groups = new Map<string, { answer: Answer<T>; from: Endpoint[] }>()
    let open = endpoints.filter(({ failures }) => failures < failuresAllowed)
    while (open.length > 0) {
      const most = Math.max(0, ...Array.from(groups.values(), ({ from }) => from.length))
      const asked = open.slice(0, needed - most)
      open = open.slice(asked.length)
      chain.calls += asked.length
      await Promise.all(
        asked.map(async (endpoint) => {
          try {
            const answer = await ask(endpoint, method, params, schema)
            const key = answer.kind === 'value' ? textOf(answer.value) : answer.kind
            const group = groups.get(key) ?? { answer, from: [] }
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
      for (const { from } of groups.values())
        if (agreed.from !== from)
          for (const { name } of from) faults[name] = `answers ${method} unlike two others`
      return taken(agreed.answer, method)
    }
    const answers = Array.from(groups.values(), ({ answer }) => answer)
    for (const kind of ['range', 'refused'] as const) {
      const one = answers.find((answer) => answer.kind === kind)
      if (one) return taken(one, method)
    }
    if (answers.length > 1) faults[method] = 'no two endpoints agree'
    throw new Unreachable(sentence(`${method} has no answer`, faults))
  }

  /** The same is asked once in a run, and now and then again in a long one. */
  const kept = new Map<string, Promise<unknown>>()
  function once<T>(method: string, params: unknown[], schema: z.ZodType<T>): Promise<T> {
    const key = textOf([method, params])
    if (kept.size > mostKept) kept.clear()
    const known = kept.get(key) ?? agree(method, params, schema)
    kept.set(key, known)
    return known as Promise<T>
  }

  const chain: Chain = {
    id,
    head,
    faults,
    calls: urls.length * 2,
    block: (number) => agree('eth_getBlockByNumber', [toHex(number), false], block.nullable()),
    blockByHash: (of) => once('eth_getBlockByHash', [of, false], block.nullable()),
    receipt: (of) => once('eth_getTransactionReceipt', [of], receipt.nullable()),
    transaction: (of) => once('eth_getTransactionByHash', [of], transaction.nullable()),
    logs: async (from, to, topics, addresses) => {
      const filter = { fromBlock: toHex(from), toBlock: toHex(to), address: addresses, topics }
      const inRange = z.array(log.refine((each) => each.blockNumber >= from && each.blockNumber <= to))
      const found = inRange.transform((logs) => logs.sort(inOrder))
      return agree('eth_getLogs', [filter], found)
    },
    call: async (to, data, at) => (await once('eth_call', [{ to, data }, toHex(at)], bytes)) as `0x${string}`,
    balance: (of, at) => once('eth_getBalance', [of, toHex(at)], quantity),
  }
  return chain
}

/** Does a work that asks the chain for each item, a few at a time: a worker has six connections. */
export async function mapInBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let at = 0; at < items.length; at += atOnce)
    done.push(...(await Promise.all(items.slice(at, at + atOnce).map(work))))
  return done
}

/** The order of the chain. */
export function inOrder(a: ChainLog, b: ChainLog): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
}

function createEndpoint(url: string, name: string, deadline?: AbortSignal): Endpoint {
  const { request } = http(url, {
    raw: true,
    retryCount: 0,
    timeout: 0,
    maxResponseBodySize: largestAnswer,
    // The library's own deadline ends where the body begins.
    fetchFn: (input: string | URL | Request, init?: RequestInit) => {
      const own = AbortSignal.timeout(callDeadline)
      return fetch(input, { ...init, signal: deadline ? AbortSignal.any([deadline, own]) : own })
    },
  })({})
  return { name, failures: 0, ask: (method, params) => request({ method, params } as never) }
}

const outcome = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string().catch('') }) }),
  z.object({ error: z.null().optional(), result: z.unknown() }),
])

async function ask<T>(
  endpoint: Endpoint,
  method: string,
  params: unknown[],
  schema: z.ZodType<T>,
): Promise<Answer<T>> {
  const said = outcome.parse(await endpoint.ask(method, params))
  if (!('result' in said)) {
    const { code, message } = said.error ?? { code: 0, message: '' }
    if (isRange(method, message)) return { kind: 'range' }
    if (code === 429 || code === -32005) throw new Error('limits us')
    return { kind: 'refused' }
  }
  return { kind: 'value', value: schema.parse(said.result) }
}

/** Every provider words it in its own way. */
function isRange(method: string, message: string): boolean {
  return method === 'eth_getLogs' && /range|limit|too (many|large|big|wide)|exceed|more than/i.test(message)
}

function taken<T>(answer: Answer<T>, method: string): T {
  if (answer.kind === 'value') return answer.value
  throw answer.kind === 'range' ? new RangeTooLarge(method) : new Refused(`${method} is refused`)
}

function faultOf(error: unknown): string {
  if (error instanceof z.ZodError) return 'answers in another shape'
  if (error instanceof HttpRequestError && error.status === 429) return 'limits us'
  if (error instanceof HttpRequestError && error.status) return `answers ${error.status}`
  return error instanceof Error && error.message === 'limits us' ? error.message : 'does not answer'
}

function sentence(what: string, faults: Record<string, string>): string {
  return [what, ...Object.entries(faults).map(([name, fault]) => `${name} ${fault}`)].join('; ')
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? part.toString() : part))
}

function toHex(number: number): string {
  return `0x${number.toString(16)}`
}
