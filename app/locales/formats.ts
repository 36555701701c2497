import { listWords } from '../list'
import { type Cents, formatCount, formatDollars, formatExactDollars, formatRoundDollars } from '../money'
import { formatDay, formatInstant, formatMonth, formatWholeMonth } from '../time'
import { english, type Locale } from './locales'

/** Numbers, money and dates as a language writes them. The currency is the US dollar, the digits are 0 to 9. */
export interface Formats {
  /** '1,234', for an integer. */
  count: (count: number | bigint) => string
  /** '$8,500', '$1,234.50': with cents only if they are not zero. */
  dollars: (cents: Cents) => string
  /** '$1,234.50', '−$8.00': always with cents, for columns of amounts. */
  exactDollars: (cents: Cents) => string
  /** '$1,235': rounded to a dollar, for labels of a drawing; an amount below a dollar with its cents. */
  roundDollars: (cents: Cents) => string
  /** 'Nov 2026', in UTC. */
  month: (date: Date) => string
  /** 'November 2026', in UTC. */
  wholeMonth: (date: Date) => string
  /** '20 Nov 2026', in UTC. */
  day: (date: Date) => string
  /** '20 Nov 2026, 22:59 UTC'. */
  instant: (date: Date) => string
  /** 'a, b, and c'. */
  words: (items: readonly string[], conjunction: 'and' | 'or') => string
}

/** Without `Intl`, whose first formatter takes 21 ms of a process (decision 007). */
export const englishFormats: Formats = {
  count: formatCount,
  dollars: formatDollars,
  exactDollars: formatExactDollars,
  roundDollars: formatRoundDollars,
  month: formatMonth,
  wholeMonth: formatWholeMonth,
  day: formatDay,
  instant: formatInstant,
  words: listWords,
}

const created = new Map<string, Formats>()

/** The formats of a language. Those of `Intl` are created once for each isolate and language, at their first use. */
export function formatsOf(locale: Locale): Formats {
  if (locale.formats === english.formats) return englishFormats
  let formats = created.get(locale.formats)
  if (!formats) {
    formats = createFormats(locale.formats)
    created.set(locale.formats, formats)
  }
  return formats
}

function createFormats(tag: string): Formats {
  const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
  const month = { month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  const day = { ...month, day: 'numeric' } as const
  const count = numberFormat(tag, {})
  const exact = numberFormat(tag, dollars)
  const whole = numberFormat(tag, { ...dollars, maximumFractionDigits: 0 })
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
