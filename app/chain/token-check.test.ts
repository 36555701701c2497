import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Refused } from './chain-errors.ts'
import type { Chain } from './rpc.ts'
import { checkTokens } from './token-check.ts'
import type { Watch } from './watch.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
const symbol = `0x${Buffer.from('USDX').toString('hex').padEnd(64, '0')}`
let made = 0

/** A token contract with the results of its functions, and a watch that says 18 decimals. */
function contract(functions: Record<string, string>) {
  made += 1
  const address = `0x${made.toString(16).padStart(40, '0')}`
  const results: Record<string, string> = { '0x313ce567': word(18), '0x95d89b41': symbol, ...functions }
  const chain = {
    id: 56,
    head: 9,
    parallel: 3,
    call: async (_: string, data: string) => {
      const result = results[data.slice(0, 10)]
      if (!result) throw new Refused('eth_call is refused')
      return result
    },
  } as unknown as Chain
  const tokens: Watch['tokens'] = [{ symbol: 'USDX', address, decimals: 18, value: 'usd' }]
  return { results, check: () => checkTokens(chain, { tokens } as Watch) }
}

test('a token as CHAIN_TOKENS says it has no fault', async () => {
  const { watch, faults } = await contract({}).check()
  expect(faults).toEqual([])
  expect(watch.tokens).toMatchObject([{ decimals: 18, value: 'usd', isElastic: false }])
})

test('a proxy whose code changes later is noticed within ten minutes, and its rows get no value', async () => {
  const { results, check } = contract({})
  expect((await check()).faults).toEqual([])
  results['0x313ce567'] = word(6)
  expect((await check()).faults).toEqual([])
  vi.advanceTimersByTime(10 * 60_000)
  const { watch, faults } = await check()
  expect(faults).toEqual(['USDX: CHAIN_TOKENS says 18 decimals, its contract 6'])
  expect(watch.tokens).toMatchObject([{ decimals: 6, value: null }])
})

test.each([
  [
    'an address without a contract',
    { '0x313ce567': '0x' },
    'the address of CHAIN_TOKENS is not a token contract with decimals',
  ],
  [
    'decimals that are no number of digits',
    { '0x313ce567': word(300) },
    'the address of CHAIN_TOKENS is not a token contract with decimals',
  ],
  [
    'another token',
    { '0x95d89b41': `0x${Buffer.from('FAKE').toString('hex').padEnd(64, '0')}` },
    'the symbol of its contract is FAKE',
  ],
])('names %s', async (_, functions, fault) => {
  expect((await contract(functions).check()).faults).toEqual([`USDX: ${fault}`])
})

test.each([
  // https://github.com/m0-platform/protocol/issues/62
  ['a token that shares a fee among its holders', '0x2d838119'],
  // https://github.com/rotki/rotki/issues/12315
  ['a share in a pool that earns', '0xf5eb42dc'],
  // https://github.com/aave/aave-v3-core/pull/682
  ['a deposit that earns interest', '0x1da24f3e'],
])('names %s, whose balances change without transfers', async (_, selector) => {
  const { watch, faults } = await contract({ [selector]: word(0) }).check()
  expect(faults).toEqual(['USDX: its contract changes balances without transfers, so they are not compared'])
  expect(watch.tokens).toMatchObject([{ isElastic: true, value: 'usd' }])
})
