import { expect, test } from 'vitest'
import { englishFormats } from '../platform/locales/formats'
import { amountWords } from './amount'

const tokens = (amount: bigint) => ({ amount, symbol: 'USDX', decimals: 18 })

test.each([
  [5000, 50n * 10n ** 18n, '$50.00'],
  [null, 50n * 10n ** 18n, '50 USDX'],
  // https://github.com/velas/web-wallet/issues/30: 0.0000
  [0, 38n * 10n ** 9n, '0.000000038 USDX'],
  // https://github.com/luniehq/lunie/issues/2657
  [0, 10n ** 13n, '0.00001 USDX'],
  // https://github.com/gemwalletcom/wallet/pull/350
  [null, 5n * 10n ** 13n, '0.00005 USDX'],
  // https://github.com/Uniswap/interface/issues/137
  [0, 49n * 10n ** 14n, '0.0049 USDX'],
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
