import type { ServerBuild } from '@remix-run/cloudflare'

/** One route of the build with the whole pattern of its path, such as `/voting/:pool`. */
export interface RoutePath {
  pattern: string
  route: NonNullable<ServerBuild['routes'][string]>
}

/** The routes that a request can match, each with its path. */
export function routePaths(routes: ServerBuild['routes']): RoutePath[] {
  const patternOf = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id]
    if (!route) return ''
    return patternOf(route.parentId) + (route.path ? `/${route.path}` : '')
  }
  return Object.values(routes)
    .filter((route) => route !== undefined && route.id !== 'root')
    .map((route) => ({ pattern: patternOf(route?.id) || '/', route: route as RoutePath['route'] }))
}
