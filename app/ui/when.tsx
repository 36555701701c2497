import { useLanguage } from '../locales/react'

/** A date and time in UTC, with the label 'UTC'. With `day`, only the date. */
export function When({
  date,
  day = false,
  ageing = false,
  age = false,
  local = false,
}: {
  date: Date
  day?: boolean
  /** Whether a script adds the visitor's local time below the date (enhance/local-times.ts). */
  local?: boolean
  /** Whether a script adds the age (enhance/times.ts). */
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
      {day ? formats.day(date) : formats.instant(date)}
    </time>
  )
}
