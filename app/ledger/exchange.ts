import { msg } from '@lingui/core/macro'
import type { Language } from '../platform/locales/language'

/**
 * '1 BNB became 600 USDX': what was given and received in the transaction of an exchange, which the source of the
 * row's value states (app/ledger/job/joint-classification.ts). Null for another row.
 */
export function exchangeWords(
  { type, rateSource }: { type: string; rateSource?: string | null },
  { i18n }: Pick<Language, 'i18n'>,
): string | null {
  const start = 'Exchange of '
  if (type !== 'exchange' || !rateSource?.startsWith(start)) return null
  const [given, received] = rateSource.slice(start.length).split(' for ')
  if (!given || !received) return null
  return i18n._(
    msg({ message: `${given} became ${received}`, comment: 'An exchange, such as "1 BNB became 600 USDX"' }),
  )
}
