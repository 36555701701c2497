/**
 * The bytes of a body, or why there are none: `long` where it has more than `limit`, of which no more is read,
 * `broken` where it ended before its end.
 */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | 'long' | 'broken'> {
  const parts: Uint8Array[] = []
  let length = 0
  const reader = body?.getReader()
  try {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      length += part.value.byteLength
      if (length > limit) {
        await reader?.cancel()
        return 'long'
      }
      parts.push(part.value)
    }
  } catch {
    return 'broken'
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return bytes
}

/** What a request calls its body, without parameters and in lower case; '' where it says nothing. */
export function mediaType(request: Request): string {
  return (request.headers.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
