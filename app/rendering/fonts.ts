import basicUrl from '../fonts/bricolage-grotesque-basic.woff2?url'
import latinUrl from '../fonts/bricolage-grotesque-latin.woff2?url'
import { english, type Locale } from '../locales/locales'

/** The files of the display font that the headings of a language need, for a preload. */
export function fontsOf({ code, systemFont }: Locale): string[] {
  if (systemFont) return []
  return code === english.code ? [basicUrl] : [basicUrl, latinUrl]
}
