import { expect, test } from 'vitest'
import { classifyTogether } from './joint-classification.ts'
import type { NewRow } from './new-row.ts'

/** A payment in dollars: 'education -600 USDX' left a pool for a stranger, 'treasury 2 BNB' came to the treasury. */
function rowOf(words: string): NewRow {
  const [account = '', amount = '', symbol = ''] = words.split(' ')
  const isIn = !amount.startsWith('-')
  const isPool = account === 'education'
  const units = amount.replace('-', '')
  const price = symbol === 'BNB' ? 600 : 1
  return {
    account,
    counter_account: null,
    direction: isIn ? 'in' : 'out',
    type: isIn ? 'gift' : isPool ? 'spending' : 'other',
    pool_slug: isPool ? account : null,
    token_symbol: symbol,
    token_decimals: 2,
    token_address: symbol,
    token_amount: String(Math.round(Number(units) * 100)),
    amount_usd: (Number(units) * price).toFixed(2),
    rate_usd: null,
    rate_source: symbol === 'BNB' ? 'Price feed' : 'Stablecoin, one to one',
  } as NewRow
}

test.each([
  // Of a payment for an exchange, a router returns a little: https://github.com/rotki/rotki/pull/11843
  [
    'an exchange whose router returned a part of the payment',
    ['education -1 BNB', 'education 0.01 BNB', 'education 590 USDX'],
    ['exchange 596.00', 'exchange 6.00', 'exchange 590.00'],
  ],
  // https://github.com/rotki/rotki/pull/5539
  [
    'a payment of which the most came back',
    ['education -1 BNB', 'education 0.9 BNB'],
    ['spending 600.00', 'returned 540.00'],
  ],
  // https://github.com/rotki/rotki/pull/13042
  [
    'an exchange for two tokens',
    ['education -600 USDX', 'education 0.5 BNB', 'education 300 USDY'],
    ['exchange 600.00', 'exchange 300.00', 'exchange 300.00'],
  ],
  // Two tokens that become a share in a pool: https://github.com/hodgerpodger/staketaxcsv/issues/29
  [
    'a deposit of two tokens for a third',
    ['treasury -300 USDX', 'treasury -0.5 BNB', 'treasury 610 LP'],
    ['exchange 305.00', 'exchange 305.00', 'exchange 610.00'],
  ],
  // Dust that someone sends along does not turn a payment into an exchange.
  [
    'a payment with dust',
    ['education -600 USDX', 'education 0.01 USDY'],
    ['spending 600.00', 'returned 0.01'],
  ],
  ['a gift with dust', ['education -0.01 USDY', 'education 600 USDX'], ['spending 0.01', 'gift 600.00']],
  ['two gifts', ['education 5 USDX', 'treasury 1 BNB'], ['gift 5.00', 'gift 600.00']],
])('classifies %s as a whole', (_, payments, expected) => {
  const rows = classifyTogether(payments.map(rowOf), undefined)
  const found = rows.map(({ type, amount_usd }) => `${type} ${amount_usd}`)
  expect(found.sort()).toEqual([...expected].sort())
})
