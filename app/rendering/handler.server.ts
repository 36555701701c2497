import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/cloudflare'
import { isReadablePath } from './readable-path'

/** Handles a request with Remix. `body` is the request's body, which has been read already; null for none. */
export type Handler = (
  request: Request,
  context: AppLoadContext,
  body: Uint8Array<ArrayBuffer> | null,
) => Promise<Response>

export function createHandler(build: ServerBuild, mode: string): Handler {
  const remix = createRequestHandler(build, mode)
  return (request, context, body) => remix(toRemixRequest(request, context.url, body), context)
}

/** The parameter of Remix's former data requests. No page of this site sends it, and Remix responds to it with 500. */
const formerData = '_data'

/**
 * The request as Remix accepts it.
 * - Without Origin and X-Forwarded-Host: Remix compares the two and responds with 500 if they differ. This site checks
 *   the origin itself (edge/origin.server.ts).
 * - With the escapes of an unreadable path escaped again, so that it matches no route and gets the 404 page.
 * - Without the body of a GET request: `new Request` throws for one.
 */
function toRemixRequest(request: Request, { href }: URL, body: Uint8Array<ArrayBuffer> | null): Request {
  const url = new URL(href)
  url.searchParams.delete(formerData)
  if (!isReadablePath(url.pathname)) url.pathname = url.pathname.replaceAll('%', '%25')
  const headers = new Headers(request.headers)
  for (const name of ['Origin', 'X-Forwarded-Host']) headers.delete(name)
  return new Request(url, { method: request.method, headers, body, signal: request.signal })
}
