import { formatDay, formatInstant } from '../time'

/** A date, in UTC. With its time of day it says so; without one, its context does. */
export function When({
  date,
  day = false,
  ageing = false,
  local = false,
}: {
  date: Date
  day?: boolean
  /** Script adds the visitor's own time below it (enhance/local-times.ts). */
  local?: boolean
  /** Script says how long ago it is (enhance/ages.ts). */
  ageing?: boolean
}) {
  return (
    <time
      dateTime={date.toISOString()}
      data-ageing={ageing ? '' : undefined}
      data-local={local ? '' : undefined}
    >
      {day ? formatDay(date) : formatInstant(date)}
    </time>
  )
}
