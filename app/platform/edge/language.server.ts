import { translatedPatterns } from 'virtual:public-pages'
import { createLanguage, type Language, loadLanguage } from '../locales/language'
import { english, type Locale } from '../locales/locales'
import { isPrivate, languageParameter, splitPrefix } from '../locales/paths'
import { pathIn } from '../locales/translated-pages'
import type { Router } from '../rendering/router.server'
import { CookieJar } from '../server/cookies.server'
import type { Config } from '../server/env.server'
import { sitePath } from '../server/redirect'
import type { Stage } from './stage'

/** The address of a request: the URL with the path of the English page, and the language of the response. */
export interface Address {
  url: URL
  language: Language
}

const languageCookie = 'lang'
const oneYear = 31_536_000

/**
 * Removes the language prefix from the path of a page that exists in several languages, and loads the
 * language. Any other path stays as it is, so a file below a prefix is an unknown path. On
 * private pages the cookie determines the language.
 */
export async function readAddress(request: Request, config: Config, router: Router): Promise<Address> {
  const url = new URL(request.url)
  const prefixed = splitPrefix(url.pathname, config.LOCALES)
  const locale =
    prefixed?.locale ??
    (isPrivate(url.pathname, config.FUNDME_OPEN) ? chosenLocale(request, config) : english)
  await loadLanguage(locale)
  if (prefixed && isTranslated(router, prefixed.pathname)) url.pathname = prefixed.pathname
  return { url, language: createLanguage(locale.code, prefixed !== null) }
}

function isTranslated({ paths, match }: Router, pathname: string): boolean {
  if (pathname.endsWith('.data')) return false
  const id = match(pathname)
  return translatedPatterns.includes(paths.find((path) => path.id === id)?.pattern ?? '')
}

function chosenLocale(request: Request, config: Config): Locale {
  const header = request.headers.get('Cookie')
  if (!header || config.LOCALES.length < 2) return english
  return offeredLocale(config, cookiesOf(header, config).get(languageCookie)) ?? english
}

function cookiesOf(header: string, config: Config): CookieJar {
  return new CookieJar(header, { secure: config.SITE_URL.startsWith('https:') })
}

function offeredLocale({ LOCALES }: Config, code: string | null | undefined): Locale | undefined {
  return LOCALES.find((locale) => locale.code === code)
}

/** Stores the language of private pages in a cookie. */
function chooseLanguage(cookies: CookieJar, { code }: Locale): void {
  if (code === english.code) cookies.expire(languageCookie)
  else cookies.set(languageCookie, code, { maxAge: oneYear })
}

/**
 * On a private page: stores the language of the parameter `?lang=`, and redirects to the page without this parameter. A
 * typed prefix ('/tr/auth') leads to the page with the parameter. Removes a cookie that is not the code of an offered
 * language.
 */
export const takeLanguage: Stage = ({ method }, { config, cookies, isDocument, url }) => {
  const prefixed = splitPrefix(url.pathname, config.LOCALES)
  const pathname = prefixed?.pathname ?? url.pathname
  if (!isPrivate(pathname, config.FUNDME_OPEN)) return null
  const kept = cookies.get(languageCookie)
  if (kept !== undefined && !offeredLocale(config, kept)) cookies.expire(languageCookie)
  const code = prefixed?.locale.code ?? url.searchParams.get(languageParameter)
  if (code === null || !isDocument || (method !== 'GET' && method !== 'HEAD')) return null
  const chosen = offeredLocale(config, code)
  if (chosen) chooseLanguage(cookies, chosen)
  const page = new URL(url)
  page.searchParams.delete(languageParameter)
  return new Response(null, {
    status: 302,
    headers: { Location: pathname + page.search, 'Cache-Control': 'private, no-store' },
  })
}

/**
 * The action of the language menu. Stores the language, and returns it with the path of the page `to` in this
 * language. Without a valid path, returns the home page's path; a language that is not offered becomes
 * English.
 */
export function takeChoice(
  form: FormData,
  config: Config,
  cookies: CookieJar,
): { chosen: Locale; to: string } {
  const chosen = offeredLocale(config, `${form.get(languageParameter)}`) ?? english
  chooseLanguage(cookies, chosen)
  const path = sitePath(`${form.get('to')}`, config.SITE_URL) ?? '/'
  const [pathname = '/'] = path.split('?')
  const prefixed = splitPrefix(pathname, config.LOCALES)
  // Without its prefix, the path may lead to another site: '/tr//evil.example'.
  const page = prefixed
    ? (sitePath(prefixed.pathname + path.slice(pathname.length), config.SITE_URL) ?? '/')
    : path
  return { chosen, to: pathIn(chosen, page, false) }
}
