// Without `Intl`, whose first formatter takes 21 ms of a process (decision 007).
const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']

/** 'Nov 2026', in UTC. */
export function formatMonth(date: Date): string {
  return `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** 'November 2026', in UTC. */
export function formatWholeMonth(date: Date): string {
  return `${monthNames[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** '20 Nov 2026', in UTC. */
export function formatDay(date: Date): string {
  return `${date.getUTCDate()} ${formatMonth(date)}`
}

/** '22:59 UTC', with the day if that is not today. */
export function formatClock(date: Date, now: number): string {
  const isToday = date.toISOString().slice(0, 10) === new Date(now).toISOString().slice(0, 10)
  return isToday ? `${date.toISOString().slice(11, 16)} UTC` : formatInstant(date)
}

/** '20 Nov 2026, 22:59 UTC'. */
export function formatInstant(date: Date): string {
  return `${formatDay(date)}, ${date.toISOString().slice(11, 16)} UTC`
}
