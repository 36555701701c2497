/** US dollars as integer cents. Sums stay exact up to 90 trillion dollars. */
export type Cents = number

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * The cents in a value of a `numeric` column. The embedded backend returns strings or numbers, and a hosted
 * backend returns numbers. Throws if the value is not a decimal number, has a digit other than 0 after the
 * second decimal place, or is too large to be exact.
 */
export function toCents(value: string | number): Cents {
  const [, sign, whole, fraction = ''] = decimal.exec(String(value)) ?? []
  if (whole === undefined || /[1-9]/.test(fraction.slice(2))) throw new Error('not an amount of money')
  const cents = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'))
  if (!Number.isSafeInteger(cents)) throw new Error('an amount beyond what can be counted exactly')
  return sign && cents ? -cents : cents
}

/** The cents of base units, rounded half up. `rate`: a whole token's, `units` / 10 ^ `decimals` dollars. */
export function centsAt(amount: bigint, decimals: number, rate: { units: bigint; decimals: number }): bigint {
  const whole = 10n ** BigInt(decimals + rate.decimals)
  return (amount * rate.units * 200n + whole) / (2n * whole)
}

/** An amount for programs: '1234.50'. */
export function toDecimal(cents: Cents): string {
  const rest = Math.abs(cents % 100)
  return `${cents < 0 ? '-' : ''}${(Math.abs(cents) - rest) / 100}.${String(rest).padStart(2, '0')}`
}

/** '1,234', without `Intl`, whose first formatter costs each process 21 ms (decision 007). */
export function formatCount(count: number | bigint): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** An amount for table columns, always with cents: '$1,234.50', '−$8.00'. */
export function formatExactDollars(cents: Cents): string {
  const magnitude = Math.abs(cents)
  const rest = String(magnitude % 100).padStart(2, '0')
  return `${cents < 0 ? '−' : ''}$${formatCount(Math.floor(magnitude / 100))}.${rest}`
}

/** An amount for a drawing's labels, rounded to a dollar: '$1,235'. Below a dollar it keeps its cents. */
export function formatRoundDollars(cents: Cents): string {
  return formatDollars(Math.abs(cents) < 100 ? cents : Math.round(cents / 100) * 100)
}

/** An amount with thousands separators, and cents only if not zero: '$0', '$8,500', '$1,234.50'. */
export function formatDollars(cents: Cents): string {
  const magnitude = Math.abs(cents)
  const whole = formatCount(Math.floor(magnitude / 100))
  const rest = magnitude % 100
  return `${cents < 0 ? '−' : ''}$${whole}${rest ? `.${String(rest).padStart(2, '0')}` : ''}`
}
