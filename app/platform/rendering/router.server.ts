import type { AppLoadContext, LoaderFunction, LoaderFunctionArgs, ServerBuild } from '@remix-run/cloudflare'
import { matchRoutes } from '@remix-run/router'
import { sleep } from '../server/timeout'
import { isReadablePath } from './readable-path'

export type Routes = ServerBuild['routes']
type Route = NonNullable<Routes[string]>
export type RouteModule = Route['module']

/** A route whose module is loaded at its first request (scripts/vite/lazy-routes.ts). */
type LazyRoute = Omit<Route, 'module'> & {
  module: () => Promise<RouteModule>
  /**
   * The module of the route's loader, if the loader has one of its own. The path has no variable parts, because `begin`
   * is called without parameters.
   */
  loader?: () => Promise<{ loader: LoaderFunction }> | undefined
  /** False for a download and the like, which is rendered in no parent route. */
  isPage?: boolean
}

/**
 * The build of Remix. An isolate loads the module of a route when it serves the route, and the list of the
 * pages' files (`assets`) when it serves a page with Remix's script.
 */
export type LazyBuild = Omit<ServerBuild, 'routes' | 'assets'> & {
  routes: Record<string, LazyRoute>
  assets: () => Promise<ServerBuild['assets']>
}

/** A route with the whole pattern of its path, such as `/voting/:pool`. */
interface RoutePath {
  pattern: string
  id: string
}

export interface Router {
  /** Every route that a request can match. */
  paths: RoutePath[]
  /** The id of a path's route. A data request has the page's path with `.data` (Home: `/_root.data`). */
  match(pathname: string): string
  /**
   * Calls the loader of a route before the route's module is loaded, so that the backend answers meanwhile. Does nothing
   * if the module is loaded, or if the loader has no module of its own. Resolves when the loader has sent its requests.
   */
  begin(id: string, args: LoaderFunctionArgs): Promise<void>
  /** The module of a route. Loads it, and for a page the modules of its parent routes, if necessary. */
  load(id: string): Promise<RouteModule>
  /** The routes for Remix. A module that is not loaded is empty; each load creates a new object. */
  loaded(): Routes
  /** The route `id` and its parent routes in this form, after `load(id)`. */
  lineage(id: string): Routes
}

/** Throws an error if the route `*`, the page for unknown paths, is missing. */
export function createRouter(routes: LazyBuild['routes']): Router {
  const paths: RoutePath[] = []
  // Matching a path against every route takes a quarter of the render time, so a map contains the fixed
  // paths. If a route has the same path as its parent, the map contains the child, because the child comes
  // after its parent.
  const fixedPaths = new Map<string, string>()
  let notFound = ''
  for (const id in routes) {
    if (id === 'root') continue
    const pattern = patternOf(routes, id) || '/'
    paths.push({ id, pattern })
    if (pattern === '/*') notFound = id
    else if (!/[:*]/.test(pattern)) fixedPaths.set(pattern, id)
  }
  if (!notFound) throw new Error('no route matches every path')
  let tree: Branch[] | undefined
  let all: Routes | undefined
  // Remembers the last match, because several stages match the same request's path.
  let lastMatch = { path: '', id: '' }
  const loads = new Map<string, Promise<RouteModule>>()
  const modules = new Map<string, RouteModule>()

  /** The route whose loader `begin` called for a request, and what the loader returns, by the request's context. */
  const begun = new WeakMap<AppLoadContext, { id: string; data: Promise<unknown> }>()

  async function begin(id: string, args: LoaderFunctionArgs): Promise<void> {
    const loading = modules.has(id) ? undefined : (routes[id] as LazyRoute).loader?.()
    if (!loading) return
    const { loader } = await loading
    const data = (async () => loader(args))()
    // Remix handles the error when it calls the loader.
    data.catch(() => {})
    begun.set(args.context, { id, data })
    // The first pause ends after the loader has sent its requests, and the second after they have left.
    await sleep(0)
    await sleep(1)
  }

  async function loadOne(id: string): Promise<RouteModule> {
    const module = await (routes[id] as LazyRoute).module()
    const { loader } = module
    const beginOr =
      (loader: LoaderFunction): LoaderFunction =>
      (args) => {
        const early = begun.get(args.context)
        return early?.id === id ? early.data : loader(args)
      }
    modules.set(id, loader ? { ...module, loader: beginOr(loader) } : module)
    all = undefined
    return module
  }

  function load(id: string): Promise<RouteModule> {
    let module = loads.get(id)
    if (!module) {
      const { parentId, isPage } = routes[id] as LazyRoute
      module = Promise.all([loadOne(id), isPage && parentId && load(parentId)]).then(([own]) => own)
      loads.set(id, module)
    }
    return module
  }

  function withModules(ids: string[]): Routes {
    return Object.fromEntries(
      ids.map((id) => {
        const { loader: _, ...route } = routes[id] as LazyRoute
        return [id, { ...route, module: modules.get(id) ?? ({} as RouteModule) }]
      }),
    )
  }

  return {
    paths,
    begin,
    match(pathname) {
      if (!isReadablePath(pathname)) return notFound
      const path = pathname === '/_root.data' ? '/' : pathname.replace(/\.data$/, '')
      const id = fixedPaths.get(path)
      if (id) return id
      if (lastMatch.path !== path) {
        tree ??= branches(routes)
        lastMatch = { path, id: matchRoutes(tree, path)?.at(-1)?.route.id ?? notFound }
      }
      return lastMatch.id
    },
    load,
    loaded: () => (all ??= withModules(Object.keys(routes))),
    lineage: (id) => withModules(lineageOf(routes, id)),
  }
}

/** The IDs of a route and of its parent routes. */
function lineageOf(routes: LazyBuild['routes'], id: string): string[] {
  const parent = routes[id]?.parentId
  return parent ? [...lineageOf(routes, parent), id] : [id]
}

function patternOf(routes: LazyBuild['routes'], id: string | undefined): string {
  const route = id === undefined ? undefined : routes[id]
  return route ? patternOf(routes, route.parentId) + (route.path ? `/${route.path}` : '') : ''
}

type Branch = Parameters<typeof matchRoutes>[0][number]

function branches(routes: LazyBuild['routes'], parentId?: string): Branch[] {
  return Object.values(routes)
    .filter((route) => route.parentId === parentId)
    .map(({ id, path, index }) => ({ id, path, index, children: branches(routes, id) }) as Branch)
}
