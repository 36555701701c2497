import { msg } from '@lingui/core/macro'
import { findPool } from '../platform/impact-pools'
import type { I18n } from '../platform/locales/i18n'
import { key } from '../platform/locales/key'

/** The cause of a gift to an account, for use inside a sentence: 'Education', 'CZ Call', 'the treasury'. */
export function causePhrase(slug: string | null, i18n: I18n): string | undefined {
  if (slug === 'treasury')
    return i18n._(
      msg({ message: 'the treasury', comment: 'In a sentence: "Your 20 USDT has arrived at the treasury."' }),
    )
  if (slug === 'donation-wallet') return 'CZ Call'
  const pool = findPool(slug)
  return pool && i18n._(key(pool.category))
}

/** The cause of a gift to an account, for use as a title: 'Treasury'. */
export function causeTitle(slug: string, i18n: I18n): string {
  return slug === 'treasury' ? i18n._(msg`Treasury`) : (causePhrase(slug, i18n) ?? slug)
}
