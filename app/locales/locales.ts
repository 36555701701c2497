/** The languages of the site. English has no catalog: its sentences are in the code. */
export interface Locale {
  /** The name of its folder, and the first segment of the paths of its pages (English has none). */
  code: string
  /** The tag of `lang` and `hreflang`. */
  tag: string
  /** The language's name in itself. */
  name: string
  dir: 'ltr' | 'rtl'
  /** Headings have the system's font, because the display font lacks letters of the language. styles.css names it too. */
  systemFont?: boolean
}

export const english: Locale = { code: 'en', tag: 'en', name: 'English', dir: 'ltr' }

const translated: Locale[] = [
  { code: 'zh', tag: 'zh-Hans', name: '简体中文', dir: 'ltr', systemFont: true },
  { code: 'tr', tag: 'tr', name: 'Türkçe', dir: 'ltr' },
  { code: 'es', tag: 'es', name: 'Español', dir: 'ltr' },
  { code: 'ar', tag: 'ar', name: 'العربية', dir: 'rtl', systemFont: true },
]

/** English with longer words in brackets, and the same from right to left: for tests (pseudo.ts). */
const pseudo: Locale[] = [
  { code: 'en-XA', tag: 'en-XA', name: '[Ëñĝļîšĥ]', dir: 'ltr' },
  { code: 'ar-XB', tag: 'ar-XB', name: '[Ëñĝļîšĥ ←]', dir: 'rtl', systemFont: true },
]

/** Every language that this code knows, by code. */
export const allLocales: ReadonlyMap<string, Locale> = new Map(
  [english, ...translated, ...pseudo].map((locale) => [locale.code, locale]),
)

/** The language of a `lang` attribute. */
export function localeOfTag(tag: string): Locale {
  return [...allLocales.values()].find((locale) => locale.tag === tag) ?? english
}

/**
 * The codes of the languages that visitors are offered, in the order of the menu. `npm run check` requires that the
 * catalog of each is complete. The variable PREVIEW_LOCALES adds others, for translators and tests.
 */
export const publishedLocales: readonly string[] = ['en']
