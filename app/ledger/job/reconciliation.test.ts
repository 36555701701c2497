import { afterEach, expect, test, vi } from 'vitest'
import { Unreachable } from '../../chain/chain-errors.ts'
import type { Block, Chain, ChainLog } from '../../chain/rpc.ts'
import { reconcile } from './reconciliation.ts'
import type { Watch } from './watch.ts'

const wallet = `0x${'a'.repeat(40)}`
const tokens = ['1', '2'].map((digit) => ({
  ...{ symbol: `T${digit}`, address: `0x${digit.repeat(40)}`, decimals: 18 },
}))
const watch = {
  urls: ['a', 'b'],
  tokens,
  accounts: new Map([[wallet, 'treasury']]),
  goals: new Map(),
} as unknown as Watch
const block: Block = { number: 90, hash: `0x${'b'.repeat(64)}`, timestamp: 1_700_000_000 }
const hashes = Array.from({ length: 60 }, (_, at) => `0x${at.toString(16).padStart(64, '0')}`)

/** A chain on which the wallet has a balance of both tokens, and 60 transactions have transfers to it. */
function chainWith(receipt: Chain['receipt']): Chain {
  const logs = hashes.map((transactionHash) => ({ transactionHash }) as ChainLog)
  const call = async () => `0x${'5'.padStart(64, '0')}`
  return { id: 56, call, logs: async () => logs, receipt } as unknown as Chain
}

const compare = (chain: Chain) =>
  reconcile(
    chain,
    watch,
    block,
    [],
    () => 0n,
    async () => new Set(),
  )

afterEach(() => vi.useRealTimers())

test('if the search for missing transfers fails, the comparisons are kept', async () => {
  const { comparisons, faults } = await compare(
    chainWith(() => Promise.reject(new Unreachable('no result for eth_getTransactionReceipt'))),
  )
  expect(comparisons.map(({ token_symbol, chain_amount }) => [token_symbol, chain_amount])).toEqual([
    ['T1', '5'],
    ['T2', '5'],
  ])
  expect(faults).toEqual([])
})

test('the search for missing transfers ends in time, whatever the endpoints deliver', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  let calls = 0
  const chain = chainWith(async () => {
    calls += 1
    vi.setSystemTime(Date.now() + 1_000)
    return null
  })
  expect((await compare(chain)).comparisons).toHaveLength(2)
  expect(calls).toBe(11)
})
