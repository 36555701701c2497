import { cachedParameters } from '../rendering/cached'
import type { Router } from '../rendering/router.server'

/** A longer query than any cursor, date or search of this site: such a page is rendered and not stored. */
const maxQueryLength = 400

/** What a segment of a cached path may contain. Anything else (a dot, an escape) is matched by Remix alone. */
const segment = '[\\w-]{1,64}'

/**
 * Returns the function that gives the address under which a request's page is cached: its path, and the query
 * parameters that the route declares (rendering/cached.ts) in the order of the declaration. Other parameters neither
 * split the cache nor reach the page. Null for a request that is not cached.
 */
export function createCacheAddress({
  paths,
  load,
}: Pick<Router, 'paths' | 'load'>): (request: Request, url: URL) => Promise<string | null> {
  const known = new Map(paths.filter(({ isFixed }) => isFixed).map(({ pattern, id }) => [pattern, id]))
  const patterns = paths
    .filter(({ pattern }) => pattern.includes(':'))
    .map(({ pattern, id }) => ({ path: toRegExp(pattern), id }))
  return async (request, { pathname, searchParams }) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null
    const id = known.get(pathname) ?? patterns.find(({ path }) => path.test(pathname))?.id
    const parameters = id ? cachedParameters((await load(id)).handle) : null
    if (!parameters) return null
    const query = new URLSearchParams()
    for (const name of parameters) {
      const value = searchParams.get(name)
      if (value !== null) query.set(name, value)
    }
    const text = query.toString()
    if (text.length > maxQueryLength) return null
    return text ? `${pathname}?${text}` : pathname
  }
}

function toRegExp(pattern: string): RegExp {
  const literal = pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace(/:\w+/g, segment)}$`)
}
