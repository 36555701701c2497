/** '1.5 BNB': an amount in whole tokens with all its digits, for texts that are stored. */
export function transferInWords(amount: bigint, decimals: number, symbol: string): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${fraction ? `${whole}.${fraction}` : whole} ${symbol}`
}
