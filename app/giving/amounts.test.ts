import { expect, test } from 'vitest'
import { nearestPreset, unitsWorth } from './amounts.ts'

test.each([
  [20, '612.34', 18, 32_660_000_000_000_000n],
  [10, '1', 18, 10n * 10n ** 18n],
  [50, '0.000123', 9, 406_500n * 10n ** 9n],
  [10, '999999999999.5', 6, 0n],
  [10, '1000', 2, 1n],
])('$%d at a rate of %s with %d decimals is %d base units', (dollars, rate, decimals, units) => {
  expect(unitsWorth(dollars, rate, decimals)).toBe(units)
})

test.each([
  ['20 dollars', 20],
  ['0', 10],
  ['-50', 10],
  ['1,000', 50],
  ['36', 50],
  ['1000000000000000000000000000000', 50],
  ['<b>free</b>', null],
  ['', null],
])('the amount nearest to %j is %s', (text, preset) => {
  expect(nearestPreset(text)).toBe(preset)
})
