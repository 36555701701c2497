/** The languages of the site. English has no catalog: its sentences are in the code. */
export interface Locale {
  /** The name of its folder, and the first segment of the paths of its pages (English has none). */
  code: string
  /** The tag of `lang` and `hreflang`. */
  tag: string
  /** The language's name in itself. */
  name: string
  dir: 'ltr' | 'rtl'
  /** The value of `og:locale`. */
  openGraph: string
  /** The tag for numbers and dates, with digits 0 to 9. */
  formats: string
  /**
   * The line for a visitor whose browser asks for this language, in this language: a sentence, its link, and the button
   * that closes it.
   */
  offer: { sentence: string; open: string; close: string }
}

export const english: Locale = {
  code: 'en',
  tag: 'en',
  name: 'English',
  dir: 'ltr',
  openGraph: 'en_US',
  formats: 'en',
  offer: { sentence: 'This page is also available in English.', open: 'Read it in English', close: 'Close' },
}

const translated: Locale[] = [
  {
    code: 'zh',
    tag: 'zh-Hans',
    name: '简体中文',
    dir: 'ltr',
    openGraph: 'zh_CN',
    formats: 'zh-Hans-u-nu-latn',
    offer: { sentence: '本页也有简体中文版。', open: '阅读中文版', close: '关闭' },
  },
  {
    code: 'tr',
    tag: 'tr',
    name: 'Türkçe',
    dir: 'ltr',
    openGraph: 'tr_TR',
    formats: 'tr-u-nu-latn',
    offer: { sentence: 'Bu sayfa Türkçe olarak da var.', open: 'Türkçe oku', close: 'Kapat' },
  },
  {
    code: 'es',
    tag: 'es',
    name: 'Español',
    dir: 'ltr',
    openGraph: 'es_ES',
    formats: 'es-u-nu-latn',
    offer: { sentence: 'Esta página también está en español.', open: 'Leer en español', close: 'Cerrar' },
  },
  {
    code: 'ar',
    tag: 'ar',
    name: 'العربية',
    dir: 'rtl',
    openGraph: 'ar_AR',
    formats: 'ar-u-nu-latn',
    offer: { sentence: 'هذه الصفحة متاحة أيضًا بالعربية.', open: 'اقرأها بالعربية', close: 'إغلاق' },
  },
]

/** English with longer words in brackets, and the same from right to left: for tests (pseudo.ts). */
const pseudo: Locale[] = [
  { ...english, code: 'en-XA', tag: 'en-XA', name: '[Ëñĝļîšĥ]' },
  { ...english, code: 'ar-XB', tag: 'ar-XB', name: '[Ëñĝļîšĥ ←]', dir: 'rtl' },
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
