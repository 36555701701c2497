import { causePhrase } from '~/donate/cause-phrase'
import { formatTokens } from '~/ledger/transactions'
import type { Transaction } from '~/ledger/transactions.server'
import { formatDollars } from '~/money'

/** How far a payment is. `disputed`: the blockchain no longer has it, or has another amount. */
export type Stage = 'sent' | 'in a block' | 'final' | 'disputed'

/** What the page announces when a payment reaches a stage. */
export const stageSentences: Record<Stage, string> = {
  sent: 'We have not seen your payment yet.',
  'in a block': 'Your payment is in a block. It is not final yet.',
  final: 'Your payment is final, and in the ledger.',
  disputed: "This payment doesn't match the blockchain.",
}

/** The stage of a transaction, from its transfers in the ledger. */
export function stageOf(transfers: Pick<Transaction, 'status'>[]): Stage {
  if (transfers.length === 0) return 'sent'
  if (transfers.some(({ status }) => status === 'mismatch' || status === 'reorganised')) return 'disputed'
  return transfers.every(({ status }) => status === 'verified') ? 'final' : 'in a block'
}

/** The heading of the page. A transfer that is not a gift gets no thanks, and neither does a disputed one. */
export function thanksFor(
  transfers: Pick<Transaction, 'status' | 'type' | 'tokens' | 'amountUsd' | 'toAccount'>[],
): string {
  const stage = stageOf(transfers)
  if (stage === 'sent') return 'Thank you. Your payment is on its way.'
  const gifts = transfers.filter(({ type }) => type === 'gift')
  if (gifts.length === 0) return 'This payment is not a gift'
  if (stage === 'disputed') return "This payment doesn't match the blockchain"
  const [{ tokens, amountUsd, toAccount } = {}, second] = gifts
  const cause = causePhrase(toAccount ?? null)
  const isFinal = stage === 'final'
  if (second || !cause) return `Thank you. Your gifts ${isFinal ? 'have arrived' : 'are on their way'}.`
  const amount = tokens
    ? formatTokens(tokens)
    : typeof amountUsd === 'number'
      ? formatDollars(amountUsd)
      : 'gift'
  return `Thank you. Your ${amount} ${isFinal ? 'has arrived at' : 'is on its way to'} ${cause}.`
}
