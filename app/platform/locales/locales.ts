/** A language of the site. English has no catalog, because the code contains the English sentences. */
export interface Locale {
  /** The name of the language's folder, and the first segment of its pages' paths (none for English). */
  code: string
  /** The value of `lang` and `hreflang`. */
  tag: string
  /** The language's name in that language. */
  name: string
  dir: 'ltr' | 'rtl'
  /** Whether headings use the system font, because the display font lacks letters of the language. */
  systemFont?: true
  /** The separator between two sentences, if it is not a space (`Gap` in react.tsx). */
  gap?: ''
  /**
   * Whether the site does not offer the language yet, because its catalog is incomplete. PREVIEW_LOCALES
   * offers it to translators.
   */
  draft?: true
}

export const english: Locale = { code: 'en', tag: 'en', name: 'English', dir: 'ltr' }

/** In the order of the menu. public-pages.ts has more data about each language. */
const translated: Locale[] = [
  { code: 'zh', tag: 'zh-Hans', name: '简体中文', dir: 'ltr', systemFont: true, gap: '' },
  { code: 'tr', tag: 'tr', name: 'Türkçe', dir: 'ltr' },
  { code: 'es', tag: 'es', name: 'Español', dir: 'ltr' },
  { code: 'ar', tag: 'ar', name: 'العربية', dir: 'rtl', systemFont: true },
]

/**
 * Pseudo-locales for tests (pseudo.ts): English messages with lengthened words, in brackets. One is written
 * from left to right, the other from right to left.
 */
const pseudo: Locale[] = [
  { code: 'en-XA', tag: 'en-XA', name: '[Ëñĝļîšĥ]', dir: 'ltr' },
  { code: 'ar-XB', tag: 'ar-XB', name: '[Ëñĝļîšĥ ←]', dir: 'rtl', systemFont: true },
]

/** All languages in this code, keyed by language code. */
export const allLocales: ReadonlyMap<string, Locale> = new Map(
  [english, ...translated, ...pseudo].map((locale) => [locale.code, locale]),
)

/** The language that a `lang` attribute names. */
export function localeOfTag(tag: string): Locale {
  return [...allLocales.values()].find((locale) => locale.tag === tag) ?? english
}

/** The codes of the languages that have a catalog. */
export const catalogCodes = translated.map(({ code }) => code)

/** The languages that the site offers; `npm run check` requires a complete catalog for each. */
export const publishedLocales: readonly string[] = [english, ...translated]
  .filter(({ draft }) => !draft)
  .map(({ code }) => code)
