import fc from 'fast-check'
import {
  decodeEventLog,
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  type Hex,
  toEventSelector,
} from 'viem'
import { expect, test } from 'vitest'
import vectors from '../../public/ledger/log-vectors.json' with { type: 'json' }
import { holds } from '../../tests/support/cases.ts'
import { differencesOf, nativeTransferOf, transfersOf, transferTopic, wrapsOf } from './token-transfers.ts'

const lower = (value: object) =>
  JSON.parse(JSON.stringify(value), (_, member) =>
    typeof member === 'string' ? member.toLowerCase() : member,
  )

test.each(vectors.transfer_cases)(
  'finds the transfer that a row states, or no transfer: $what',
  ({ row, transaction, contains }) => {
    const { status, from, to, value, logs } = lower(transaction)
    const events = logs.map((log: { logIndex: string }) => ({ ...log, logIndex: Number(log.logIndex) }))
    const moved =
      row.ordinal < 0
        ? nativeTransferOf({ hash: '0x', from, to, value: BigInt(value) })
        : transfersOf({ transactionHash: '0x', logs: events })[row.ordinal]
    const isSame =
      status === '0x1' &&
      moved &&
      differencesOf({ ...row, token_amount: BigInt(row.token_amount) }, moved).length === 0
    expect(Boolean(isSame)).toBe(contains)
  },
)

const digits = (length: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
    .map((all) => `0x${all.join('')}`)
const word = digits(64)
const eventLog = fc.record({
  address: digits(40),
  topics: fc.oneof(
    fc.tuple(fc.constant(transferTopic), word, word),
    fc.tuple(fc.constantFrom(transferTopic, `0x${'1'.repeat(64)}`), word, word, word),
    fc.array(word, { maxLength: 4 }),
  ),
  data: fc.oneof(word, digits(128), fc.constant('0x')),
})

test('decodes event logs with the same result as viem', () => {
  fc.assert(
    fc.property(eventLog, (log) => {
      const [found] = transfersOf({ transactionHash: '0x', logs: [{ ...log, logIndex: 0 }] })
      const isTransfer = log.topics[0] === transferTopic && log.topics.length === 3 && log.data.length === 66
      if (!isTransfer) {
        expect(found).toBeUndefined()
        return
      }
      const { args } = decodeEventLog({
        abi: erc20Abi,
        eventName: 'Transfer',
        data: log.data as Hex,
        topics: log.topics as [Hex, ...Hex[]],
      })
      expect(found).toMatchObject({
        token: log.address,
        from: args.from.toLowerCase(),
        to: args.to.toLowerCase(),
        amount: args.value,
      })
    }),
    { numRuns: 500 },
  )
})

const [treasury, giver, pool, token, dreamer, stranger] = ['1', '2', '3', '4', '5', '6'].map(
  (digit) => `0x${digit.repeat(40)}`,
) as [string, string, string, string, string, string]
const wallet = fc.constantFrom(treasury, giver, pool, token, dreamer, stranger)

interface Log {
  address: string
  topics: string[]
  data: string
  logIndex: number
  transactionIndex: number
  blockNumber: number
  blockHash: string
  transactionHash: string
}

const block = {
  transactionIndex: 0,
  blockNumber: 1,
  blockHash: `0x${'b'.repeat(64)}`,
  transactionHash: `0x${'a'.repeat(64)}`,
}
const otherEvent = { topics: [`0x${'9'.repeat(64)}`], data: '0x' }

function transferLog(from: string, to: string, value: bigint): Pick<Log, 'topics' | 'data'> {
  const args = { from: from as `0x${string}`, to: to as `0x${string}` }
  return {
    topics: encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args }) as string[],
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  }
}

test('numbers the transfers of a transaction regardless of the log indexes and of other event logs', () =>
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

test('ignores event logs that only resemble a transfer', () => {
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

const wrapped = `0x${'b'.repeat(40)}`
const owner = `0x${'a'.repeat(40)}`
const none = `0x${'0'.repeat(40)}`
const padded = (of: string | bigint) =>
  `0x${(typeof of === 'string' ? of.slice(2) : of.toString(16)).padStart(64, '0')}`
const eventOf = (name: string, parties: string[], amount: bigint, logIndex: number) => ({
  address: wrapped,
  topics: [toEventSelector(name), ...parties.map(padded)],
  data: padded(amount),
  logIndex,
})
const deposited = (amount: bigint, at = 0) => eventOf('Deposit(address,uint256)', [owner], amount, at)
const withdrawn = (amount: bigint, at = 0) => eventOf('Withdrawal(address,uint256)', [owner], amount, at)
const moved = (from: string, to: string, amount: bigint, at: number) =>
  eventOf('Transfer(address,address,uint256)', [from, to], amount, at)

test.each([
  // https://github.com/safe-global/safe-transaction-service/issues/197: members missed their new WETH.
  ['coins that are wrapped', [deposited(5n)], [[wrapped, owner, 5n]]],
  // https://github.com/matter-labs/block-explorer/issues/415
  ['tokens that become coins', [withdrawn(5n)], [[owner, wrapped, 5n]]],
  // https://github.com/rotki/rotki/pull/4974, https://github.com/cowprotocol/solver-rewards/issues/246
  [
    'two deposits and a withdrawal',
    [deposited(5n, 1), deposited(5n, 2), withdrawn(3n, 3)],
    [
      [wrapped, owner, 5n],
      [wrapped, owner, 5n],
      [owner, wrapped, 3n],
    ],
  ],
  // Later versions emit a transfer too: https://github.com/pinax-network/substreams-evm-tokens/issues/84
  ['a deposit with a transfer from no address', [moved(none, owner, 5n, 0), deposited(5n, 1)], []],
  ['a withdrawal with a transfer to no address', [moved(owner, none, 5n, 0), withdrawn(5n, 1)], []],
  [
    'a deposit beside a transfer of another',
    [moved(`0x${'c'.repeat(40)}`, owner, 5n, 0), deposited(5n, 1)],
    [[wrapped, owner, 5n]],
  ],
  // https://github.com/0xProject/ZEIPs/issues/14: the first version had no events.
  ['an old token without events', [], []],
])('counts %s once', (_, logs, expected) => {
  const found = wrapsOf({ transactionHash: '0x', logs }).map(({ from, to, amount }) => [from, to, amount])
  expect(found).toEqual(expected)
})
