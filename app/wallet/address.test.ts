import { expect, test } from 'vitest'
import { groupsOfFour, walletFault } from './address.ts'

// The test vectors of EIP-55.
const checksummed = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

test.each(checksummed)('the address %s and its lower-case form are accepted', (address) => {
  expect(walletFault(address)).toBeNull()
  expect(walletFault(address.toLowerCase())).toBeNull()
})

test('a typo in the checksum or the digits is detected', () => {
  expect(walletFault(`0x${'g'.repeat(40)}`)).toMatch(/typo/)
  expect(walletFault('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD')).toMatch(/typo/)
  expect(walletFault('0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED')).toMatch(/typo/)
})

test.each(['0x', '0x123', '52908400098527886E0F7030069857D2E4169EE7', `0x${'a'.repeat(41)}`])(
  '%s is not an address',
  (address) => {
    expect(walletFault(address)).toMatch(/42 characters/)
  },
)

test('splits a wallet address into groups of four without losing a character', () => {
  const address = '0x55d398326f99059fF775485246999027B3197955'
  expect(groupsOfFour(address)).toHaveLength(10)
  expect(`0x${groupsOfFour(address).join('')}`).toBe(address)
})
