import { readHandle } from '../rendering/handle'
import type { Router } from '../rendering/router.server'

/**
 * Maximum length in characters. No cursor, date or search query on this site is longer. A page with a longer
 * query is not stored.
 */
const maxQueryLength = 400

/**
 * The characters of a variable segment in a cached path. A path with any other variable segment is not
 * cached.
 */
const segment = '[\\w-]{1,64}'

/**
 * Returns the function that gives the cache key of a URL: its path, and the query parameters that the route
 * declares (rendering/handle.ts) in the order of the declaration. Other parameters are not in the key, and
 * the page does not get them. The function returns null for a URL whose page is not cached.
 */
export function createCacheAddress({
  paths,
  fixedPaths,
  load,
}: Pick<Router, 'paths' | 'fixedPaths' | 'load'>): (
  url: URL,
  fundMeOpen?: boolean,
) => Promise<string | null> {
  const patterns = paths
    .filter(({ pattern }) => pattern.includes(':'))
    .map(({ pattern, id }) => ({ path: toRegExp(pattern), id }))
  return async ({ pathname, searchParams }, fundMeOpen = false) => {
    const id = fixedPaths.get(pathname) ?? patterns.find(({ path }) => path.test(pathname))?.id
    const { cached, whileFundMeOpen = [] } = id ? readHandle((await load(id)).handle) : {}
    if (!cached) return null
    const query = new URLSearchParams()
    for (const name of fundMeOpen ? [...cached, ...whileFundMeOpen] : cached) {
      const value = searchParams.get(name)
      if (value !== null) query.set(name, value)
    }
    const text = query.toString()
    if (text.length > maxQueryLength) return null
    return text ? `${pathname}?${text}` : pathname
  }
}

/**
 * The canonical path of a route's page. `pathname` matches the route's pattern, but may have capitals, an
 * escape or surplus slashes. Variable segments stay as they are. Returns the same path if it is, or would
 * become, the path of a data request, or if the pattern contains `*`.
 */
export function canonicalPath(pattern: string, pathname: string): string {
  if (pattern.includes('*') || /\.data\/*$/.test(pathname)) return pathname
  const sent = pathname.split('/').filter(Boolean)
  const parts = pattern.split('/').filter(Boolean)
  return `/${parts.map((part, at) => (part.startsWith(':') ? sent[at] : part)).join('/')}`
}

function toRegExp(pattern: string): RegExp {
  const literal = pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace(/:\w+/g, segment)}$`)
}
