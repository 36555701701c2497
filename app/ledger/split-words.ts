import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { findPool } from '../platform/impact-pools'
import { key } from '../platform/locales/key'
import type { Language } from '../platform/locales/language'
import type { otherShares } from './split'

const words: Record<(typeof otherShares)[number], MessageDescriptor> = {
  'donation-wallet': msg({ message: 'CZ Call', comment: 'A share of the fees' }),
  goals: msg({ message: 'FundMe winners', comment: 'A share of the fees' }),
  reserve: msg({ message: 'Reserve', comment: 'A share of the fees' }),
}

/** The name of a share. A pool that was removed has no other name than that of its account. */
export function shareName(name: string): MessageDescriptor {
  return words[name as keyof typeof words] ?? key(findPool(name)?.category ?? name)
}

/** The shares that are not zero, in words. `shares`: in thousandths. */
export function sharesText(
  names: readonly string[],
  shares: readonly number[],
  { i18n, formats, locale }: Pick<Language, 'i18n' | 'formats' | 'locale'>,
): string {
  const texts = names.flatMap((name, at) =>
    shares[at] ? [`${i18n._(shareName(name))} ${formats.percent(shares[at] / 10)}`] : [],
  )
  // Isolates keep each percentage beside its name if the name is in Latin letters.
  return locale.dir === 'rtl' ? texts.map((text) => `\u2067${text}\u2069`).join('، ') : texts.join(', ')
}
