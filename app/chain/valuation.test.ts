import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { holds } from '../../tests/support/cases.ts'
import { toCents } from '../money.ts'
import { valueAt } from './valuation.ts'

test('values an amount exactly, rounded to the nearest cent', () =>
  holds(
    'valueAt',
    2_000,
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 26n }),
      fc.integer({ min: 0, max: 18 }),
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      fc.integer({ min: 0, max: 18 }),
      (amount, decimals, units, places) => {
        const { amount_usd } = valueAt(amount, decimals, { units, decimals: places, source: 'x' })
        const scale = 10n ** BigInt(decimals + places)
        if (amount_usd === null) {
          expect(amount * units * 100n).toBeGreaterThan((10n ** 12n - 1n) * scale)
          return
        }
        const cents = BigInt(amount_usd.replace('.', ''))
        const difference = amount * units * 100n - cents * scale
        expect(difference * 2n <= scale && difference * 2n > -scale - 1n).toBe(true)
        if (cents < 9n * 10n ** 15n) expect(toCents(amount_usd)).toBe(Number(cents))
      },
    ),
  ))

test('gives a row no value if there is no rate', () => {
  expect(valueAt(10n, 2, null)).toEqual({ amount_usd: null, rate_usd: null, rate_source: null })
})
