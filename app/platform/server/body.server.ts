import { concatenate } from '../bytes.ts'

/**
 * Reads a body of at most `limit` bytes. Returns `too-long` for a longer body, whose rest is not read, and
 * `incomplete` if the connection ended before the end of the body.
 */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | 'too-long' | 'incomplete'> {
  const parts: Uint8Array[] = []
  let length = 0
  const reader = body?.getReader()
  try {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      length += part.value.byteLength
      if (length > limit) {
        await reader?.cancel()
        return 'too-long'
      }
      parts.push(part.value)
    }
  } catch {
    return 'incomplete'
  }
  return concatenate(parts)
}

/**
 * Reads a request body of at most `limit` bytes. Refuses a longer declared length without reading the body.
 * Returns the body, or the status of the refusal: 413 for a body that is too long, 400 for an incomplete
 * body.
 */
export async function readRequestBody(
  request: Request,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | 400 | 413> {
  if (Number(request.headers.get('Content-Length')) > limit) return 413
  const body = await readBytes(request.body, limit)
  if (body === 'too-long') return 413
  return body === 'incomplete' ? 400 : body
}

/** The media type of a body, without parameters and in lower case; '' without a Content-Type. */
export function mediaType(request: Request): string {
  return (request.headers.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
