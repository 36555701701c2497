import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallRefused, Unreachable } from '../../chain/chain-errors.ts'
import type { Chain } from '../../chain/rpc.ts'
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
      if (!result) throw new CallRefused('eth_call is refused')
      return result
    },
  } as unknown as Chain
  const tokens: Watch['tokens'] = [{ symbol: 'USDX', address, decimals: 18, value: 'usd' }]
  return { chain, results, check: () => checkTokens(chain, { tokens } as Watch) }
}

/** The result of a function that returns a text. */
const text = (words: string) =>
  `${word(32)}${word(words.length).slice(2)}${Buffer.from(words).toString('hex').padEnd(64, '0')}`

test('a token as CHAIN_TOKENS says it has no fault', async () => {
  const { watch, faults } = await contract({}).check()
  expect(faults).toEqual([])
  expect(watch.tokens).toMatchObject([{ decimals: 18, value: 'usd', isElastic: false }])
})

test.each([
  // The first tokens return 32 bytes: https://github.com/web3/web3.js/issues/3791,
  // https://github.com/MetaMask/metamask-extension/issues/3553
  ['in 32 bytes', symbol],
  ['as a text', text('USDX')],
  ['in other letters', text('usdx')],
  // https://github.com/pinax-network/substreams-evm-tokens/issues/21
  ['that is empty', text('')],
])('a token whose symbol is returned %s has no fault', async (_, returned) => {
  expect((await contract({ '0x95d89b41': returned }).check()).faults).toEqual([])
})

test.each([
  // https://github.com/1Hive/uniswap-interface/issues/19: CHAIN_TOKENS says 18.
  [6, 'USDX: CHAIN_TOKENS says 18 decimals, its contract 6'],
  // https://github.com/MetaMask/metamask-extension/issues/9771: decimals of 0 made balances larger by 10^18.
  [0, 'USDX: CHAIN_TOKENS says 18 decimals, its contract 0'],
  // https://github.com/connext/monorepo/issues/2755, the other way round
  [8, 'USDX: CHAIN_TOKENS says 18 decimals, its contract 8'],
])('a token with %d decimals is named, and its rows get no value', async (decimals, fault) => {
  const { watch, faults } = await contract({ '0x313ce567': word(decimals) }).check()
  expect(faults).toEqual([fault])
  expect(watch.tokens).toMatchObject([{ decimals, value: null }])
})

// https://github.com/MetaMask/metamask-extension/issues/9771: a call that failed left the decimals at a default.
test('if the contract cannot be read, no decimals are assumed, and the next run reads it', async () => {
  const { chain, check } = contract({})
  const { call } = chain
  chain.call = () => Promise.reject(new Unreachable('no result for eth_call'))
  await expect(check()).rejects.toThrow('no result for eth_call')
  chain.call = call
  expect((await check()).faults).toEqual([])
})

// https://github.com/matter-labs/block-explorer/issues/326
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
    // https://github.com/MakinaHQ/makina-core/issues/157: 18 decimals were assumed.
    'a contract without decimals',
    { '0x313ce567': '' },
    'the address of CHAIN_TOKENS is not a token contract with decimals',
  ],
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
  // https://github.com/m0-platform/protocol/issues/62, https://github.com/rainbow-me/rainbow/issues/2581
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
