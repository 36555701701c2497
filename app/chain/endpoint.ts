import * as z from 'zod/mini'
import { type Rejection, rejectionOf } from './rejection.ts'

/** Maximum duration of one call, in milliseconds. */
const callTimeout = 6_000
/** Maximum size of a response, in bytes. */
const maxAnswerSize = 8_000_000
/** A response that is incomplete after `callTimeout` counts as too large if this many bytes have arrived. */
const largeAnswerSize = 1_000_000

/** The reason why a call failed, in words for an operator. */
export class CallFailure extends Error {}
/** No answer within the time of a call. */
export class TimedOut extends CallFailure {}
/** The endpoint limits our rate. `seconds`: how long it asks us to wait; null if it does not say. */
export class RateLimited extends CallFailure {
  readonly seconds: number | null

  constructor(seconds: number | null = null) {
    super('limits our rate')
    this.seconds = seconds
  }
}
/** A response above `maxAnswerSize`, or large and incomplete after the timeout. The endpoint is healthy. */
export class AnswerTooLarge extends Error {}

const answer = z.union([
  z.object({ error: z.object({ code: z.catch(z.coerce.number(), 0), message: z.catch(z.string(), '') }) }),
  z.object({ error: z.optional(z.null()), result: z.unknown() }),
])
/**
 * A JSON-RPC response: a result, or an error from the endpoint. `reason`: what a contract gave as the reason of its
 * refusal; null without one. `words`: the beginning of the endpoint's message.
 */
export type RpcAnswer =
  | { result: unknown }
  | { rejected: Exclude<Rejection, 'limited'>; reason: string | null; words: string }

/**
 * Sends a call to a JSON-RPC endpoint and reads the response. Throws AnswerTooLarge, or CallFailure for any
 * other failure. `deadline` ends the call earlier.
 */
export async function sendCall(
  url: string,
  method: string,
  params: unknown[],
  deadline?: AbortSignal,
): Promise<RpcAnswer> {
  const own = AbortSignal.timeout(callTimeout)
  const { address, headers } = withoutCredentials(url)
  let received = 0
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: deadline ? AbortSignal.any([deadline, own]) : own,
    })
    const text = await readText(response, (size) => {
      received = size
    })
    return parseAnswer(response, text, method)
  } catch (error) {
    if (error instanceof AnswerTooLarge || error instanceof CallFailure) throw error
    if (!own.aborted || deadline?.aborted) throw new CallFailure('does not respond')
    if (received >= largeAnswerSize) throw new AnswerTooLarge()
    throw new TimedOut('does not respond')
  }
}

/** Reads a body of at most `maxAnswerSize` bytes. Reports the number of bytes after each part. */
async function readText(response: Response, report: (size: number) => void): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    size += part.value.byteLength
    report(size)
    if (size > maxAnswerSize) {
      await reader?.cancel()
      throw new AnswerTooLarge()
    }
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}

/** A JSON-RPC error is valid with any status, because some endpoints send it with status 400, 413 or 429. */
function parseAnswer({ ok, status, headers }: Response, text: string, method: string): RpcAnswer {
  const parsed = answer.safeParse(parseJson(text))
  const error = parsed.data?.error
  const rejected = error ? rejectionOf(method, { ...error, status }) : status === 429 ? 'limited' : null
  if (rejected === 'limited') throw new RateLimited(secondsIn(headers.get('Retry-After')))
  if (rejected) {
    const message = error?.message ?? ''
    return { rejected, reason: reasonIn(message), words: printable.exec(message)?.[0] ?? '' }
  }
  if (!ok) throw new CallFailure(`responds with status ${status}`)
  if (!parsed.success) throw new CallFailure('returns an unexpected format')
  return { result: 'result' in parsed.data ? parsed.data.result : undefined }
}

const printable = /^[\x20-\x7e]{1,100}/

/** Nodes put the words of a contract behind these ones; that of BNB Smart Chain puts the data behind the words. */
function reasonIn(message: string): string | null {
  const [, words] = /^execution reverted: (.+)/.exec(message.replace(/: 0x[0-9a-f]*$/i, '')) ?? []
  return printable.exec(words ?? '')?.[0] ?? null
}

function secondsIn(retryAfter: string | null): number | null {
  return retryAfter && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Moves a URL's user name and password to a header, because fetch refuses a URL that contains them. */
function withoutCredentials(url: string): { address: string; headers: Record<string, string> } {
  const address = new URL(url)
  const { username, password } = address
  if (!username && !password) return { address: url, headers: {} }
  address.username = address.password = ''
  const credentials = btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  return { address: address.href, headers: { Authorization: `Basic ${credentials}` } }
}
