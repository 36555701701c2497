import { english, type Locale } from './locales.ts'

/** The patterns of the pages that exist in every language, as in routes.ts. */
export const translatedPatterns = [
  '/',
  '/cz-call',
  '/voting',
  '/voting/:pool',
  '/giveback',
  '/giveback/:campaign',
  '/donate',
  '/donate/find',
  '/donate/:hash',
  '/follow',
  '/follow/:step',
  '/transparency',
  '/transparency/months',
  '/transparency/wallets',
  '/transparency/acts',
  '/transparency/verify',
  '/transparency/api',
  '/transparency/:id',
  '/about',
  '/risk',
  '/privacy',
  '/terms',
  '/contact',
]

const translatedPath = new RegExp(
  `^(?:${translatedPatterns.map((pattern) => pattern.replace(/:\w+/g, '[\\w-]+')).join('|')})$`,
)

/** Whether a path is that of a page that exists in every language. */
export function isTranslated(pathname: string): boolean {
  return translatedPath.test(pathname)
}

/** The pages of a member: the cookie decides their language, and their paths have no prefix. */
const privatePath = /^\/(?:auth|dashboard|operator)(?:\/|$)/
/** The form of a member about a goal. */
const problemPath = /^\/giveback\/[^/]+\/problem$/

/** `fundMeOpen`: false while the pages of goals are unknown addresses. */
export function isPrivate(pathname: string, fundMeOpen = true): boolean {
  return privatePath.test(pathname) || (fundMeOpen && problemPath.test(pathname))
}

/** The query parameter by which a link from a page with a prefix chooses the language of a private page. */
export const languageParameter = 'lang'

/** The path of a page in a language: '/tr' for '/', '/tr/about' for '/about'. */
export function withPrefix({ code }: Locale, path: string): string {
  if (code === english.code) return path
  return path === '/' ? `/${code}` : `/${code}${path.replace(/^\/(?=[?#])/, '')}`
}

/**
 * A link that stays in the language: a path of this site, with its query and fragment. A path without a translation
 * (a file, a feed, a download) stays as it is. `isPrefixed`: whether the page with the link has a prefix.
 */
export function pathIn(locale: Locale, path: string, isPrefixed: boolean): string {
  if (locale.code === english.code) return path
  const [, pathname = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(path) ?? []
  if (isTranslated(pathname)) return withPrefix(locale, path)
  if (!isPrefixed || !isPrivate(pathname)) return path
  return `${pathname}${query}${query ? '&' : '?'}${languageParameter}=${locale.code}${fragment}`
}

/**
 * Splits the path of a URL into the language of its prefix, one of `offered`, and the path in English. '/tr' is the path
 * of Home; '/tr/' becomes '//', another spelling of '/'.
 */
export function splitPrefix(
  pathname: string,
  offered: readonly Locale[],
): { locale: Locale; pathname: string } | null {
  const end = pathname.indexOf('/', 1)
  const code = pathname.slice(1, end === -1 ? undefined : end)
  const locale = offered.find((one) => one.code === code && code !== english.code)
  if (!locale) return null
  const rest = end === -1 ? '/' : pathname.slice(end)
  return { locale, pathname: end !== -1 && rest === '/' ? '//' : rest }
}
