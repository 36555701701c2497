import { readBytes } from './body.server.ts'

/** A response from another party's server. */
export interface OutsideResponse {
  status: number
  headers: Headers
  /** The body after decompression; empty for a redirect. */
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * Requests a URL on another party's server, without following a redirect. Returns 'too-long' for a body of
 * more than `limit` bytes after decompression, whose rest is not read. Returns 'incomplete' for a body that
 * ends early, or when the signal aborts the request. Throws if there is no response.
 */
export async function requestOutside(
  url: string,
  init: RequestInit & { signal: AbortSignal },
  limit: number,
): Promise<OutsideResponse | 'too-long' | 'incomplete'> {
  const { status, headers, body } = await fetch(url, { ...init, redirect: 'manual' })
  if (status > 300 && status < 400) {
    await body?.cancel()
    return { status, headers, bytes: new Uint8Array() }
  }
  const bytes = await readBytes(body, limit)
  return typeof bytes === 'string' ? bytes : { status, headers, bytes }
}
