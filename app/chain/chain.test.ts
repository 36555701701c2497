import * as fc from 'fast-check'
import { encodeAbiParameters, encodeEventTopics, erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import { holds } from '../../tests/support/cases.ts'
import { toCents } from '../money.ts'
import { classify } from './classification.ts'
import { transfersOf } from './transfers.ts'
import { valueAt } from './valuation.ts'

const [treasury, giver, pool, token, dreamer, stranger] = ['1', '2', '3', '4', '5', '6'].map(
  (digit) => `0x${digit.repeat(40)}`,
) as [string, string, string, string, string, string]
const watch = {
  accounts: new Map([
    [treasury, 'treasury'],
    [giver, 'donation-wallet'],
    [pool, 'education'],
  ]),
  taxSenders: [token],
  dreamWallets: [dreamer],
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
  ['between others', stranger, dreamer, 'not ours'],
  ['from a wallet to itself', pool, pool, 'not ours'],
])('classifies a transfer %s', (_, from, to, expected) => {
  const found = classify({ from, to }, watch)
  if (!found) return expect('not ours').toBe(expected)
  const accounts = [found.account, found.counter_account].filter(Boolean).join(' > ')
  const words = `${accounts}, ${found.type} ${found.direction}`
  expect(found.pool_slug ? `${words}, pool ${found.pool_slug}` : words).toBe(expected)
})

test('classifies each transfer of our wallets by the rules of the database, the sending wallet first', () =>
  holds(
    'classify',
    500,
    fc.property(wallet, wallet, (from, to) => {
      const found = classify({ from, to }, watch)
      const [sender, recipient] = [watch.accounts.get(from), watch.accounts.get(to)]
      expect(found !== null).toBe(sender !== recipient)
      if (!found) return
      expect(found.account).toBe(sender ?? recipient)
      expect(found.counter_account).toBe(sender && recipient ? recipient : null)
      expect(found.direction).toBe(sender ? 'out' : 'in')
      expect(found.type === 'move' || found.type === 'donation').toBe(found.counter_account !== null)
      expect(found.pool_slug === 'education').toBe([sender, recipient].includes('education'))
    }),
  ))

test('values an amount exactly, rounded to the nearest cent', () =>
  holds(
    'valueAt',
    2_000,
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 26n }),
      fc.integer({ min: 0, max: 18 }),
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      fc.integer({ min: 0, max: 18 }),
      (amount, decimals, units, places) => {
        const { amount_usd } = valueAt(amount, decimals, { units, decimals: places, source: 'x' })
        const scale = 10n ** BigInt(decimals + places)
        if (amount_usd === null) {
          expect(amount * units * 100n).toBeGreaterThan((10n ** 12n - 1n) * scale)
          return
        }
        const cents = BigInt(amount_usd.replace('.', ''))
        const difference = amount * units * 100n - cents * scale
        expect(difference * 2n <= scale && difference * 2n > -scale - 1n).toBe(true)
        if (cents < 9n * 10n ** 15n) expect(toCents(amount_usd)).toBe(Number(cents))
      },
    ),
  ))

test('gives a row no value if there is no rate', () => {
  expect(valueAt(10n, 2, null)).toEqual({ amount_usd: null, rate_usd: null, rate_source: null })
})

interface Log {
  address: string
  topics: string[]
  data: string
  logIndex: number
  blockNumber: number
  blockHash: string
  transactionHash: string
}

const block = { blockNumber: 1, blockHash: `0x${'b'.repeat(64)}`, transactionHash: `0x${'a'.repeat(64)}` }
const otherEvent = { topics: [`0x${'9'.repeat(64)}`], data: '0x' }

function transferLog(from: string, to: string, value: bigint): Pick<Log, 'topics' | 'data'> {
  const args = { from: from as `0x${string}`, to: to as `0x${string}` }
  return {
    topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args }) as string[],
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  }
}

test('numbers the transfers of a transaction, whatever their log index and the other logs are', () =>
  holds(
    'transfersOf',
    300,
    fc.property(
      fc.array(
        fc.record({
          transfer: fc.option(
            fc.record({ from: wallet, to: wallet, amount: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }) }),
          ),
          seed: fc.nat(),
        }),
        { maxLength: 12 },
      ),
      fc.nat(1_000),
      (events, offset) => {
        const logs = events.map(({ transfer }, at) => ({
          ...block,
          address: token,
          logIndex: offset + at,
          ...(transfer ? transferLog(transfer.from, transfer.to, transfer.amount) : otherEvent),
        }))
        const shuffled = logs.toSorted(
          (a, b) => (events[a.logIndex - offset]?.seed ?? 0) - (events[b.logIndex - offset]?.seed ?? 0),
        )
        const expected = events
          .flatMap(({ transfer }) => transfer ?? [])
          .map((transfer, ordinal) => ({ ...transfer, token, txHash: block.transactionHash, ordinal }))
        expect(transfersOf({ transactionHash: block.transactionHash, logs: shuffled })).toEqual(expected)
      },
    ),
  ))

test('ignores logs that only resemble a transfer', () => {
  const good = transferLog(stranger, treasury, 5n)
  const like = (changes: Partial<Log>) => ({ ...block, address: token, logIndex: 0, ...good, ...changes })
  const [topic = '', from = '', to = ''] = good.topics
  for (const changes of [
    { topics: [topic, from, to, to], data: '0x' }, // ERC-721
    { topics: [topic], data: `${good.data}${from.slice(2)}${to.slice(2)}` },
    { data: '0x' },
    { topics: [] },
  ])
    expect(transfersOf({ transactionHash: block.transactionHash, logs: [like(changes)] })).toEqual([])
})
