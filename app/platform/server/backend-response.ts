import { readBytes } from './body.server'

/** Maximum size of a response in bytes, after decompression. 1,000 rows need a fraction of this size. */
const maxResponseLength = 4 * 1024 * 1024
/** Minimum pause before a retry, in milliseconds: random, up to twice, so that retries spread. */
const retryPause = 50
/** The longest Retry-After of the service, in seconds, after which a read is still retried. */
const maxRetryAfter = 1

/** The reason why a response is rejected. A rejected call is not retried. */
export class RejectedResponse extends Error {
  constructor(name: 'Timeout' | 'Redirect' | 'TooLarge' | 'NotJson') {
    super('the backend gave no usable response')
    this.name = name
  }
}

/** The response with its whole body. Throws for a redirect, a large, incomplete or non-JSON response. */
export async function readResponse(response: Response): Promise<Response> {
  const { status } = response
  if (status >= 300 && status < 400) {
    await response.body?.cancel()
    throw new RejectedResponse('Redirect')
  }
  const body = await readBytes(response.body, maxResponseLength)
  if (body === 'too-long') throw new RejectedResponse('TooLarge')
  if (body === 'incomplete') throw new Error('the response ended early')
  const headers = new Headers(response.headers)
  // The body is already decompressed.
  for (const name of ['Content-Encoding', 'Content-Length']) headers.delete(name)
  if (body.byteLength === 0) return new Response(null, { status, headers })
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(headers.get('Content-Type') ?? ''))
    throw new RejectedResponse('NotJson')
  return new Response(body, { status, headers })
}

/** The delay before a read is retried, in milliseconds; null if a retry would not help. */
export function retryDelay(outcome: Response | Error): number | null {
  const pause = retryPause * (1 + Math.random())
  if (outcome instanceof Error) return outcome instanceof RejectedResponse ? null : pause
  if (!isUnavailable(outcome.status) && outcome.status !== 429) return null
  const retryAfter = outcome.headers.get('Retry-After')
  if (retryAfter === null) return outcome.status === 429 ? null : pause
  return /^\d+$/.test(retryAfter) && Number(retryAfter) <= maxRetryAfter
    ? Number(retryAfter) * 1000 + pause
    : null
}

/** True for bad gateway, unavailable, gateway timeout, and a proxy's 52x: the service did not respond. */
export function isUnavailable(status: number): boolean {
  return status >= 502
}
