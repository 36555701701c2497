import basicUrl from '../fonts/bricolage-grotesque-basic.woff2?url'
import latinUrl from '../fonts/bricolage-grotesque-latin.woff2?url'
import spanishUrl from '../fonts/bricolage-grotesque-spanish.woff2?url'
import turkishUrl from '../fonts/bricolage-grotesque-turkish.woff2?url'
import { english, type Locale } from '../locales/locales'

/** The file with the letters of a language that the basic file lacks. */
const letters: Record<string, string> = { tr: turkishUrl, es: spanishUrl }

/** The files of the display font to preload for the headings of a language. */
export function fontsOf({ code, systemFont }: Locale): string[] {
  if (systemFont) return []
  return code === english.code ? [basicUrl] : [basicUrl, letters[code] ?? latinUrl]
}
