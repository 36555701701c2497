import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/cloudflare'
import { createPlainPages } from './plain-pages.server'

/** What answers wherever no cache does: pages without framework script by themselves, everything else by Remix. */
export function createHandler(build: ServerBuild, mode: string) {
  const plainPage = createPlainPages(build)
  const remix = createRequestHandler(build, mode)
  return async (asked: Request, context: AppLoadContext): Promise<Response> => {
    const { pathname, search, searchParams } = context.url
    const readable = isReadable(pathname)
    const asIs = asked.method === 'GET' && readable && !(search && searchParams.has(oldData))
    const request = asIs ? asked : toRemixRequest(asked, context.url)
    return (readable && (await plainPage(request, context))) || remix(request, context)
  }
}

/** Remix's data requests of old, by a parameter: no page of ours sends them, and at one for no route it answers 500. */
const oldData = '_data'

/**
 * The request in words that Remix takes, and without Origin: our own check has been made. Remix's takes the word
 * of `X-Forwarded-Host` for this site, and its no is a 500.
 */
function toRemixRequest(asked: Request, address: URL): Request {
  const url = new URL(address)
  url.searchParams.delete(oldData)
  if (!isReadable(url.pathname)) url.pathname = url.pathname.replaceAll('%', '%25')
  const request = new Request(url, asked)
  for (const name of ['Origin', 'X-Forwarded-Host']) request.headers.delete(name)
  return request
}

/**
 * Whether Remix can read a path: at a broken escape it warns in lines of its own, and of an escaped backslash or
 * control character it may make an address without a host. Such a path is nowhere; its escapes are escaped, so
 * that it can say so.
 */
export function isReadable(path: string): boolean {
  try {
    return !path.includes('%') || !/[^ -[\]-\uffff]/.test(decodeURIComponent(path))
  } catch {
    return false
  }
}
