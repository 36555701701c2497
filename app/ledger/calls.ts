import { msg, plural } from '@lingui/core/macro'
import type { Language } from '../platform/locales/language'
import type { Cents } from '../platform/money'
import type { Call } from './calls.server'

/** '$2,050.00, 9 days later': the amount, and the time between the statement and the payment. */
function paidWords(
  said: Date,
  { at, amount: cents }: { at: Date; amount: Cents | null },
  language: Language,
): string {
  const { i18n, formats } = language
  const between = at.getTime() - said.getTime()
  const time = span(Math.abs(between), language)
  const amount = cents === null ? i18n._(msg`No dollar value yet`) : formats.exactDollars(cents)
  return i18n._(between < 0 ? msg`${amount}, ${time} before the statement` : msg`${amount}, ${time} later`)
}

/** A statement for sharing: '$2,050.00, 9 days later: the payment for what CZ said on 3 Mar 2025'. */
export function callTitle(
  { postedAt, author, answer }: Pick<Call, 'postedAt' | 'author' | 'answer'>,
  language: Language,
): string {
  const { i18n, formats } = language
  const day = formats.day(postedAt)
  if (!answer) return i18n._(msg`No payment for what ${author} said on ${day}`)
  const payment = paidWords(postedAt, answer, language)
  return i18n._(
    msg({
      message: `${payment}: the payment for what ${author} said on ${day}`,
      comment: 'Begins with "$2,050.00, 9 days later"',
    }),
  )
}

/** Says how many other statements name the same payment; null if no other statement names it. */
export function sharedWords(
  { sharedCount }: Pick<Call, 'sharedCount'>,
  { i18n }: Pick<Language, 'i18n'>,
): string | null {
  if (sharedCount === 0) return null
  return i18n._(
    msg`This payment is shared with ${plural(sharedCount, { one: 'another call', other: '# other calls' })}. The ledger counts it once.`,
  )
}

/** The time between a statement and its payment, in words. */
export function answerWords(said: Date, answered: Date, language: Language): string {
  const between = answered.getTime() - said.getTime()
  const time = span(Math.abs(between), language)
  return language.i18n._(between < 0 ? msg`Paid ${time} before the statement` : msg`Paid ${time} later`)
}

/** '3 days 4 hours', '1 hour 5 minutes', 'less than a minute': the two largest units, rounded down. */
export function span(milliseconds: number, { i18n }: Language): string {
  const minutes = Math.floor(milliseconds / 60_000)
  const days = Math.floor(minutes / 1440)
  const hours = Math.floor(minutes / 60) % 24
  const rest = minutes % 60
  if (days && hours)
    return i18n._(
      msg`${plural(days, { one: '# day', other: '# days' })} ${plural(hours, { one: '# hour', other: '# hours' })}`,
    )
  if (days) return i18n._(msg`${plural(days, { one: '# day', other: '# days' })}`)
  if (hours && rest)
    return i18n._(
      msg`${plural(hours, { one: '# hour', other: '# hours' })} ${plural({ minutes: rest }, { one: '# minute', other: '# minutes' })}`,
    )
  if (hours) return i18n._(msg`${plural(hours, { one: '# hour', other: '# hours' })}`)
  if (rest) return i18n._(msg`${plural({ minutes: rest }, { one: '# minute', other: '# minutes' })}`)
  return i18n._(
    msg({ message: 'less than a minute', comment: 'Inside a sentence: the time until a payment' }),
  )
}
