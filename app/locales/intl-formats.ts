import type { Cents } from '../money'
import type { Formats } from './formats'
import type { Locale } from './locales'

/**
 * The formats of a language other than English. The browser and the worker load this module for such a language only.
 */
export function intlFormats(locale: Locale): Formats {
  const tag = `${locale.tag}-u-nu-latn`
  const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
  const month = { month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  const day = { ...month, day: 'numeric' } as const
  const count = numberFormat(tag, {})
  const exact = numberFormat(tag, dollars)
  const whole = numberFormat(tag, { ...dollars, maximumFractionDigits: 0 })
  const ratio = numberFormat(tag, { style: 'percent' })
  const short = (cents: Cents) => (cents % 100 === 0 ? whole(cents / 100) : exact(cents / 100))
  const instant = dateFormat(tag, { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const lists = {
    and: lazy(() => new Intl.ListFormat(tag, { type: 'conjunction' })),
    or: lazy(() => new Intl.ListFormat(tag, { type: 'disjunction' })),
  }
  return {
    count,
    dollars: short,
    exactDollars: (cents) => exact(cents / 100),
    roundDollars: (cents) => short(Math.abs(cents) < 100 ? cents : Math.round(cents / 100) * 100),
    percent: (percent) => ratio(percent / 100),
    month: dateFormat(tag, month),
    wholeMonth: dateFormat(tag, { ...month, month: 'long' }),
    day: dateFormat(tag, day),
    instant: (date) => `${instant(date)} UTC`,
    words: (items, conjunction) => lists[conjunction]().format(items),
  }
}

/** `useGrouping`: Spanish would otherwise write 1234 without a separator, and 12.345 with one. */
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
