import { expect, test } from 'vitest'
import { formatDay, formatInstant, formatMonth, formatMonthDay } from './time.ts'

/** British English in UTC, as `Intl` writes it. */
function byIntl(date: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(date)
}

// More than four years in steps of about two days and two hours: each month and a leap day.
const dates = Array.from(
  { length: 731 },
  (_, i) => new Date(Date.UTC(2023, 0, 1) + i * 2 * 86_400_000 + i * 7_153_000),
)

test('dates and times are in British English format', () => {
  for (const date of dates) {
    const day = byIntl(date, { day: 'numeric', month: 'short', year: 'numeric' })
    expect(formatDay(date)).toBe(day)
    expect(formatMonthDay(date)).toBe(byIntl(date, { day: 'numeric', month: 'short' }))
    expect(formatMonth(date)).toBe(byIntl(date, { month: 'short', year: 'numeric' }))
    expect(formatInstant(date)).toBe(`${day}, ${byIntl(date, { hour: '2-digit', minute: '2-digit' })} UTC`)
  }
})
