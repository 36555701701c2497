import { type Cents, formatDollars } from '../money'
import { plural } from '../plural'
import { formatDay } from '../time'
import type { Call } from './calls.server'

/** '$2,050 · 9 days later': the amount, and the time between statement and payment. */
export function paidWords(said: Date, { at, amount }: { at: Date; amount: Cents | null }): string {
  const between = at.getTime() - said.getTime()
  const when = `${span(Math.abs(between))} ${between < 0 ? 'before the statement' : 'later'}`
  return `${amount === null ? 'No dollar value yet' : formatDollars(amount)} · ${when}`
}

/** '$2,050 · 9 days later: the payment for what CZ said on 3 Mar 2025': the statement in a few words, to share it. */
export function callTitle({
  postedAt,
  author,
  answer,
}: Pick<Call, 'postedAt' | 'author' | 'answer'>): string {
  const said = `what ${author} said on ${formatDay(postedAt)}`
  return answer ? `${paidWords(postedAt, answer)}: the payment for ${said}` : `No payment for ${said}`
}

/** Says that other statements name the same payment; null if no other statement does. */
export function sharedWords({ sharedCount }: Pick<Call, 'sharedCount'>): string | null {
  if (sharedCount === 0) return null
  const others = plural(sharedCount, { one: 'another call', other: '# other calls' })
  return `This payment is shared with ${others}. The ledger counts it once.`
}

/** The time between a statement and its payment, in words. */
export function answerWords(said: Date, answered: Date): string {
  const between = answered.getTime() - said.getTime()
  return between < 0 ? `Paid ${span(-between)} before the statement` : `Paid ${span(between)} later`
}

/**
 * '3 days 4 hours', '1 hour 5 minutes', 'less than a minute': the two largest units, truncated and never rounded up.
 */
function span(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  const units = [
    { count: Math.floor(minutes / 1440), one: '# day', other: '# days' },
    { count: Math.floor(minutes / 60) % 24, one: '# hour', other: '# hours' },
    { count: minutes % 60, one: '# minute', other: '# minutes' },
  ]
  const first = units.findIndex(({ count }) => count > 0)
  if (first < 0) return 'less than a minute'
  return units
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ count, ...forms }) => plural(count, forms))
    .join(' ')
}
