import type { Language } from '../platform/locales/language'
import { type Cents, centsAt } from '../platform/money'
import type { TokenAmount } from '../platform/tokens'

/** The dollars of an amount: each token that takes orders is worth one. */
export function dollarsOf({ amount, decimals }: TokenAmount): Cents {
  return Number(centsAt(amount, decimals, { units: 1n, decimals: 0 }))
}

/** '$1,200', or the tokens if they are worth less than a cent. */
export function amountText(tokens: TokenAmount, formats: Language['formats']): string {
  const usd = dollarsOf(tokens)
  return usd === 0 ? formats.tokens(tokens, Number.POSITIVE_INFINITY) : formats.dollars(usd)
}

/** The dollars of an amount as an operator entered it; null if it is no number. */
export function dollarsTyped(amount: string | undefined): Cents | null {
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d{1,18}))?$/.exec(amount ?? '') ?? []
  if (whole === undefined) return null
  return Number(centsAt(BigInt(whole + fraction), fraction.length, { units: 1n, decimals: 0 }))
}
