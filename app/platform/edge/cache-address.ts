import type { PageDeclaration } from '../rendering/handle'

/** Maximum length in characters, above every cursor, date and search. Longer queries are not stored. */
const maxQueryLength = 400

/** The characters of a variable segment in a cached path; a path with others is not cached. */
const segment = '[\\w-]{1,64}'

/** The English page of a request, as the cache knows it. */
export interface CacheAddress {
  /** The cache key: the path, and the query parameters that the page reads. */
  address: string
  /** The pattern of the page's route, such as '/voting/:pool'. */
  pattern: string
  /** False if the path has a variable part, so that it may belong to a page that does not exist. */
  isFixed: boolean
}

/**
 * Returns the function that gives the cache key of a URL: its path, and the query parameters that the route
 * declares (platform/rendering/handle.ts) in the order of the declaration. Other parameters are not in the key, and
 * the page does not get them. The function returns null for a URL whose page is not cached.
 */
export function createCacheAddress(
  pages: PageDeclaration[],
): (url: { pathname: string; searchParams: URLSearchParams }, fundMeOpen?: boolean) => CacheAddress | null {
  const fixed = new Map(pages.map((page) => [page.pattern, page]))
  // A new isolate does not compile these for a page without a variable part.
  let variable: { page: PageDeclaration; path: RegExp }[] | undefined
  const findVariable = (pathname: string) => {
    variable ??= pages
      .filter(({ pattern }) => pattern.includes(':'))
      .map((page) => ({ page, path: toRegExp(page.pattern) }))
    return variable.find(({ path }) => path.test(pathname))?.page
  }
  return ({ pathname, searchParams }, fundMeOpen = false) => {
    const exact = /[:*]/.test(pathname) ? undefined : fixed.get(pathname)
    const page = exact ?? findVariable(pathname)
    if (!page?.cached) return null
    const query = new URLSearchParams()
    for (const name of fundMeOpen ? [...page.cached, ...(page.whileFundMeOpen ?? [])] : page.cached) {
      const value = searchParams.get(name)
      if (value !== null) query.set(name, value)
    }
    const text = query.toString()
    if (text.length > maxQueryLength) return null
    const address = text ? `${pathname}?${text}` : pathname
    return { address, pattern: page.pattern, isFixed: page === exact }
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

/** Matches the paths of a route's pattern. */
export function toRegExp(pattern: string): RegExp {
  const literal = pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace(/:\w+/g, segment)}$`)
}
