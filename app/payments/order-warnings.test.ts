import { expect, test } from 'vitest'
import { type Paid, warningsFor } from './order-warnings.ts'

const day = 24 * 3_600_000
const now = Date.UTC(2025, 10, 30)
const paid = (to: string, usd: number | null, days: number, account = 'education'): Paid => ({
  ...{ account, to, usd, at: new Date(now - days * day) },
})
const kindsOf = (order: { to?: string; usd?: number }, history: Paid[], ordered: Paid[] = []) =>
  warningsFor(
    { account: 'education', to: 'shop', usd: 60_000, ...order },
    { paid: history, ordered },
    now,
  ).map(({ kind }) => kind)

test('warns of a recipient that this wallet never paid, although another wallet did', () => {
  expect(kindsOf({}, [paid('shop', 60_100, 90)])).toEqual([])
  expect(kindsOf({}, [paid('shop', 60_100, 90, 'relief'), paid('bakery', 60_100, 90)])).toEqual(['first'])
})

test('warns from ten times the median of what the wallet paid to this recipient, or to all', () => {
  const usual = [
    paid('shop', 100, 90),
    paid('shop', 6_000, 80),
    paid('shop', 900_000, 70),
    paid('shop', null, 60),
  ]
  expect(kindsOf({ usd: 59_999 }, usual)).toEqual([])
  expect(kindsOf({ usd: 60_000 }, usual)).toEqual(['large'])
  expect(kindsOf({ to: 'new' }, usual)).toEqual(['first', 'large'])
})

test('warns of the same amount to the same recipient within 14 days, from any wallet', () => {
  const before = paid('shop', 60_000, 90)
  expect(kindsOf({}, [before, paid('shop', 60_000, 14)])).toEqual([])
  expect(kindsOf({}, [before, paid('shop', 60_000, 13, 'treasury')])).toEqual(['again'])
  expect(kindsOf({}, [before, paid('shop', 60_001, 13), paid('bakery', 60_000, 13)])).toEqual([])
  // An order that waits is no payment yet.
  expect(kindsOf({}, [before], [paid('shop', 60_000, 1)])).toEqual(['again'])
  expect(kindsOf({}, [], [paid('shop', 60_000, 1)])).toEqual(['first', 'again'])
})

test('warns of an open order of another amount to the same recipient', () => {
  const before = paid('shop', 60_000, 90)
  expect(kindsOf({}, [before], [paid('shop', 62_000, 30)])).toEqual(['open'])
  expect(kindsOf({}, [before], [paid('bakery', 62_000, 1), paid('shop', null, 1)])).toEqual([])
})

test('warns first of a payment that the recipient says did not arrive', () => {
  const order = { account: 'education', to: 'shop', usd: 60_000 }
  const paidBefore = [paid('shop', 60_000, 90)]
  expect(warningsFor(order, { paid: paidBefore, ordered: [], notArrived: 7 }, now)).toEqual([
    { kind: 'no', id: 7 },
  ])
})
