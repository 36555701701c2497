import { englishFormats, type Formats } from './formats'
import { type Catalog, I18n } from './i18n'
import { allLocales, english, type Locale } from './locales'
import { pathIn } from './translated-pages'

/** The language of one request, which components and functions receive. */
export interface Language {
  locale: Locale
  i18n: I18n
  formats: Formats
  /** Whether the page's paths have the language's prefix: public pages, not in English. */
  isPrefixed: boolean
  /** The path in the same language: `href('/about')` is '/tr/about' in Turkish. */
  href: (path: string) => string
}

/** Each catalog is a separate chunk (scripts/vite/catalogs.ts). */
const catalogs = import.meta.glob<() => Promise<Catalog>>('./*/messages.po', { import: 'load' })
const loaded = new Map<string, Pick<Language, 'formats'> & { create: () => I18n }>()

/** Loads the catalog of a language once for each isolate. English needs no catalog. */
export async function loadLanguage({ code }: Locale): Promise<void> {
  if (code === english.code || loaded.has(code)) return
  const locale = allLocales.get(code)
  if (!locale) throw new Error(`no language has the code ${code}`)
  const loadModule = catalogs[`./${code}/messages.po`]
  if (loadModule) {
    const [load, { intlFormats }] = await Promise.all([loadModule(), import('./intl-formats')])
    const catalog = await load()
    const formats = intlFormats(locale)
    loaded.set(code, { formats, create: () => new I18n(locale.tag, catalog, formats.count) })
    return
  }
  const { pseudoMessage } = await import('./pseudo')
  const formats = englishFormats
  loaded.set(code, { formats, create: () => new I18n(english.tag, null, formats.count, pseudoMessage) })
}

/** A language for one request. Throws if `loadLanguage` has not loaded the language. */
export function createLanguage(code: string, isPrefixed = false): Language {
  if (code === english.code) return createEnglish()
  const locale = allLocales.get(code)
  const parts = loaded.get(code)
  if (!locale || !parts) throw new Error(`the language ${code} is not loaded`)
  return {
    locale,
    i18n: parts.create(),
    formats: parts.formats,
    isPrefixed,
    href: (path) => pathIn(locale, path, isPrefixed),
  }
}

export function createEnglish(): Language {
  return {
    locale: english,
    i18n: new I18n(english.tag, null, englishFormats.count),
    formats: englishFormats,
    isPrefixed: false,
    href: (path) => path,
  }
}
