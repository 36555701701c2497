import { decodeFunctionResult, encodeFunctionData } from 'viem'
import { type Block, type Chain, Refused } from './rpc.ts'
import type { Token } from './watch.ts'

/** A price in dollars for a whole token, as a whole number and the digits of it that are behind the point. */
export interface Rate {
  units: bigint
  decimals: number
  source: string
}

/** The columns of a row that say what it is worth. */
export interface Value {
  amount_usd: string | null
  rate_usd: string | null
  rate_source: string | null
}

const unvalued: Value = { amount_usd: null, rate_usd: null, rate_source: null }
export const uncounted: Value = {
  amount_usd: '0.00',
  rate_usd: null,
  rate_source: 'Not to or from the treasury: counted as nothing',
}

/** A price older than this is nobody's price: feeds write at least once a day. */
const oldestPrice = 26 * 60 * 60

const feedAbi = [
  {
    type: 'function',
    name: 'latestRoundData',
    stateMutability: 'view',
    inputs: [],
    outputs: [
      { name: 'roundId', type: 'uint80' },
      { name: 'answer', type: 'int256' },
      { name: 'startedAt', type: 'uint256' },
      { name: 'updatedAt', type: 'uint256' },
      { name: 'answeredInRound', type: 'uint80' },
    ],
  },
  { type: 'function', name: 'decimals', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint8' }] },
] as const

/**
 * The rate of a token at a block, or null where nobody knows one. Throws where nobody can be asked: a row must not
 * stay without a value because a server was away.
 */
export async function rateOf({ value }: Token, block: Block, chain: Chain): Promise<Rate | null> {
  if (value === 'usd') return { units: 1n, decimals: 0, source: 'Stablecoin, one to one' }
  if (!value) return null
  try {
    const [round, decimals] = await Promise.all([
      chain.call(
        value.feed,
        encodeFunctionData({ abi: feedAbi, functionName: 'latestRoundData' }),
        block.number,
      ),
      chain.call(value.feed, encodeFunctionData({ abi: feedAbi, functionName: 'decimals' }), block.number),
    ])
    const [, answer, , updatedAt] = decodeFunctionResult({
      abi: feedAbi,
      functionName: 'latestRoundData',
      data: round,
    })
    const places = decodeFunctionResult({ abi: feedAbi, functionName: 'decimals', data: decimals })
    if (answer <= 0n || places > 18 || updatedAt < block.timestamp - oldestPrice) return null
    return { units: answer, decimals: places, source: `Price feed ${value.feed} at block ${block.number}` }
  } catch (error) {
    // The contract can't say, or the endpoints no longer have the state of that block.
    if (error instanceof Refused || (error as Error).name?.startsWith('AbiDecoding')) return null
    throw error
  }
}

/** What an amount of base units is worth at a rate, to the cent, half a cent up. */
export function valueAt(amount: bigint, decimals: number, rate: Rate | null): Value {
  if (!rate) return unvalued
  const whole = 10n ** BigInt(decimals + rate.decimals)
  const cents = (amount * rate.units * 200n + whole) / (2n * whole)
  // More than the column holds is no price.
  if (cents >= 10n ** 20n) return unvalued
  return {
    amount_usd: toDecimal(cents, 2),
    rate_usd: toDecimal(rate.units, rate.decimals),
    rate_source: rate.source,
  }
}

function toDecimal(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
