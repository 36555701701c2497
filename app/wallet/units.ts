/** A typed amount in base units, or why it is refused. */
export type ParsedAmount = { units: bigint } | { fault: 'invalid' | 'ambiguous' }

/**
 * '12.5' or '12,5' in base units of a token with `decimals`. 'invalid': not a positive number, or with more decimals
 * than the token has. 'ambiguous': 1 to 999, a separator and exactly three digits. Such a number is a thousand times
 * larger to people who group digits with that separator. '0.125' has one meaning.
 */
export function parseUnits(text: string, decimals: number): ParsedAmount {
  const [, whole, fraction = ''] = /^(\d{1,30})(?:[.,](\d+))?$/.exec(text.trim()) ?? []
  if (whole === undefined || fraction.length > decimals) return { fault: 'invalid' }
  if (fraction.length === 3 && Number(whole) >= 1 && Number(whole) <= 999) return { fault: 'ambiguous' }
  const units = BigInt(whole + fraction.padEnd(decimals, '0'))
  return units > 0n ? { units } : { fault: 'invalid' }
}

/** '1000.5': base units in whole tokens with all decimals, and without thousands separators, which could be misread. */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction ? `${whole}.${fraction}` : whole
}
