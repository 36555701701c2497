import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { causePhrase } from '~/donate/cause-phrase'
import type { Transaction } from '~/ledger/transactions.server'
import type { Language } from '~/locales/language'

/**
 * The stage of a payment. `disputed`: the blockchain no longer has the payment, or has a different amount.
 */
export type Stage = 'sent' | 'in a block' | 'final' | 'disputed'

/** What the page announces when a payment reaches a stage. */
export const stageSentences: Record<Stage, MessageDescriptor> = {
  sent: msg`We have not seen your payment yet.`,
  'in a block': msg`Your payment is in a block. It is not final yet.`,
  final: msg`Your payment is final, and in the ledger.`,
  disputed: msg`This payment doesn't match the blockchain.`,
}

/** Whether a transfer is a gift to one of our wallets or to a goal. */
export function isGift({ type }: Pick<Transaction, 'type'>): boolean {
  return type === 'gift' || type === 'goal-gift'
}

/** The stage of a transaction, derived from its transfers in the ledger. */
export function stageOf(transfers: Pick<Transaction, 'status'>[]): Stage {
  if (transfers.length === 0) return 'sent'
  if (transfers.some(({ status }) => status === 'mismatch' || status === 'reorganised')) return 'disputed'
  return transfers.every(({ status }) => status === 'verified') ? 'final' : 'in a block'
}

/**
 * The heading of the page in two sizes: 'Thank you.' and the rest. A transfer that is disputed or not a gift
 * gets a different heading, and the rest is empty.
 */
export function thanksFor(
  transfers: Pick<
    Transaction,
    'status' | 'type' | 'direction' | 'tokens' | 'amountUsd' | 'toAccount' | 'goal'
  >[],
  { i18n, formats }: Language,
): [string, string] {
  const thanks = (rest: MessageDescriptor): [string, string] => [i18n._(msg`Thank you.`), i18n._(rest)]
  const stage = stageOf(transfers)
  if (stage === 'sent') return thanks(msg`Your payment is on its way.`)
  const gifts = transfers.filter(isGift)
  if (gifts.length === 0 && transfers.every(({ direction }) => direction === 'out'))
    return [i18n._(msg`This is a payment by us, not a gift`), '']
  if (gifts.length === 0) return [i18n._(msg`This payment is not a gift`), '']
  if (stage === 'disputed') return [i18n._(msg`This payment doesn't match the blockchain`), '']
  const [{ tokens, amountUsd, toAccount, goal } = {}, second] = gifts
  const cause = goal ? goal.title : causePhrase(toAccount ?? null, i18n)
  const isFinal = stage === 'final'
  if (second || !cause)
    return thanks(isFinal ? msg`Your gifts have arrived.` : msg`Your gifts are on their way.`)
  const amount = tokens
    ? formats.tokens(tokens)
    : typeof amountUsd === 'number'
      ? formats.exactDollars(amountUsd)
      : null
  if (amount === null)
    return thanks(
      isFinal ? msg`Your gift has arrived at ${cause}.` : msg`Your gift is on its way to ${cause}.`,
    )
  return thanks(
    isFinal ? msg`Your ${amount} has arrived at ${cause}.` : msg`Your ${amount} is on its way to ${cause}.`,
  )
}
