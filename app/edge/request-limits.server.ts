import type { ServerBuild } from '@remix-run/cloudflare'
import { matchRoutes } from '@remix-run/react'
import { isReadablePath } from '../rendering/readable-path'
import { refuse } from './refusal.server'
import { type RoutePath, routePaths } from './route-paths'
import type { Stage } from './stage'

/** The longest URL, in characters: a link of the auth service with its tokens is an eighth of it. */
const maxUrlLength = 8 * 1024

type Routes = ServerBuild['routes']

/** Refuses URLs that are too long, and methods that the route does not export. */
export function createRequestLimits(routes: Routes): Stage {
  const tree = branches(routes)
  // Matching a path against every route takes a quarter of the render time, so static paths are looked up in a map. A
  // route comes after the parent whose path it may have.
  const known = new Map(
    routePaths(routes)
      .filter(({ pattern }) => !/[:*]/.test(pattern))
      .map(({ pattern, route }) => [pattern, methodsOf(route.module)]),
  )
  return (request, { url: { pathname }, log }) => {
    if (request.url.length > maxUrlLength) return refuse(414, log)
    const allowed = known.get(pathname) ?? allowedMethods(routes, tree, pathname)
    return allowed.includes(request.method) ? null : refuse(405, log, { Allow: allowed.join(', ') })
  }
}

type Branch = Parameters<typeof matchRoutes>[0][number]

function branches(routes: Routes, parentId?: string): Branch[] {
  return Object.values(routes).flatMap((route) =>
    route?.parentId === parentId && route
      ? ({
          id: route.id,
          path: route.path,
          index: route.index,
          children: branches(routes, route.id),
        } as Branch)
      : [],
  )
}

/** The methods that the route of a path exports. A data request has the path of its page with `.data` behind it. */
function allowedMethods(routes: Routes, tree: Branch[], pathname: string): string[] {
  if (!isReadablePath(pathname)) return ['GET', 'HEAD']
  const path = pathname === '/_root.data' ? '/' : pathname.replace(/\.data$/, '')
  const id = matchRoutes(tree, path)?.at(-1)?.route.id
  return methodsOf(id ? routes[id]?.module : undefined)
}

/** The methods that a route's module exports handlers for. */
function methodsOf(module: RoutePath['route']['module'] | undefined): string[] {
  return [...(module?.default || module?.loader ? ['GET', 'HEAD'] : []), ...(module?.action ? ['POST'] : [])]
}
