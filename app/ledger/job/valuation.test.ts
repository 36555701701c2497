import * as fc from 'fast-check'
import { encodeAbiParameters, type Hex, parseAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { holds } from '../../../tests/support/cases.ts'
import { toCents } from '../../platform/money.ts'
import { readPrice, valueAt } from './valuation.ts'

test('the value of an amount is computed exactly and rounded to the nearest cent', () =>
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

test('without a rate, a row has no value', () => {
  expect(valueAt(10n, 2, null)).toEqual({ amount_usd: null, rate_usd: null, rate_source: null })
})

const now = 1_760_000_000
const roundOf = (answer: bigint, updatedAt = BigInt(now)) =>
  encodeAbiParameters(parseAbiParameters('uint80, int256, uint256, uint256, uint80'), [
    9n,
    answer,
    1n,
    updatedAt,
    9n,
  ])
const placesOf = (places: number) => encodeAbiParameters(parseAbiParameters('uint8'), [places])

test('reads the price from a price feed', () => {
  expect(readPrice(roundOf(61_234_000_000n), placesOf(8), now)).toEqual({
    units: 61_234_000_000n,
    decimals: 8,
    updatedAt: BigInt(now),
  })
})

test.for<[string, Hex, Hex]>([
  ['a negative answer', roundOf(-1n), placesOf(8)],
  ['an answer of zero', roundOf(0n), placesOf(8)],
  ['a price with more than 18 decimals', roundOf(1n), placesOf(19)],
  ['a price that is older than 26 hours', roundOf(1n, BigInt(now - 26 * 60 * 60 - 1)), placesOf(8)],
  ['an empty result', '0x', placesOf(8)],
  ['a result without its last word', roundOf(1n).slice(0, -2) as Hex, placesOf(8)],
  ['a price without its number of decimals', roundOf(1n), '0x'],
  ['a price with an enormous number of decimals', roundOf(1n), `0x${'f'.repeat(64)}`],
])('no price is read from %s', ([, round, places]) => {
  expect(readPrice(round, places, now)).toBeNull()
})
