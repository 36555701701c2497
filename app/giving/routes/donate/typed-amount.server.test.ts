import { expect, test } from 'vitest'
import { createEnglish, createLanguage, loadLanguage } from '~/platform/locales/language'
import { allLocales } from '~/platform/locales/locales'
import { readTypedAmount } from './typed-amount.server.ts'

const usdt = { symbol: 'USDT', address: '0x1', decimals: 18, priced: 'usd' } as const

test.each([
  ['35', 35n * 10n ** 18n],
  [' 0,5 ', 5n * 10n ** 17n],
  ['1000000', 10n ** 24n],
  ['$20', 20n * 10n ** 18n],
  ['20 USDT', 20n * 10n ** 18n],
  ['٢٠٫٥', 205n * 10n ** 17n],
  ['1.234,50', 12345n * 10n ** 17n],
])('accepts the amount %j', (typed, units) => {
  expect(readTypedAmount(typed, usdt, createEnglish())).toBe(units)
})

test.each([
  ['', 'Enter a number of USDT, for example 35.'],
  ['0', 'Enter a number of USDT, for example 35.'],
  ['-5', 'Enter a number of USDT, for example 35.'],
  ['20 dollars', 'Enter a number of USDT, for example 35.'],
  [`1${'0'.repeat(30)}`, 'Enter at most 1,000,000 USDT.'],
  ['1000000.5', 'Enter at most 1,000,000 USDT.'],
  ['1,000', 'Do you mean 1000 or 1? Write one of them.'],
  ['1.250', 'Do you mean 1250 or 1.25? Write one of them.'],
  ['$١,٢٥٠', 'Do you mean 1250 or 1.25? Write one of them.'],
  ['12,345', 'Do you mean 12345 or 12.3450? Write one of them.'],
])('refuses the amount %j', (typed, sentence) => {
  expect(readTypedAmount(typed, usdt, createEnglish())).toBe(sentence)
})

test('names the two meanings with the decimal point of the language', async () => {
  const tr = allLocales.get('tr')
  if (!tr) throw new Error('no Turkish')
  await loadLanguage(tr)
  const turkish = createLanguage('tr')
  expect(readTypedAmount('1,234', usdt, turkish)).toBe('1234 mi, 1,2340 mi demek istediniz? Birini yazın.')
  expect(readTypedAmount('1,2340', usdt, turkish)).toBe(1_234n * 10n ** 15n)
})

test('accepts the two unambiguous forms that can replace an ambiguous amount', () => {
  expect(readTypedAmount('12.3450', usdt, createEnglish())).toBe(12_345n * 10n ** 15n)
  expect(readTypedAmount('12345', usdt, createEnglish())).toBe(12_345n * 10n ** 18n)
})
