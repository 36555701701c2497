import { createRequestHandler, type RequestHandler, type ServerBuild } from '@remix-run/cloudflare'

/**
 * Remix's handler. Remix compares an address with every route of the site, several times for each page, which
 * was a quarter of the time of a page: so an address of a section ('/voting', '/voting/…') is given to a handler
 * that knows the routes of this section alone, and the one for what is nowhere.
 */
export function createHandler(build: ServerBuild, mode: string): RequestHandler {
  const sections = new Map<string, RequestHandler>()
  for (const section of new Set(Object.values(build.routes).map((route) => sectionOf(build, route))))
    if (/^[\w-]*$/.test(section)) sections.set(section, createRequestHandler(only(build, section), mode))
  // Data requests, the manifest, addresses that are nowhere or written in another way.
  const whole = createRequestHandler(build, mode)
  return (asked, context) => {
    const url = new URL(asked.url)
    const request = asked.method === 'GET' ? asked : withoutOrigin(asked)
    if (!isReadable(url.pathname)) {
      url.pathname = url.pathname.replaceAll('%', '%25')
      return whole(new Request(url, request), context)
    }
    return (sections.get(url.pathname.split('/')[1] ?? '') ?? whole)(request, context)
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

type Route = NonNullable<ServerBuild['routes'][string]>

/** The first part of a route's address: '' for Home, '*' for the page of what is nowhere. */
function sectionOf(build: ServerBuild, route: Route): string {
  const parent = build.routes[route.parentId ?? '']
  return parent && parent.id !== 'root' ? sectionOf(build, parent) : (route.path ?? '').split('/')[0] || ''
}

function only(build: ServerBuild, section: string): ServerBuild {
  const isOfIt = ([id]: [string, unknown]) => {
    const route = build.routes[id]
    return id === 'root' || (route && [section, '*'].includes(sectionOf(build, route)))
  }
  const filtered = <T>(routes: Record<string, T>) => Object.fromEntries(Object.entries(routes).filter(isOfIt))
  return {
    ...build,
    routes: filtered(build.routes),
    assets: { ...build.assets, routes: filtered(build.assets.routes) },
  }
}
