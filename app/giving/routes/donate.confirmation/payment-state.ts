import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { causePhrase } from '~/giving/cause-phrase'
import type { Transaction } from '~/ledger/transactions.server'
import type { Language } from '~/platform/locales/language'

/**
 * What this site knows about a payment. Every sentence of the page follows from it.
 * `never open`: the site never had a wallet for gifts, so the payment did not go to it.
 * `unreadable`: the ledger cannot be read.
 * `unseen`: the ledger does not have the transaction. Only the browser that sent it may thank.
 * `disputed`: the blockchain no longer has a payment of the ledger, or has a different amount.
 * `paid by us`, `other`: the ledger has the transaction, and it is not a gift.
 */
export type PaymentState =
  | 'never open'
  | 'unreadable'
  | 'unseen'
  | 'disputed'
  | 'paid by us'
  | 'other'
  | 'in a block'
  | 'final'

type Transfer = Pick<
  Transaction,
  'status' | 'type' | 'direction' | 'tokens' | 'amountUsd' | 'toAccount' | 'goal'
>

/** Whether a transfer is a gift to one of our wallets or to a goal. */
export function isGift({ type }: Pick<Transaction, 'type'>): boolean {
  return type === 'gift' || type === 'goal-gift'
}

/** The state of a transaction from its transfers in the ledger; null: the ledger cannot be read. */
export function stateOf(
  transfers: Pick<Transaction, 'status' | 'type' | 'direction'>[] | null,
  neverOpen: boolean,
): PaymentState {
  if (transfers === null) return 'unreadable'
  if (transfers.length === 0) return neverOpen ? 'never open' : 'unseen'
  if (transfers.some(({ status }) => status === 'mismatch' || status === 'reorganised')) return 'disputed'
  if (!transfers.some(isGift))
    return transfers.every(({ direction }) => direction === 'out') ? 'paid by us' : 'other'
  return transfers.every(({ status }) => status === 'verified') ? 'final' : 'in a block'
}

interface StateWords {
  /** The title of the document. Only a gift in the ledger has a confirmation. */
  title: MessageDescriptor
  /** The heading. A gift that the ledger has gets the one of `thanksFor`. */
  heading: MessageDescriptor | null
  /** What the page announces when an open page reaches the state. */
  announcement: MessageDescriptor | null
}

const confirmation = msg`Payment confirmation`
const listed = msg`A payment in our ledger`

export const stateWords: Record<PaymentState, StateWords> = {
  'never open': { title: msg`Donations are not open.`, heading: null, announcement: null },
  unreadable: {
    title: msg`A payment that we can't look up now`,
    heading: msg`We can't look this payment up now`,
    announcement: null,
  },
  unseen: {
    title: msg`We haven't seen this payment`,
    heading: msg`We haven't seen this payment`,
    announcement: null,
  },
  disputed: {
    title: listed,
    heading: msg`This payment doesn't match the blockchain`,
    announcement: msg`This payment doesn't match the blockchain.`,
  },
  'paid by us': {
    title: listed,
    heading: msg`This is a payment by us, not a gift`,
    announcement: msg`This is a payment by us, not a gift.`,
  },
  other: {
    title: listed,
    heading: msg`This payment is not a gift`,
    announcement: msg`This payment is not a gift.`,
  },
  'in a block': {
    title: confirmation,
    heading: null,
    announcement: msg`Your payment is in a block. It is not final yet.`,
  },
  final: { title: confirmation, heading: null, announcement: msg`Your payment is final, and in the ledger.` },
}

/** The heading in two sizes: 'Thank you.' and the rest, or a heading without thanks and an empty rest. */
export function headingOf(
  state: PaymentState,
  transfers: Transfer[],
  { i18n, formats }: Language,
): [string, string] {
  const { heading } = stateWords[state]
  if (heading) return [i18n._(heading), '']
  const thanks = (rest: MessageDescriptor): [string, string] => [i18n._(msg`Thank you.`), i18n._(rest)]
  const isFinal = state === 'final'
  const [{ tokens, amountUsd, toAccount, goal } = {}, second] = transfers.filter(isGift)
  const cause = goal ? goal.title : causePhrase(toAccount ?? null, i18n)
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
