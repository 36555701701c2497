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
  treasury: [treasury, giver],
  pools: new Map([[pool, 'education']]),
  taxSenders: [token],
  dreamWallets: [dreamer],
}
const wallet = fc.constantFrom(treasury, giver, pool, token, dreamer, stranger)

test.each([
  ['the treasury to a pool', treasury, pool, 'donation out education'],
  ['the donation wallet to a pool', giver, pool, 'donation out education'],
  ['the tax', token, treasury, 'tax in'],
  ['a dream', giver, dreamer, 'dream out'],
  ['a gift', stranger, treasury, 'other in'],
  ['a cost', treasury, stranger, 'other out'],
  ['a pool gives back', pool, treasury, 'other in'],
  ['within the treasury', treasury, giver, 'other out, counted as nothing'],
  ['a pool pays somebody', pool, stranger, 'other out, counted as nothing'],
  ['somebody gives to a pool', stranger, pool, 'other in, counted as nothing'],
  ['between others', stranger, dreamer, 'nothing of ours'],
])('%s', (_, from, to, expected) => {
  const kind = classify({ from, to }, watch)
  const words = kind && [kind.type, kind.direction, kind.pool].filter(Boolean).join(' ')
  expect(kind ? `${words}${kind.counts ? '' : ', counted as nothing'}` : 'nothing of ours').toBe(expected)
})

test('what counts passes between the treasury and others, in the direction that it says', () =>
  holds(
    'classify',
    500,
    fc.property(wallet, wallet, (from, to) => {
      const kind = classify({ from, to }, watch)
      const [leaves, arrives] = [watch.treasury.includes(from), watch.treasury.includes(to)]
      expect(kind?.counts ?? false).toBe(leaves !== arrives)
      if (kind?.counts) expect(kind.direction).toBe(leaves ? 'out' : 'in')
      // As the database demands it.
      if (kind?.type === 'tax') expect(kind.direction).toBe('in')
      if (kind?.type === 'donation' || kind?.type === 'dream') expect(kind.direction).toBe('out')
      if (kind?.pool) expect(kind.type).toBe('donation')
    }),
  ))

test('a value is the exact product, to the nearest cent', () =>
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
          expect(amount * units * 100n).toBeGreaterThan((10n ** 20n - 1n) * scale)
          return
        }
        const cents = BigInt(amount_usd.replace('.', ''))
        const difference = amount * units * 100n - cents * scale
        expect(difference * 2n <= scale && difference * 2n > -scale - 1n).toBe(true)
        if (cents < 9n * 10n ** 15n) expect(toCents(amount_usd)).toBe(Number(cents))
      },
    ),
  ))

test('without a rate there is no value, and none is invented', () => {
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

test('transfers are told apart from other logs, and keep their place wherever the block puts them', () =>
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

test('what only looks like a transfer is none', () => {
  const good = transferLog(stranger, treasury, 5n)
  const like = (changes: Partial<Log>) => ({ ...block, address: token, logIndex: 0, ...good, ...changes })
  const [topic = '', from = '', to = ''] = good.topics
  for (const changes of [
    { topics: [topic, from, to, to], data: '0x' }, // a token of which each is one of a kind
    { topics: [topic], data: `${good.data}${from.slice(2)}${to.slice(2)}` },
    { data: '0x' },
    { topics: [] },
  ])
    expect(transfersOf({ transactionHash: block.transactionHash, logs: [like(changes)] })).toEqual([])
})
