import { type AppLoadContext, createRequestHandler, type ServerBuild } from '@remix-run/cloudflare'
import { createPlainPages } from './plain-pages.server'

/** What answers wherever no cache does: pages without framework script by themselves, everything else by Remix. */
export function createHandler(build: ServerBuild, mode: string) {
  const plainPage = createPlainPages(build)
  const remix = createRequestHandler(build, mode)
  return async (asked: Request, context: AppLoadContext): Promise<Response> => {
    const request = asked.method === 'GET' ? asked : withoutOrigin(asked)
    if (isReadable(context.url.pathname))
      return (await plainPage(request, context)) ?? remix(request, context)
    const url = new URL(context.url)
    url.pathname = url.pathname.replaceAll('%', '%25')
    return remix(new Request(url, request), context)
  }
}

/** Our own check has been made. Remix's takes the word of `X-Forwarded-Host` for this site, and its no is a 500. */
function withoutOrigin(asked: Request): Request {
  const request = new Request(asked)
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
