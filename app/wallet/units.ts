import { readNumber } from '../platform/forms/number.ts'

/** An entered amount in base units, or the reason why it is refused. */
export type ParsedAmount = { units: bigint } | { fault: 'invalid' | 'ambiguous' }

/**
 * Converts an entered amount (`readNumber`) to base units of a token with `decimals`. 'invalid' also for zero,
 * and for more decimals than the token has.
 */
export function parseUnits(text: string, decimals: number, symbol = ''): ParsedAmount {
  const read = readNumber(text, symbol)
  if ('fault' in read) return read
  const [whole = '', fraction = ''] = read.number.split('.')
  if (whole.length > 30 || fraction.length > decimals) return { fault: 'invalid' }
  const units = BigInt(whole + fraction.padEnd(decimals, '0'))
  return units > 0n ? { units } : { fault: 'invalid' }
}

/**
 * An amount of base units in whole tokens: '1000.5'. Has all decimals, but no thousands separators, because
 * readers could take these separators for decimal points.
 */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction ? `${whole}.${fraction}` : whole
}
