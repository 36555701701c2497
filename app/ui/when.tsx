import { useLanguage } from '../locales/react'

/** A date in UTC, with the label 'UTC' unless `day` omits the time of day. */
export function When({
  date,
  day = false,
  ageing = false,
  age = false,
  local = false,
}: {
  date: Date
  day?: boolean
  /** Script adds the visitor's own time below it (enhance/local-times.ts). */
  local?: boolean
  /** Script adds how long ago it is (enhance/times.ts). */
  ageing?: boolean
  /** Script shows how long ago it is instead of the date. */
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
