import { type Cents, formatDollars } from '../money'
import { plural } from '../plural'
import { formatDay } from '../time'
import type { VerificationStatus } from './verification-status'

/**
 * A statement and its payment. `verified`: an operator has checked the statement's source. A withdrawn text is null.
 */
export interface Call {
  id: number
  cursor: string
  /** The cursor of the page of the feed that begins with this statement. */
  startCursor: string
  date: Date
  author: string
  verified: boolean
  /** How the source was confirmed, as the operator stated it. */
  confirmedBy: string | null
  tweet: string | null
  /** Why the statement's text was withdrawn; undefined if it was not, or if the reason cannot be read. */
  tweetReason: string | undefined
  tweetUrl: string | null
  action: string | null
  actionReason: string | undefined
  txHash: string | null
  /** When the statement was read at its URL; null if that was not recorded. */
  capturedAt: Date | null
  /** SHA-256 of the text in UTF-8, in hex. */
  sha256: string | null
  /** The row of its payment; null while the ledger has none. */
  answer: { id: number; at: Date; amount: Cents | null; verification: VerificationStatus } | null
}

/** '$2,050 · 9 days later': the amount, and the time between statement and payment. */
export function paidWords(said: Date, { at, amount }: { at: Date; amount: Cents | null }): string {
  const between = at.getTime() - said.getTime()
  const when = `${span(Math.abs(between))} ${between < 0 ? 'before the statement' : 'later'}`
  return `${amount === null ? 'No dollar value yet' : formatDollars(amount)} · ${when}`
}

/** '$2,050 · 9 days later: the payment for what CZ said on 3 Mar 2025': the statement in a few words, to share it. */
export function callTitle({ date, author, answer }: Pick<Call, 'date' | 'author' | 'answer'>): string {
  const said = `what ${author} said on ${formatDay(date)}`
  return answer ? `${paidWords(date, answer)}: the payment for ${said}` : `No payment yet: ${said}`
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
