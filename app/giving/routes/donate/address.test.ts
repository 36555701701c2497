import { expect, test } from 'vitest'
import { coinLink } from './address.ts'

const address = '0x55d398326f99059fF775485246999027B3197955'

test('the payment link contains the wallet, the blockchain and the amount', () => {
  expect(coinLink(address, 56, 5n * 10n ** 16n)).toBe(`ethereum:${address}@56?value=50000000000000000`)
})
