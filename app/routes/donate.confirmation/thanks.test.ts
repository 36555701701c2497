import { expect, test } from 'vitest'
import { createEnglish } from '~/locales/language'
import { thanksFor } from './thanks.ts'

const gift = {
  status: 'pending' as const,
  type: 'gift',
  direction: 'in' as const,
  tokens: { amount: 20n * 10n ** 18n, symbol: 'USDT', decimals: 18 },
  amountUsd: null,
  toAccount: 'education',
}

test.each([
  [[], 'Thank you. Your payment is on its way.'],
  [[gift], 'Thank you. Your 20 USDT is on its way to Education.'],
  [[{ ...gift, status: 'verified' as const }], 'Thank you. Your 20 USDT has arrived at Education.'],
  [
    [{ ...gift, toAccount: 'treasury', status: 'verified' as const }],
    'Thank you. Your 20 USDT has arrived at the treasury.',
  ],
  [[gift, gift], 'Thank you. Your gifts are on their way.'],
  [[{ ...gift, status: 'reorganised' as const }], "This payment doesn't match the blockchain"],
  [[{ ...gift, type: 'tax' }], 'This payment is not a gift'],
  [[{ ...gift, type: 'spending', direction: 'out' as const }], 'This is a payment by us, not a gift'],
])('the heading that thanks the giver states only what the ledger states: case %#', (transfers, heading) => {
  expect(thanksFor(transfers, createEnglish()).join(' ').trim()).toBe(heading)
})
