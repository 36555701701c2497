import { expect, test } from 'vitest'
import { englishFormats } from '~/platform/locales/formats'
import { intlFormats } from '~/platform/locales/intl-formats'
import { localeOfTag } from '~/platform/locales/locales'
import { parseUnits } from '~/wallet/units'
import { acceptedTokens, exampleAmount, minutesUntilListed } from './accepted.ts'

test('accepts the configured tokens, with dollar tokens first; without a configuration, accepts only the native coin', () => {
  const coin = { symbol: 'BNB', address: null, decimals: 18 }
  expect(acceptedTokens({ CHAIN_TOKENS: [], CHAIN_ID: 56 })).toEqual([{ ...coin, priced: null }])
  const address = '0x55d398326f99059fF775485246999027B3197955'
  const usdt = { symbol: 'USDT', address, decimals: 18, value: 'usd' as const }
  expect(
    acceptedTokens({ CHAIN_TOKENS: [{ ...coin, value: { feed: address } }, usdt], CHAIN_ID: 56 }),
  ).toEqual([
    { symbol: 'USDT', address, decimals: 18, priced: 'usd' },
    { ...coin, priced: 'feed' },
  ])
})

test.each([
  ['en', '0.05'],
  ['zh-Hans', '0.05'],
  ['tr', '0,05'],
  ['es', '0,05'],
  ['ar', '0.05'],
])('the example amount has the decimal separator of %s, and is accepted', (tag, example) => {
  const formats = tag === 'en' ? englishFormats : intlFormats(localeOfTag(tag))
  expect(exampleAmount({ priced: null }, formats)).toBe(example)
  expect(parseUnits(example, 18)).toEqual({ units: 5n * 10n ** 16n })
})

test('the time until a gift is listed depends on the number of confirmations', () => {
  expect(minutesUntilListed({ CHAIN_CONFIRMATIONS: 1, CHAIN_ID: 56 })).toBe(3)
  expect(minutesUntilListed({ CHAIN_CONFIRMATIONS: 15, CHAIN_ID: 56 })).toBe(3)
  expect(minutesUntilListed({ CHAIN_CONFIRMATIONS: 200, CHAIN_ID: 56 })).toBe(12)
})
