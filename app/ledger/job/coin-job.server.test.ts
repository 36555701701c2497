import { afterEach, expect, test, vi } from 'vitest'
import { Unreachable } from '../../chain/chain-errors.ts'
import type { BlockWith, Chain } from '../../chain/rpc.ts'
import type { Service } from '../../platform/server/service.server.ts'
import { followCoins } from './coin-job.server.ts'
import type { LedgerReport } from './ledger-report.ts'
import type { Watch } from './watch.ts'

const [treasury, education, stranger] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
]
const hashOf = (at: number) => `0x${at.toString(16).padStart(64, '0')}`
const watch = {
  ...{ chainId: 56, startBlock: 1, confirmations: 1, taxSenders: [], dreamWallets: [] },
  tokens: [{ symbol: 'BNB', address: null, decimals: 18, value: 'usd' }],
  accounts: new Map([
    [treasury, 'treasury'],
    [education, 'education'],
  ]),
} as unknown as Watch

afterEach(() => vi.useRealTimers())

/** A chain with one block after the stored balance: one unit to each of our wallets, `transfers` times. */
function chainWith(transfers: number, changes: Partial<Chain> = {}): Chain {
  const block = { number: 9, hash: hashOf(9), timestamp: 1_700_000_000 }
  const blockWith = async (_: number, to: string): Promise<BlockWith> => ({
    ...block,
    transactions: Array.from({ length: transfers }, (_, at) => ({
      ...{ hash: hashOf(1000 + at), from: stranger, to, value: 1n, blockHash: block.hash },
      ...{ nonce: at, input: '0x' },
    })),
  })
  return {
    ...{ id: 56, head: 9, calls: 0, parallel: 3, faults: {} },
    block: async () => block,
    balance: async () => BigInt(transfers),
    nonce: async () => 0,
    loadReceipts: async () => false,
    receipt: async (transactionHash: string) => ({
      ...{ transactionHash, blockNumber: 9, blockHash: block.hash, status: '0x1', logs: [] },
    }),
    blockWith,
    ...changes,
  } as unknown as Chain
}

/** Runs the search. Returns its report and the wallets and rows that it stored. */
async function run(chain: Chain) {
  const stored: { wallets: string[]; rows: number }[] = []
  const balances = [treasury, education].map((wallet) => ({
    ...{ wallet, block_number: 8, block_hash: hashOf(9), amount: 0n, nonce: 0, gas_paid: 0n },
  }))
  const service = {
    call: async (name: string, _: unknown, given: { entries: object[]; balances: { wallet: string }[] }) => {
      if (name === 'coin_balances') return balances
      if (name === 'ledger_context') return { largest_usd: null, paid: [] }
      stored.push({ wallets: given.balances.map(({ wallet }) => wallet), rows: given.entries.length })
      return { added: given.entries.length }
    },
    rows: async () => [],
  } as unknown as Service
  let report: LedgerReport = {}
  await followCoins(service, watch, chain, (part) => {
    report = { ...report, ...part }
  })
  return { report, stored }
}

test('the other wallets are read and stored even if one wallet cannot be read', async () => {
  for (const dead of [treasury, education]) {
    const { balance } = chainWith(2)
    const { report, stored } = await run(
      chainWith(2, {
        balance: (of, at) => (of === dead ? Promise.reject(new Unreachable('no balance')) : balance(of, at)),
      }),
    )
    expect(report).toMatchObject({ added: 2, coins: { stopped: 'no balance' } })
    expect(stored).toEqual([{ wallets: [dead === treasury ? education : treasury], rows: 2 }])
  }
})

test('if no row is new, the balances of all wallets are stored in one call', async () => {
  const { report, stored } = await run(chainWith(0))
  expect(report).toEqual({})
  expect(stored).toEqual([{ wallets: [treasury, education].toSorted(), rows: 0 }])
})

test('a block that a slow endpoint cannot deliver in time is reported as unread, and the search continues', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { receipt } = chainWith(300)
  const slow = chainWith(300, {
    receipt: (hash) => {
      vi.setSystemTime(Date.now() + 250)
      return receipt(hash)
    },
  })
  const startedAt = Date.now()
  const { report, stored } = await run(slow)
  expect(Date.now() - startedAt).toBeLessThan(50_000)
  expect(report.coins?.unread).toHaveLength(2)
  expect(report.coins?.unread?.[0]).toContain('300 transactions of the wallet, too many for a run')
  expect(stored.map(({ wallets }) => wallets.length)).toEqual([1, 1])
})
