import { msg } from '@lingui/core/macro'
import { findChain } from '../platform/chains'
import { findPool } from '../platform/impact-pools'
import type { Text } from '../platform/locales/i18n'
import { key } from '../platform/locales/key'
import type { Language } from '../platform/locales/language'
import { amountWords } from './amount'
import { exchangeWords } from './exchange'
import type { RowGoal } from './goal-names.server'
import type { LedgerRecord } from './record.server'

/** The id of the latest revision, which is the row itself or its last correction. */
export function latestRevision({ revisions, id }: Pick<LedgerRecord, 'revisions' | 'id'>): number {
  return revisions.at(-1)?.id ?? id
}

/**
 * '$1,238.03 to Animal Welfare Charity': a short title of a row. The title of a donation that went straight to
 * a recipient names the recipient, and the pool as the purpose.
 */
export function recordTitle(
  record: Pick<
    LedgerRecord,
    'type' | 'direction' | 'amountUsd' | 'tokens' | 'poolSlug' | 'toAccount' | 'counterName'
  > & { goal?: RowGoal; rateSource?: string | null },
  language: Language,
): string {
  const { i18n } = language
  const amount = amountWords(record, language.formats) ?? i18n._(msg`An amount without a dollar value`)
  const known = findPool(record.poolSlug)
  const pool = known && i18n._(key(known.title))
  switch (record.type) {
    case 'donation': {
      const name = record.toAccount === null && record.counterName
      if (name) return i18n._(pool ? msg`${amount} to ${name}, for ${pool}` : msg`${amount} to ${name}`)
      if (!pool) return i18n._(msg`${amount} to another cause`)
      return i18n._(record.toAccount === null ? msg`${amount} for ${pool}` : msg`${amount} to ${pool}`)
    }
    case 'gift':
      return i18n._(pool ? msg`${amount} given to ${pool}` : msg`${amount} given to us`)
    case 'spending':
      return i18n._(pool ? msg`${amount} spent by ${pool}` : msg`${amount} spent by a pool`)
    case 'goal-gift': {
      const goal = record.goal?.title
      return i18n._(goal ? msg`${amount} given to ${goal}` : msg`${amount} given to a goal`)
    }
    case 'cost':
      return i18n._(msg`${amount} paid for costs`)
    case 'tax':
      return i18n._(msg`${amount} from the trading tax`)
    case 'dream':
      return i18n._(msg`${amount} to a community dream`)
    case 'exchange':
      return exchangeWords(record, language) ?? i18n._(msg`${amount} exchanged`)
    case 'returned':
      return i18n._(pool ? msg`${amount} came back to ${pool}` : msg`${amount} came back`)
    case 'move':
      return i18n._(msg`${amount} moved between our wallets`)
    default:
      return i18n._(record.direction === 'in' ? msg`${amount} received` : msg`${amount} paid`)
  }
}

/** True for money that left for others: its page says first what it bought. */
export function isPurchase({ type, toAccount }: Pick<LedgerRecord, 'type' | 'toAccount'>): boolean {
  return ['spending', 'dream', 'cost'].includes(type) || (type === 'donation' && toAccount === null)
}

/** 'Lamps for 38 pupils: $645.50': the title of a payment with a purpose, and recordTitle of any other row. */
export function storyTitle(record: LedgerRecord & { goal?: RowGoal }, language: Language): string {
  const amount = amountWords(record, language.formats)
  const purpose = isPurchase(record) && record.note
  return purpose && amount ? language.i18n._(msg`${purpose}: ${amount}`) : recordTitle(record, language)
}

/** The name of the network with this chain id. */
export function chainName(chainId: number): Text {
  const name = findChain(chainId)?.name
  return name
    ? key(name)
    : msg({ message: `Chain ${chainId}`, comment: 'A blockchain without a known name; its number' })
}
