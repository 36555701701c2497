import {
  type AppLoadContext,
  createRequestHandler,
  type RequestHandler,
  type ServerBuild,
} from '@remix-run/cloudflare'
import { readHandle } from './handle'
import { isReadablePath } from './readable-path'
import type { LazyBuild, Router, Routes } from './router.server'

/** Handles a request with Remix. `body`: its body, which has been read already; null without one. */
export type Handler = (
  request: Request,
  context: AppLoadContext,
  body: Uint8Array<ArrayBuffer> | null,
) => Promise<Response>

/** `loadDocument` loads the code that renders a page, which the page needs as soon as its loaders are done. */
export function createHandler(
  build: LazyBuild,
  router: Router,
  mode: string,
  loadDocument: () => Promise<unknown>,
): Handler {
  const pages = new Map<string, RequestHandler>()
  let all: { routes: Routes; remix: RequestHandler } | undefined

  /**
   * Remix with only the routes of one page, which has no script of Remix. With all routes, Remix would match
   * each path against every route and create a React Router route object for each.
   */
  function ofPage(id: string): RequestHandler {
    let remix = pages.get(id)
    if (!remix) {
      const routes = router.lineage(id)
      remix = createRequestHandler({ ...build, assets: withoutFiles(routes), routes }, mode)
      pages.set(id, remix)
    }
    return remix
  }

  /** Remix with all routes, for a page with Remix's script and for the data requests of that script. */
  async function ofAll(): Promise<RequestHandler> {
    const assets = await build.assets()
    const routes = router.loaded()
    // A handler reads the modules at its creation, so a new one replaces it after a module is loaded.
    if (all?.routes !== routes)
      all = { routes, remix: createRequestHandler({ ...build, assets, routes }, mode) }
    return all.remix
  }

  return async (request, context, body) => {
    const url = toRemixUrl(context.url)
    const id = router.match(url.pathname)
    const asked = toRemixRequest(request, url, body)
    // Remix removes its own parameters from a data request before it calls a loader.
    if (asked.method === 'GET' && context.isDocument)
      await router.begin(id, { request: asked, params: {}, context })
    const { isPage = false, parentId } = build.routes[id] ?? {}
    // A data request gets the data of the parent route too, which a download is loaded without.
    const isDataOfDownload = !isPage && !context.isDocument
    const parent = isDataOfDownload && parentId !== undefined && router.load(parentId)
    // Most posted forms and all data requests are answered without a document.
    const isShown = isPage && context.isDocument && asked.method !== 'POST'
    const [{ handle }] = await Promise.all([router.load(id), isShown && loadDocument(), parent])
    const remix = readHandle(handle).cached && !isDataOfDownload ? ofPage(id) : await ofAll()
    return remix(asked, context)
  }
}

/** The list of the files that a page's script needs, for a page without a script. */
function withoutFiles(routes: Routes): ServerBuild['assets'] {
  const entries = Object.values(routes).flatMap((route) => {
    if (!route) return []
    const { module, ...place } = route
    return { ...place, hasLoader: Boolean(module.loader), ...noFiles }
  })
  return {
    version: '',
    url: '',
    entry: { module: '', imports: [] },
    routes: Object.fromEntries(entries.map((entry) => [entry.id, entry])),
  }
}

const noFiles = {
  module: '',
  hasAction: false,
  hasClientAction: false,
  hasClientLoader: false,
  hasErrorBoundary: false,
}

/** The parameter of data requests before single fetch: no page sends it, and Remix responds with 500. */
const formerData = '_data'

/** A URL that Remix accepts: an unreadable path is escaped again, so that it leads to the 404 page. */
function toRemixUrl({ href }: URL): URL {
  const url = new URL(href)
  url.searchParams.delete(formerData)
  if (!isReadablePath(url.pathname)) url.pathname = url.pathname.replaceAll('%', '%25')
  return url
}

/**
 * The request that Remix accepts.
 * - Without Origin and X-Forwarded-Host: Remix compares the two and responds with 500 if they differ. This
 * site checks the origin itself (platform/edge/origin.server.ts).
 * - Without a body for GET and HEAD (`body` is null), because `new Request` would throw.
 */
function toRemixRequest(request: Request, url: URL, body: Uint8Array<ArrayBuffer> | null): Request {
  const headers = new Headers(request.headers)
  for (const name of ['Origin', 'X-Forwarded-Host']) headers.delete(name)
  return new Request(url, { method: request.method, headers, body, signal: request.signal })
}
