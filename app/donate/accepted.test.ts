import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeQrPath } from '../../tests/support/qr.ts'
import { qrCodeOf } from '../routes/donate/qr-code.server.ts'
import { acceptedTokens, coinLink, groupsOfFour, minutesUntilListed } from './accepted.ts'

const address = '0x55d398326f99059fF775485246999027B3197955'

test('the QR code of a wallet address decodes to that address and nothing else', () => {
  const addresses = fc
    .array(fc.constantFrom(...'0123456789abcdefABCDEF'), { minLength: 40, maxLength: 40 })
    .map((digits) => `0x${digits.join('')}`)
  fc.assert(
    fc.property(addresses, (value) => {
      const { path, size } = qrCodeOf(value)
      return decodeQrPath(path, size) === value
    }),
    { numRuns: 40, seed: 20261121 },
  )
})

test('a wallet address in groups of four is the whole address', () => {
  expect(groupsOfFour(address)).toHaveLength(10)
  expect(`0x${groupsOfFour(address).join('')}`).toBe(address)
})

test('the payment link names the wallet and the chain', () => {
  expect(coinLink(address, 56)).toBe(`ethereum:${address}@56`)
})

test('accepts the followed tokens, or the coin alone', () => {
  expect(acceptedTokens({ CHAIN_TOKENS: [] })).toEqual([{ symbol: 'BNB', address: null, decimals: 18 }])
  const usdt = { symbol: 'USDT', address, decimals: 18, value: 'usd' as const }
  expect(acceptedTokens({ CHAIN_TOKENS: [usdt] })).toEqual([{ symbol: 'USDT', address, decimals: 18 }])
})

test('the time until a gift is listed follows from the confirmations', () => {
  expect(minutesUntilListed({ CHAIN_CONFIRMATIONS: 1 })).toBe(3)
  expect(minutesUntilListed({ CHAIN_CONFIRMATIONS: 15 })).toBe(3)
  expect(minutesUntilListed({ CHAIN_CONFIRMATIONS: 200 })).toBe(12)
})
