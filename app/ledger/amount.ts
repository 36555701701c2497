import type { Formats } from '../platform/locales/formats'
import type { Cents } from '../platform/money'
import type { TokenAmount } from '../platform/tokens'

interface Amount {
  amountUsd: Cents | null
  tokens: TokenAmount | null
}

/** True if a payment has a value of a cent or more, or nothing better than a value of less. */
export function hasDollars<T extends Amount>(payment: T): payment is T & { amountUsd: Cents } {
  return payment.amountUsd !== null && (payment.amountUsd !== 0 || !payment.tokens)
}

/**
 * The value of a payment in dollars or, if it is unknown or below a cent, the amount in tokens, with at most `digits`
 * decimals; null without both.
 */
export function amountWords(payment: Amount, formats: Formats, digits?: number): string | null {
  if (hasDollars(payment)) return formats.exactDollars(payment.amountUsd)
  return payment.tokens && formats.tokens(payment.tokens, digits)
}
