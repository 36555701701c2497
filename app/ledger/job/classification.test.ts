import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { holds } from '../../../tests/support/cases.ts'
import { classify } from './classification.ts'

const [treasury, giver, pool, token, dreamer, stranger, goal] = ['1', '2', '3', '4', '5', '6', '7'].map(
  (digit) => `0x${digit.repeat(40)}`,
) as [string, string, string, string, string, string, string]
const watch = {
  accounts: new Map([
    [treasury, 'treasury'],
    [giver, 'donation-wallet'],
    [pool, 'education'],
  ]),
  taxSenders: [token],
  dreamWallets: [dreamer],
  goals: new Map([[goal, 'goal-kfxqzmwp']]),
}
const wallet = fc.constantFrom(treasury, giver, pool, token, dreamer, stranger)

test.each([
  ['from the treasury to a pool', treasury, pool, 'treasury > education, donation out, pool education'],
  [
    'from the donation wallet to a pool',
    giver,
    pool,
    'donation-wallet > education, donation out, pool education',
  ],
  ['from the tax sender', token, treasury, 'treasury, tax in'],
  ['from the tax sender to a pool', token, pool, 'education, tax in, pool education'],
  ['to a dream wallet', giver, dreamer, 'donation-wallet, dream out'],
  ['from a giver to the treasury', stranger, treasury, 'treasury, gift in'],
  ['from a giver to a pool', stranger, pool, 'education, gift in, pool education'],
  ['to an unknown wallet', treasury, stranger, 'treasury, other out'],
  ['from a pool back to the treasury', pool, treasury, 'education > treasury, move out, pool education'],
  ['between the treasury and the donation wallet', treasury, giver, 'treasury > donation-wallet, move out'],
  ['from a pool', pool, stranger, 'education, spending out, pool education'],
  ['from a pool to a dream wallet', pool, dreamer, 'education, spending out, pool education'],
  ['to a goal', stranger, goal, 'goal-kfxqzmwp, goal-gift in, pool goal-kfxqzmwp'],
  ['from the treasury to a goal', treasury, goal, 'treasury, dream out'],
  ['from a pool to a goal', pool, goal, 'education, spending out, pool education'],
  ['from a goal to another wallet', goal, stranger, 'not ours'],
  ['from a goal to itself', goal, goal, 'not ours'],
  ['between others', stranger, dreamer, 'not ours'],
  ['from a wallet to itself', pool, pool, 'not ours'],
])('classifies a transfer %s', (_, from, to, expected) => {
  const classification = classify({ from, to }, watch)
  if (!classification) return expect('not ours').toBe(expected)
  const accounts = [classification.account, classification.counter_account].filter(Boolean).join(' > ')
  const words = `${accounts}, ${classification.type} ${classification.direction}`
  expect(classification.pool_slug ? `${words}, pool ${classification.pool_slug}` : words).toBe(expected)
})

test('each transfer from or to our wallets has a classification that the database allows, with the direction seen from the sending wallet', () =>
  holds(
    'classify',
    500,
    fc.property(wallet, wallet, (from, to) => {
      const classification = classify({ from, to }, watch)
      const [sender, recipient] = [watch.accounts.get(from), watch.accounts.get(to)]
      expect(classification !== null).toBe(sender !== recipient)
      if (!classification) return
      expect(classification.account).toBe(sender ?? recipient)
      expect(classification.counter_account).toBe(sender && recipient ? recipient : null)
      expect(classification.direction).toBe(sender ? 'out' : 'in')
      expect(classification.type === 'move' || classification.type === 'donation').toBe(
        classification.counter_account !== null,
      )
      expect(classification.pool_slug === 'education').toBe([sender, recipient].includes('education'))
    }),
  ))
