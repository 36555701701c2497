import { expect, test } from 'vitest'
import { shortHash } from './short-hash.ts'

// Addresses that were made to look like others show the first and the last four or six digits of these:
// https://github.com/shapeshift/web/issues/10165, https://github.com/brave/brave-browser/issues/47417,
// https://github.com/tahowallet/extension/issues/3769, https://github.com/coinspect/wallet-security-framework/pull/10
test.each([4, 5, 6])(
  'two addresses that agree in their first and last %d digits look different',
  (digits) => {
    const alike = (middle: string) =>
      `0x${'1234567'.slice(0, digits)}${middle.repeat(40 - 2 * digits)}${'abcdef0'.slice(-digits)}`
    expect(shortHash(alike('a'))).not.toBe(shortHash(alike('b')))
  },
)

test('a short form begins with 0x and keeps eight digits at each end', () => {
  expect(shortHash(`0x12345678${'0'.repeat(24)}9abcdef0`)).toBe('0x12345678…9abcdef0')
})
