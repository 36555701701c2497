import { expect, test } from 'vitest'
import { createEnglish } from '~/platform/locales/language'
import { headingOf, type PaymentState, stateOf, stateWords } from './payment-state.ts'

const english = createEnglish()
const gift = {
  status: 'pending' as const,
  type: 'gift',
  direction: 'in' as const,
  tokens: { amount: 20n * 10n ** 18n, symbol: 'USDT', decimals: 18 },
  amountUsd: null,
  toAccount: 'education',
}
type Transfer = Parameters<typeof headingOf>[1][number]

const headingFor = (transfers: Transfer[] | null, neverOpen = false) =>
  headingOf(stateOf(transfers, neverOpen), transfers ?? [], english)
    .join(' ')
    .trim()

test.each([
  [[], "We haven't seen this payment"],
  [null, "We can't look this payment up now"],
  [[gift], 'Thank you. Your 20 USDT is on its way to Education.'],
  [[{ ...gift, status: 'verified' as const }], 'Thank you. Your 20 USDT has arrived at Education.'],
  [
    [{ ...gift, toAccount: 'treasury', status: 'verified' as const }],
    'Thank you. Your 20 USDT has arrived at the treasury.',
  ],
  [[gift, gift], 'Thank you. Your gifts are on their way.'],
  [[{ ...gift, status: 'reorganised' as const }], "This payment doesn't match the blockchain"],
  [
    [{ ...gift, type: 'spending', direction: 'out' as const, status: 'mismatch' as const }],
    "This payment doesn't match the blockchain",
  ],
  [[{ ...gift, type: 'tax' }], 'This payment is not a gift'],
  [[{ ...gift, type: 'spending', direction: 'out' as const }], 'This is a payment by us, not a gift'],
])('the heading states only what the ledger states: case %#', (transfers, heading) => {
  expect(headingFor(transfers)).toBe(heading)
})

/** Every payment of up to two transfers, of each status, type and direction. */
function* everyPayment(): Generator<Transfer[] | null> {
  yield null
  yield []
  const each: Transfer[] = []
  for (const status of ['pending', 'verified', 'mismatch', 'reorganised', 'unreachable'] as const)
    for (const type of ['gift', 'goal-gift', 'tax', 'donation', 'move', 'spending', 'dream', 'other'])
      for (const direction of ['in', 'out'] as const) each.push({ ...gift, status, type, direction })
  for (const first of each) {
    yield [first]
    for (const second of each) yield [first, second]
  }
}

test('the page thanks, and is titled a confirmation, only for a gift that the ledger has and that is not disputed', () => {
  const seen = new Set<PaymentState>()
  for (const neverOpen of [false, true])
    for (const payment of everyPayment()) {
      const state = stateOf(payment, neverOpen)
      seen.add(state)
      const transfers = payment ?? []
      const mayThank =
        transfers.some(({ type }) => type === 'gift' || type === 'goal-gift') &&
        transfers.every(({ status }) => status !== 'mismatch' && status !== 'reorganised')
      const heading = state === 'never open' ? '' : headingFor(payment, neverOpen)
      const title = english.i18n._(stateWords[state].title)
      expect([state, /Thank you/.test(heading)]).toEqual([state, mayThank])
      expect([state, title === 'Payment confirmation']).toEqual([state, mayThank])
      expect([state, /arrived/.test(heading)]).toEqual([state, state === 'final'])
      const announcement = stateWords[state].announcement
      expect(/Your payment/.test(announcement ? english.i18n._(announcement) : '')).toBe(mayThank)
    }
  expect([...seen].toSorted()).toEqual(Object.keys(stateWords).toSorted())
})
