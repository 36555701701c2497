import fc from 'fast-check'
import { formatUnits as formatByViem, parseUnits as parseByViem } from 'viem'
import { expect, test } from 'vitest'
import { formatUnits, parseUnits } from './units.ts'

test.each(['1,000', '1.000', '999.999', '12,345', '001.500', ' 1,000 '])(
  '%o is ambiguous and is refused',
  (text) => {
    expect(parseUnits(text, 18)).toEqual({ fault: 'ambiguous' })
  },
)

test.each([
  ['0.125', 125n * 10n ** 15n],
  ['0,125', 125n * 10n ** 15n],
  ['1000', 1000n * 10n ** 18n],
  ['1000.00', 1000n * 10n ** 18n],
  ['1000.125', 1000125n * 10n ** 15n],
  ['1.00', 10n ** 18n],
  ['1,0000', 10n ** 18n],
  ['1.5', 15n * 10n ** 17n],
  ['1,000,000', 10n ** 24n],
  ['1,000.00', 10n ** 21n],
  ['.5', 5n * 10n ** 17n],
  ['٣', 3n * 10n ** 18n],
])('%o is %d base units', (text, units) => {
  expect(parseUnits(text, 18)).toEqual({ units })
})

test.each(['', '0', '0.000', '-1', '1e3', '1,5,5', '5.'])('%o is not an amount', (text) => {
  expect(parseUnits(text, 18)).toEqual({ fault: 'invalid' })
})

test('refuses an amount with more decimals than its token has', () => {
  expect(parseUnits('1.1234567', 6)).toEqual({ fault: 'invalid' })
  expect(parseUnits('1', 0)).toEqual({ units: 1n })
  expect(parseUnits('1.5', 0)).toEqual({ fault: 'invalid' })
})

test('amounts are read and written with the same results as in viem', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 30n), fc.integer({ min: 0, max: 18 }), (units, decimals) => {
      const text = formatUnits(units, decimals)
      const ambiguous = /^[1-9]\d{0,2}\.\d{3}$/.test(text)
      return (
        text === formatByViem(units, decimals) &&
        parseByViem(text, decimals) === units &&
        (ambiguous || (parseUnits(text, decimals) as { units?: bigint }).units === units)
      )
    }),
    { numRuns: 500, seed: 20261121 },
  )
})
