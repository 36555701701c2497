import { expect, test } from 'vitest'
import type { AcceptedToken } from '~/ledger/accepted'
import { readChoice } from './choice.ts'

const tokens: AcceptedToken[] = [
  { symbol: 'USDT', address: '0x1', decimals: 18, priced: 'usd' },
  { symbol: 'BNB', address: null, decimals: 18, priced: 'feed' },
]
const accounts = [
  { slug: 'treasury', address: '0x2' },
  { slug: 'education', address: '0x3' },
  { slug: 'animal-welfare', address: undefined },
]
const canonicalOf = (query: string, all = accounts) =>
  readChoice(new URLSearchParams(query), all, tokens).canonical

test.each([
  '',
  '?to=education',
  '?to=education&token=BNB',
  '?to=treasury&token=USDT&amount=20',
  '?to=education&token=BNB&amount=50&fault=amount',
])('keeps the valid choice /donate%s', (query) => {
  expect(canonicalOf(query)).toBe(`/donate${query}`)
})

test.each([
  ['?to=education&amount=20', '?to=education&token=USDT&amount=20'],
  ['?to=thief&token=BNB&amount=20', '?fault=cause'],
  ['?to=animal-welfare', '?fault=closed'],
  ['?to=education&token=LUNA&amount=20', '?to=education&token=USDT&fault=token'],
  ['?to=education&token=BNB&amount=20%20dollars', '?to=education&token=BNB&amount=20&fault=amount'],
  ['?to=education&token=USDT&amount=-5', '?to=education&token=USDT&amount=10&fault=amount'],
  ['?to=education&token=USDT&amount=0', '?to=education&token=USDT&amount=10&fault=amount'],
  [`?to=education&token=USDT&amount=1${'0'.repeat(30)}`, '?to=education&token=USDT&amount=50&fault=amount'],
  ['?to=education&token=USDT&amount=1,000', '?to=education&token=USDT&amount=50&fault=amount'],
  ['?to=education&token=USDT&amount=free', '?to=education&token=USDT&fault=amount'],
  ['?to=education&fault=You+have+won', '?to=education'],
  ['?amount=20&fault=closed', '?fault=closed'],
  ['?amount=20&fault=amount', ''],
  ['?to=education&to=thief&note=Send+it', '?to=education'],
])('redirects /donate%s to /donate%s', (query, canonical) => {
  expect(canonicalOf(query)).toBe(`/donate${canonical}`)
  expect(canonicalOf(canonical)).toBe(`/donate${canonical}`)
})

test('offers no choice without wallets, and never chooses a cause for the giver', () => {
  expect(canonicalOf('?to=education&token=BNB', [])).toBe('/donate')
  expect(canonicalOf('?to=thief', accounts.slice(1))).toBe('/donate?fault=cause')
})
