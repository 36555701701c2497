import { formatCount } from './money.ts'

/** An amount of a token in its base units. */
export interface TokenAmount {
  amount: bigint
  symbol: string
  decimals: number
}

export interface TokenFormat {
  /** The maximum number of decimals, 6 by default. Further decimals are cut off, unless nothing would be left. */
  places?: number
  /** Formats the part before the decimals; with thousands separators by default. */
  count?: (count: bigint) => string
  /** The decimal separator. */
  point?: string
}

/** '1,234.5 BNB': the amount in whole tokens. The separators are English by default. */
export function formatTokens(
  { amount, symbol, decimals }: TokenAmount,
  { places = 6, count = formatCount, point = '.' }: TokenFormat = {},
): string {
  const digits = `${amount < 0n ? -amount : amount}`.padStart(decimals + 1, '0')
  const whole = count(BigInt(digits.slice(0, digits.length - decimals)))
  const decimal = decimals === 0 ? '' : digits.slice(-decimals)
  // An amount above zero never looks like zero: it has as many decimals as its first three digits need.
  const shown =
    BigInt(digits) < 10n ** BigInt(Math.max(0, decimals - places)) ? decimal.search(/[1-9]/) + 3 : places
  const fraction = decimal.slice(0, shown).replace(/0+$/, '')
  return `${amount < 0n ? '−' : ''}${whole}${fraction && point + fraction} ${symbol}`
}
