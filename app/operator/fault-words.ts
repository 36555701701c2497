import type { Formats } from '../locales/formats.ts'
import type { I18n } from '../locales/i18n.ts'
import { key } from '../locales/key.ts'

/**
 * A fault of an act: the key of a sentence (locales/key.ts), and the values of the sentence. Some values are
 * keys too.
 */
export interface Fault {
  sentence: string
  values?: Record<string, string | number | Date | { key: string }>
}

/** A fault as a sentence. On the command line, the sentence is in English. */
export function faultWords(
  { sentence, values = {} }: Fault,
  { i18n, formats }: { i18n: I18n; formats: Pick<Formats, 'count' | 'instant'> },
): string {
  const words = Object.entries(values).map(([name, value]) => {
    if (typeof value === 'string') return [name, value]
    if (typeof value === 'number') return [name, formats.count(value)]
    return [name, value instanceof Date ? formats.instant(value) : i18n._(key(value.key))]
  })
  return i18n._(key(sentence, Object.fromEntries(words)))
}

/** The name of the actor for an act from the command line. */
export const commandLine = /* i18n */ 'the holder of the secret key'
