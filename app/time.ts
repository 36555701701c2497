const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** 'Nov 2026', in UTC. */
export function formatMonth(date: Date): string {
  return monthFormat.format(date)
}

/** '20 Nov 2026', in UTC. */
export function formatDay(date: Date): string {
  return dayFormat.format(date)
}

/** '20 Nov 2026, 22:59 UTC'. */
export function formatInstant(date: Date): string {
  return `${dayFormat.format(date)}, ${timeFormat.format(date)} UTC`
}
