import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'

/** Converts a Node request to one of the Fetch API, with the site's origin. */
export function toRequest(incoming: IncomingMessage & { originalUrl?: string }, origin: string): Request {
  const headers = new Headers()
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    for (const value of values ?? []) headers.append(name, value)
  const bodyless = incoming.method === 'GET' || incoming.method === 'HEAD'
  return new Request(new URL(incoming.originalUrl ?? incoming.url ?? '/', origin), {
    method: incoming.method,
    headers,
    body: bodyless ? null : (Readable.toWeb(incoming) as ReadableStream),
    duplex: 'half',
  } as RequestInit)
}

/** Sends a response of the Fetch API through Node. */
export function sendResponse(response: Response, outgoing: ServerResponse): void {
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) if (name !== 'set-cookie') outgoing.setHeader(name, value)
  outgoing.setHeader('Set-Cookie', response.headers.getSetCookie())
  // A body that breaks off, or a connection that the browser closes, ends both streams.
  if (response.body) pipeline(Readable.fromWeb(response.body as WebStream), outgoing, () => {})
  else outgoing.end()
}
