import { english, type Locale } from './locales'

/**
 * The data of a language that only public pages need. The script of private pages does not contain this
 * module.
 */
interface OfPublicPages {
  /** The value of `og:locale`. */
  openGraph: string
  /**
   * The line for a visitor whose browser prefers this language, in this language: a sentence, a link to the
   * translated page, and a button that closes the line.
   */
  offer: { sentence: string; open: string; close: string }
}

const languages: Record<string, OfPublicPages> = {
  en: {
    openGraph: 'en_US',
    offer: {
      sentence: 'This page is also available in English.',
      open: 'Read it in English',
      close: 'Close',
    },
  },
  zh: {
    openGraph: 'zh_CN',
    offer: { sentence: '本页也有简体中文版。', open: '阅读中文版', close: '关闭' },
  },
  tr: {
    openGraph: 'tr_TR',
    offer: { sentence: 'Bu sayfa Türkçe olarak da var.', open: 'Türkçe oku', close: 'Kapat' },
  },
  es: {
    openGraph: 'es_ES',
    offer: { sentence: 'Esta página también está en español.', open: 'Leer en español', close: 'Cerrar' },
  },
  ar: {
    openGraph: 'ar_AR',
    offer: { sentence: 'هذه الصفحة متاحة أيضًا بالعربية.', open: 'قراءتها بالعربية', close: 'إغلاق' },
  },
}

/** The data of a language. A pseudo-locale has the data of English. */
export function ofPublicPages({ code }: Locale): OfPublicPages {
  return (languages[code] ?? languages[english.code]) as OfPublicPages
}
