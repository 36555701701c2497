import { splitNames } from '../ledger/split'
import { shareName } from '../ledger/split-words'
import type { Formats } from '../platform/locales/formats'
import type { I18n } from '../platform/locales/i18n'
import type { Field } from './forms/fields'

/**
 * The value of a field as pages show it: a choice by its label, a time in UTC, each share by its name. `isOurs`: the
 * words are in the page's language, and the operator did not write them.
 */
export function shownValue(
  { input, options = [] }: Field,
  value: string,
  { i18n, formats }: { i18n: I18n; formats: Pick<Formats, 'instant' | 'percent'> },
): { text: string; isOurs: boolean } {
  const label = input === 'choice' && options.find((option) => option.value === value)?.label
  if (label) return { text: i18n._(label), isOurs: true }
  const time = input === 'time' ? new Date(value) : null
  if (time && !Number.isNaN(time.getTime())) return { text: formats.instant(time), isOurs: true }
  // A draft can have a value that its schema refuses, and an act the shares of other pools than now.
  const shares = input === 'shares' && /^\d+( \d+)+$/.test(value) ? value.split(' ').map(Number) : []
  if (shares.length === splitNames.length)
    return {
      text: splitNames
        .map((name, at) => `${i18n._(shareName(name))} ${formats.percent(shares[at] ?? 0)}`)
        .join('\n'),
      isOurs: true,
    }
  return { text: value, isOurs: false }
}
