import type { Formats } from '../locales/formats'
import type { Cents } from '../money'
import type { TokenAmount } from '../tokens'

/**
 * The value of a payment in dollars or, before it is known, the amount in tokens, with at most `digits`
 * decimals; null without both.
 */
export function amountWords(
  { amountUsd, tokens }: { amountUsd: Cents | null; tokens: TokenAmount | null },
  formats: Formats,
  digits?: number,
): string | null {
  if (amountUsd !== null) return formats.exactDollars(amountUsd)
  return tokens && formats.tokens(tokens, digits)
}
