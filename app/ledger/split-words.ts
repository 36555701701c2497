import { msg } from '@lingui/core/macro'
import type { Language } from '../platform/locales/language'
import { type SplitPart, splitParts } from './split'

/** The shares of the fees. */
export const splitWords = {
  education: msg({ message: 'Education', comment: 'A share of the fees' }),
  relief: msg({ message: 'Relief', comment: 'A share of the fees' }),
  animals: msg({ message: 'Animals', comment: 'A share of the fees' }),
  'cz-call': msg({ message: 'CZ Call', comment: 'A share of the fees' }),
  fundme: msg({ message: 'FundMe winners', comment: 'A share of the fees' }),
  reserve: msg({ message: 'Reserve', comment: 'A share of the fees' }),
} as const satisfies Record<SplitPart, unknown>

/** The shares that are not zero, in words. `shares`: in thousandths. */
export function sharesText(
  shares: readonly number[],
  { i18n, formats, locale }: Pick<Language, 'i18n' | 'formats' | 'locale'>,
): string {
  const texts = splitParts.flatMap((part, at) =>
    shares[at] ? [`${i18n._(splitWords[part])} ${formats.percent(shares[at] / 10)}`] : [],
  )
  // Isolates keep each percentage beside its name if the name is in Latin letters.
  return locale.dir === 'rtl' ? texts.map((text) => `\u2067${text}\u2069`).join('، ') : texts.join(', ')
}
