import type { Formats } from '../locales/formats'
import type { I18n } from '../locales/i18n'
import type { Field } from './kinds'

/**
 * The value of a field as pages show it: a choice by its label, a time in UTC. `isOurs`: the words are in the
 * page's language, and the operator did not write them.
 */
export function shownValue(
  { input, options = [] }: Field,
  value: string,
  { i18n, formats }: { i18n: I18n; formats: Pick<Formats, 'instant'> },
): { text: string; isOurs: boolean } {
  const label = input === 'choice' && options.find((option) => option.value === value)?.label
  if (label) return { text: i18n._(label), isOurs: true }
  const time = input === 'time' ? new Date(value) : null
  if (time && !Number.isNaN(time.getTime())) return { text: formats.instant(time), isOurs: true }
  return { text: value, isOurs: false }
}
