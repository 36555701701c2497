import { expect, test } from 'vitest'
import { coinLink, groupsOfFour } from './address.ts'

const address = '0x55d398326f99059fF775485246999027B3197955'

test('splits a wallet address into groups of four without losing a character', () => {
  expect(groupsOfFour(address)).toHaveLength(10)
  expect(`0x${groupsOfFour(address).join('')}`).toBe(address)
})

test('the payment link contains the wallet, the blockchain and the amount', () => {
  expect(coinLink(address, 56, 5n * 10n ** 16n)).toBe(`ethereum:${address}@56?value=50000000000000000`)
})
