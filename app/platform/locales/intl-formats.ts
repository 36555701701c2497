import type { Cents } from '../money'
import { formatTokens, type TokenAmount, type TokenFormat } from '../tokens'
import { englishFormats, type Formats } from './formats'
import type { Locale } from './locales'

/** The formats of a language other than English; loaded only for such a language. */
export function intlFormats(locale: Locale): Formats {
  const tag = `${locale.tag}-u-nu-latn`
  const month = { month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  const day = { ...month, day: 'numeric' } as const
  const count = numberFormat(tag, {})
  // Turnouts have hundredths of a percent.
  const ratio = numberFormat(tag, { style: 'percent', maximumFractionDigits: 2 })
  const instant = dateFormat(tag, { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const lists = {
    and: lazy(() => new Intl.ListFormat(tag, { type: 'conjunction' })),
    or: lazy(() => new Intl.ListFormat(tag, { type: 'disjunction' })),
  }
  const point = lazy(() => decimalSeparator(tag))
  // The marks keep the sign, the digits and the symbol in this order, as for dollars.
  const tokens = (amount: TokenAmount, format: TokenFormat) => {
    const text = formatTokens(amount, { ...format, point: point() })
    return locale.dir === 'rtl' ? marked(text) : text
  }
  return {
    count,
    decimal: count,
    tokens: (amount, places) => tokens(amount, { places, count }),
    typedTokens: (amount) => tokens(amount, { places: Number.POSITIVE_INFINITY, count: String }),
    ...(locale.dir === 'rtl' ? dollarsInArabic : dollarFormats(tag)),
    percent: (percent) => ratio(percent / 100),
    month: dateFormat(tag, month),
    monthName: dateFormat(tag, { month: 'short', timeZone: 'UTC' }),
    wholeMonth: dateFormat(tag, { ...month, month: 'long' }),
    monthDay: dateFormat(tag, { month: 'short', day: 'numeric', timeZone: 'UTC' }),
    day: dateFormat(tag, day),
    instant: (date) => `${instant(date)} UTC`,
    words: (items, conjunction) => {
      const text = lists[conjunction]().format(items)
      return locale.gap === '' ? spaced(text) : text
    },
  }
}

type DollarFormats = Pick<Formats, 'dollars' | 'exactDollars' | 'roundDollars'>

function dollarFormats(tag: string): DollarFormats {
  const options = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
  const exact = numberFormat(tag, options)
  const whole = numberFormat(tag, { ...options, maximumFractionDigits: 0 })
  const dollars = (cents: Cents) => (cents % 100 === 0 ? whole(cents / 100) : exact(cents / 100))
  return {
    dollars,
    exactDollars: (cents) => exact(cents / 100),
    roundDollars: (cents) => dollars(Math.abs(cents) < 100 ? cents : Math.round(cents / 100) * 100),
  }
}

/**
 * '$1,234.50' as in English, between marks (U+200E) that keep the sign, the digits and the symbol in this
 * order in right-to-left text. `Intl` writes 'US$' after the number, and a browser shows this as '$US'.
 */
const dollarsInArabic: DollarFormats = {
  dollars: (cents) => marked(englishFormats.dollars(cents)),
  exactDollars: (cents) => marked(englishFormats.exactDollars(cents)),
  roundDollars: (cents) => marked(englishFormats.roundDollars(cents)),
}

/** The text between marks (U+200E) that keep its left-to-right order. */
function marked(text: string): string {
  return `\u200e${text}\u200e`
}

/** A Chinese list with a space between its conjunction and Latin letters or digits. */
function spaced(text: string): string {
  return text.replace(/(?<=[\w%])(?=[和或])|(?<=[和或])(?=[\w$])/g, ' ')
}

function decimalSeparator(tag: string): string {
  const parts = new Intl.NumberFormat(tag).formatToParts(0.5)
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.'
}

/** Sets `useGrouping`, because by default Spanish has a separator in 12.345 but not in 1234. */
function numberFormat(tag: string, options: Intl.NumberFormatOptions): (number: number | bigint) => string {
  const format = lazy(() => new Intl.NumberFormat(tag, { ...options, useGrouping: 'always' } as const))
  return (number) => format().format(number).replace('-', '−')
}

function dateFormat(tag: string, options: Intl.DateTimeFormatOptions): (date: Date) => string {
  const format = lazy(() => new Intl.DateTimeFormat(tag, options))
  return (date) => format().format(date)
}

function lazy<T>(create: () => T): () => T {
  let created: T | undefined
  return () => {
    created ??= create()
    return created
  }
}
