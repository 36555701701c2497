import { formatDay, formatInstant } from '../time'

/** A date, in UTC. With its time of day it says so; without one, its context does. */
export function When({ date, day = false }: { date: Date; day?: boolean }) {
  return <time dateTime={date.toISOString()}>{day ? formatDay(date) : formatInstant(date)}</time>
}
