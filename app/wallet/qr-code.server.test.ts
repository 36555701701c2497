import fc from 'fast-check'
import { test } from 'vitest'
import { decodeQrPath } from '../../tests/support/qr.ts'
import { qrCodeOf } from './qr-code.server.ts'

test('the QR code of a wallet address contains the address and nothing else', () => {
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
