import { expect, test } from 'vitest'
import { acceptedTokens, minutesUntilListed } from './accepted.ts'

test('accepts the configured tokens, with dollar tokens first; without a configuration, accepts only the native coin', () => {
  const coin = { symbol: 'BNB', address: null, decimals: 18 }
  expect(acceptedTokens({ CHAIN_TOKENS: [] })).toEqual([{ ...coin, priced: null }])
  const address = '0x55d398326f99059fF775485246999027B3197955'
  const usdt = { symbol: 'USDT', address, decimals: 18, value: 'usd' as const }
  expect(acceptedTokens({ CHAIN_TOKENS: [{ ...coin, value: { feed: address } }, usdt] })).toEqual([
    { symbol: 'USDT', address, decimals: 18, priced: 'usd' },
    { ...coin, priced: 'feed' },
  ])
})

test('the time until a gift is listed depends on the confirmations', () => {
  expect(minutesUntilListed({ CHAIN_CONFIRMATIONS: 1 })).toBe(3)
  expect(minutesUntilListed({ CHAIN_CONFIRMATIONS: 15 })).toBe(3)
  expect(minutesUntilListed({ CHAIN_CONFIRMATIONS: 200 })).toBe(12)
})
