import { formatCount } from './money'

/** An amount of a token in its base units. */
export interface TokenAmount {
  amount: bigint
  symbol: string
  decimals: number
}

export interface TokenFormat {
  /** The maximum number of decimals, 6 by default. Further decimals are cut off. */
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
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).slice(0, places).replace(/0+$/, '')
  return `${amount < 0n ? '−' : ''}${whole}${fraction && point + fraction} ${symbol}`
}
