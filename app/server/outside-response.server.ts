import { readBytes } from './body.server.ts'

/** A response of a server that is not ours. */
export interface OutsideResponse {
  status: number
  headers: Headers
  /** The body after decompression; empty for a redirect. */
  bytes: Uint8Array<ArrayBuffer>
}

/**
 * Requests a URL of a server that is not ours, without following a redirect. A body of more than `limit` bytes after
 * decompression is 'too-long' and not read further; one that ends early, or at the signal, is 'incomplete'. Throws if
 * there is no response.
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
