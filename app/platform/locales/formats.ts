import { listWords } from '../list'
import { type Cents, formatCount, formatDollars, formatExactDollars, formatRoundDollars } from '../money'
import {
  formatDay,
  formatInstant,
  formatMonth,
  formatMonthDay,
  formatMonthName,
  formatWholeMonth,
} from '../time'
import { formatTokens, type TokenAmount } from '../tokens'

/** A language's formats for numbers, money and dates: US dollars, the digits 0 to 9. */
export interface Formats {
  /** '1,234', for an integer. */
  count: (count: number | bigint) => string
  /** '0.05', for a number below 1000 with at most three decimals. */
  decimal: (number: number) => string
  /** '$8,500', '$1,234.50': with cents unless they are zero. */
  dollars: (cents: Cents) => string
  /** '$1,234.50', '−$8.00': always with cents, for columns of amounts. */
  exactDollars: (cents: Cents) => string
  /** '$1,235': rounded to a dollar, for labels in a drawing. An amount below a dollar keeps its cents. */
  roundDollars: (cents: Cents) => string
  /** '1,112.1 BNB': an amount of a token with at most `places` decimals, 6 by default. */
  tokens: (tokens: TokenAmount, places?: number) => string
  /** '1000.5 BNB': a whole amount to type into another app, where a separator could mean otherwise. */
  typedTokens: (tokens: TokenAmount) => string
  /** '45%', from 45. */
  percent: (percent: number) => string
  /** 'Nov 2026', in UTC. */
  month: (date: Date) => string
  /** 'Nov', in UTC: a month below the heading of its year. */
  monthName: (date: Date) => string
  /** 'November 2026', in UTC. */
  wholeMonth: (date: Date) => string
  /** '20 Nov', in UTC: a day below the heading of its month. */
  monthDay: (date: Date) => string
  /** '20 Nov 2026', in UTC. */
  day: (date: Date) => string
  /** '20 Nov 2026, 22:59 UTC'. */
  instant: (date: Date) => string
  /** 'a, b, and c'. */
  words: (items: readonly string[], conjunction: 'and' | 'or') => string
}

/** Works without `Intl`, because its first formatter costs each process 21 ms (decision 007). */
export const englishFormats: Formats = {
  count: formatCount,
  decimal: String,
  dollars: formatDollars,
  exactDollars: formatExactDollars,
  roundDollars: formatRoundDollars,
  tokens: (tokens, places) => formatTokens(tokens, { places }),
  typedTokens: (tokens) => formatTokens(tokens, { places: Number.POSITIVE_INFINITY, count: String }),
  percent: (percent) => `${percent}%`,
  month: formatMonth,
  monthName: formatMonthName,
  wholeMonth: formatWholeMonth,
  monthDay: formatMonthDay,
  day: formatDay,
  instant: formatInstant,
  words: listWords,
}

/** '0.0004' with the decimal point of the language, and all its digits. */
export function withPoint(digits: string, { decimal }: Pick<Formats, 'decimal'>): string {
  return digits.replace('.', decimal(0.5).charAt(1))
}
