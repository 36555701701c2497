import { expect, test } from 'vitest'
import { englishFormats } from '../locales/formats'
import { amountWords } from './amount'

const tokens = (amount: bigint) => ({ amount, symbol: 'USDX', decimals: 18 })

test.each([
  [5000, 50n * 10n ** 18n, '$50.00'],
  [null, 50n * 10n ** 18n, '50 USDX'],
  // A gift of one base unit is not a gift of nothing.
  [0, 1n, '0.000000000000000001 USDX'],
  [0, 4n * 10n ** 15n, '0.004 USDX'],
  [1, 10n ** 16n, '$0.01'],
])('%s cents and %s base units are %s', (amountUsd, amount, words) => {
  expect(amountWords({ amountUsd, tokens: tokens(amount) }, englishFormats)).toBe(words)
})

test('without tokens, a value of zero stays a value', () => {
  expect(amountWords({ amountUsd: 0, tokens: null }, englishFormats)).toBe('$0.00')
})
