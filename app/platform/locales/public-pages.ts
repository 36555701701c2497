import { english, type Locale } from './locales'

// Two separate objects, so that the script of private pages contains only the object that such pages use.

/** The value of `og:locale`. */
const openGraph: Record<string, string> = { en: 'en_US', zh: 'zh_CN', tr: 'tr_TR', es: 'es_ES', ar: 'ar_AR' }

interface Offer {
  sentence: string
  open: string
  close: string
}

const offers: Record<string, Offer> = {
  en: { sentence: 'This page is also available in English.', open: 'Read it in English', close: 'Close' },
  zh: { sentence: '本页也有简体中文版。', open: '阅读中文版', close: '关闭' },
  tr: { sentence: 'Bu sayfa Türkçe olarak da var.', open: 'Türkçe oku', close: 'Kapat' },
  es: { sentence: 'Esta página también está en español.', open: 'Leer en español', close: 'Cerrar' },
  ar: { sentence: 'هذه الصفحة متاحة أيضًا بالعربية.', open: 'قراءتها بالعربية', close: 'إغلاق' },
}

/** The `og:locale` of a language. A pseudo-locale has the English value. */
export function openGraphOf({ code }: Locale): string {
  return (openGraph[code] ?? openGraph[english.code]) as string
}

/**
 * The line for a visitor whose browser prefers this language, written in this language: a sentence, a link to
 * the translated page, and a button that closes the line. A pseudo-locale has the English line.
 */
export function offerOf({ code }: Locale): Offer {
  return (offers[code] ?? offers[english.code]) as Offer
}
