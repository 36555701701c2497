/** An entered amount in base units, or the reason why it is refused. */
export type ParsedAmount = { units: bigint } | { fault: 'invalid' | 'ambiguous' }

/**
 * Converts '12.5' or '12,5' to base units of a token with `decimals`. 'invalid': the text is not a positive
 * number, or has more decimals than the token. 'ambiguous': the text is 1 to 999, a separator and exactly
 * three digits. People who group digits with that separator read a number that is a thousand times larger.
 * '0.125' has only one meaning.
 */
export function parseUnits(text: string, decimals: number): ParsedAmount {
  const [, whole, fraction = ''] = /^(\d{1,30})(?:[.,](\d+))?$/.exec(text.trim()) ?? []
  if (whole === undefined || fraction.length > decimals) return { fault: 'invalid' }
  if (fraction.length === 3 && Number(whole) >= 1 && Number(whole) <= 999) return { fault: 'ambiguous' }
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
