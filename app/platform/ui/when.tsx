import { useLanguage } from '../locales/react'

/** A date and time in UTC, with the label 'UTC'. With `day`, only the date; with `monthDay`, without the year. */
export function When({
  date,
  day = false,
  monthDay = false,
  ageing = false,
  age = false,
  local = false,
}: {
  date: Date
  day?: boolean
  /** For a date below the heading of its month. */
  monthDay?: boolean
  /** Whether a script adds the visitor's local time below the date (platform/enhance/local-times.ts). */
  local?: boolean
  /** Whether a script adds the age (platform/enhance/times.ts). */
  ageing?: boolean
  /** Whether a script shows the age instead of the date. */
  age?: boolean
}) {
  const { formats } = useLanguage()
  return (
    <time
      dateTime={date.toISOString()}
      data-ageing={age ? 'alone' : ageing ? '' : undefined}
      data-local={local ? '' : undefined}
    >
      {monthDay ? formats.monthDay(date) : day ? formats.day(date) : formats.instant(date)}
    </time>
  )
}
