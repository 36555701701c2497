import { expect, test } from 'vitest'
import { formatTokens } from './tokens.ts'

test.each([
  [{ amount: 1_234_500_000_000_000_000_000n, symbol: 'BNB', decimals: 18 }, '1,234.5 BNB'],
  [{ amount: 1n, symbol: 'BNB', decimals: 18 }, '0.000000000000000001 BNB'],
  [{ amount: 0n, symbol: 'BNB', decimals: 18 }, '0 BNB'],
  [{ amount: 1_234_000n, symbol: 'BNB', decimals: 18 }, '0.00000000000123 BNB'],
  [{ amount: 1_000_000_000_000_000_001n, symbol: 'BNB', decimals: 18 }, '1 BNB'],
  [{ amount: 1_999_999_999n, symbol: 'USDT', decimals: 9 }, '1.999999 USDT'],
  [{ amount: 42n, symbol: 'ONE', decimals: 0 }, '42 ONE'],
  [{ amount: 10n ** 40n, symbol: 'X', decimals: 18 }, '10,000,000,000,000,000,000,000 X'],
])('formats %o as %s', (tokens, text) => expect(formatTokens(tokens)).toBe(text))
