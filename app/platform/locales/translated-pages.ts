import { translatedPatterns } from 'virtual:public-pages'
import { english, type Locale } from './locales'
import { isPrivate, languageParameter, withPrefix } from './paths'

const patterns = new Set(translatedPatterns)
// A new isolate does not compile the patterns with variables for a page without any.
let variablePath: RegExp | undefined

/** Whether the path belongs to a page that exists in every language. */
export function isTranslated(pathname: string): boolean {
  if (patterns.has(pathname)) return !pathname.includes(':')
  variablePath ??= new RegExp(
    `^(?:${translatedPatterns
      .filter((pattern) => pattern.includes(':'))
      .map((pattern) => pattern.replace(/:\w+/g, '[\\w-]+'))
      .join('|')})$`,
  )
  return variablePath.test(pathname)
}

/**
 * The target of a link in the same language: a path of this site, with its query and fragment. Returns a path
 * without a translation (a file, a feed, a download) unchanged. `isPrefixed`: whether the page with the link
 * has a prefix.
 */
export function pathIn(locale: Locale, path: string, isPrefixed: boolean): string {
  if (locale.code === english.code) return path
  const [, pathname = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(path) ?? []
  if (isTranslated(pathname)) return withPrefix(locale, path)
  if (!isPrefixed || !isPrivate(pathname)) return path
  return `${pathname}${query}${query ? '&' : '?'}${languageParameter}=${locale.code}${fragment}`
}
