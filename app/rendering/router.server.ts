import type { ServerBuild } from '@remix-run/cloudflare'
import { matchRoutes } from '@remix-run/react'
import { isReadablePath } from './readable-path'

export type Routes = ServerBuild['routes']
type Route = NonNullable<Routes[string]>
export type RouteModule = Route['module']

/**
 * A route whose module is loaded for the first request that matches the route (scripts/vite/lazy-routes.ts).
 */
type LazyRoute = Omit<Route, 'module'> & { module: () => Promise<RouteModule> }

/** The build of Remix with modules that an isolate loads only when it serves their routes. */
export type LazyBuild = Omit<ServerBuild, 'routes'> & { routes: Record<string, LazyRoute> }

/** A route with the whole pattern of its path, such as `/voting/:pool`. */
interface RoutePath {
  pattern: string
  id: string
}

export interface Router {
  /** Every route that a request can match. */
  paths: RoutePath[]
  /** The ids of the routes whose path has no variable part, keyed by path. */
  fixedPaths: ReadonlyMap<string, string>
  /**
   * The id of the route that a path matches. The path of a data request is the page's path with `.data`
   * (Home: `/_root.data`).
   */
  match(pathname: string): string
  /** The module of a route. Loads the modules of the route and of its parent routes if necessary. */
  load(id: string): Promise<RouteModule>
  /**
   * The routes in the form that Remix needs. A module that is not loaded yet is empty. Each load of a module
   * creates a new object.
   */
  loaded(): Routes
}

/** Throws an error if the route `*`, the page for unknown paths, is missing. */
export function createRouter(routes: LazyBuild['routes']): Router {
  const paths = Object.values(routes)
    .filter(({ id }) => id !== 'root')
    .map(({ id }) => ({ id, pattern: patternOf(routes, id) || '/' }))
  let tree: Branch[] | undefined
  // Matching a path against every route takes a quarter of the render time, so a map contains the fixed
  // paths. If a route has the same path as its parent, the map contains the child, because the child comes
  // after its parent.
  const fixedPaths = new Map(
    paths.filter(({ pattern }) => !/[:*]/.test(pattern)).map(({ pattern, id }) => [pattern, id]),
  )
  const notFound = paths.find(({ pattern }) => pattern === '/*')?.id
  if (!notFound) throw new Error('no route matches every path')
  let loaded: Routes = Object.fromEntries(
    Object.values(routes).map((route) => [route.id, { ...route, module: {} as RouteModule }]),
  )
  // Remembers the last match, because several stages match the same request's path.
  let lastMatch = { path: '', id: '' }
  const loads = new Map<string, Promise<RouteModule>>()

  async function loadOne(id: string): Promise<RouteModule> {
    const route = routes[id] as LazyRoute
    const module = await route.module()
    loaded = { ...loaded, [id]: { ...route, module } }
    return module
  }

  function load(id: string): Promise<RouteModule> {
    let module = loads.get(id)
    if (!module) {
      const parent = routes[id]?.parentId
      module = Promise.all([loadOne(id), parent && load(parent)]).then(([own]) => own)
      loads.set(id, module)
    }
    return module
  }

  return {
    paths,
    fixedPaths,
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
    loaded: () => loaded,
  }
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
