import { expect, test } from 'vitest'
import { centsAt, formatDollars, formatRoundDollars, toCents } from './money.ts'
import { moneyColumn, timestampColumn } from './server/columns.server.ts'

test.each([
  ['0', 0],
  [0, 0],
  ['0.00', 0],
  ['-0.00', 0],
  [1234.5, 123450],
  ['1234.50', 123450],
  ['1234.5000', 123450],
  [0.1, 10],
  ['-12.34', -1234],
  ['90071992547409.91', 9007199254740991],
])('%o is read as %i cents', (value, cents) => {
  expect(toCents(value)).toBe(cents)
  expect(moneyColumn.parse(value)).toBe(cents)
})

test.each(['', 'abc', '1.005', '1e3', Number.NaN, Number.POSITIVE_INFINITY, '1,000', '999999999999999999'])(
  '%o is refused as an amount',
  (value) => {
    expect(() => toCents(value)).toThrow()
    expect(moneyColumn.safeParse(value).success).toBe(false)
  },
)

test.each([
  [2_424_085, '$24,241'],
  [49, '$0.49'],
  [-2_424_049, '−$24,240'],
])('%i cents are rounded to %s', (cents, text) => {
  expect(formatRoundDollars(cents)).toBe(text)
})

test.each([
  [0, '$0'],
  [850000, '$8,500'],
  [123450, '$1,234.50'],
  [5, '$0.05'],
  [-123456, '−$1,234.56'],
  [9007199254740991, '$90,071,992,547,409.91'],
])('%i cents are shown as %s', (cents, text) => {
  expect(formatDollars(cents)).toBe(text)
})

test.each([
  '2026-11-20 22:59:56.819+00',
  '2026-11-20T22:59:56.819+00:00',
  '2026-11-20T22:59:56.819Z',
  '2026-11-20 23:59:56.819+01',
  '2026-11-20T17:29:56.819-05:30',
])('each format of a time is read as the same time: %s', (text) => {
  expect(timestampColumn.parse(text).toISOString()).toBe('2026-11-20T22:59:56.819Z')
})

test('an invalid time is refused', () => {
  for (const text of ['', 'yesterday', '2026-13-45 00:00:00+00'])
    expect(timestampColumn.safeParse(text).success).toBe(false)
})

test('the value of a token amount is computed exactly and rounded half up to the cent', () => {
  const price = { units: 4n, decimals: 4 }
  expect(centsAt(250_000n * 10n ** 18n, 18, price)).toBe(10_000n)
  expect(centsAt(12_500n, 3, price)).toBe(1n)
  expect(centsAt(12_499n, 3, price)).toBe(0n)
})
