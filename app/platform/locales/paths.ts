import { english, type Locale } from './locales.ts'

/** A member's pages, with their data requests (`/auth.data`): no prefix, a cookie has their language. */
const privatePath = /^\/(?:auth|dashboard|operator)(?:\/|\.data$|$)/
/** The form with which a member reports a problem with a goal. */
const problemPath = /^\/giveback\/[^/]+\/problem$/

/** Whether the path belongs to a private page. `fundMeOpen`: false if the goals' pages do not exist. */
export function isPrivate(pathname: string, fundMeOpen = true): boolean {
  return privatePath.test(pathname) || (fundMeOpen && problemPath.test(pathname))
}

/** The query parameter with which a link from a prefixed page sets the language of a private page. */
export const languageParameter = 'lang'

/** The path of a page in the given language: '/tr' for '/', '/tr/about' for '/about'. */
export function withPrefix({ code }: Locale, path: string): string {
  if (code === english.code) return path
  return path === '/' ? `/${code}` : `/${code}${path.replace(/^\/(?=[?#])/, '')}`
}

/**
 * Splits the path of a URL into a language (one of `offered`) and the English path. '/tr' is the path of
 * Home. '/tr/' becomes '//', a different spelling of '/'.
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
