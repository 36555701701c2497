import { CallRefused } from '../../chain/chain-errors.ts'
import type { Block, Chain } from '../../chain/rpc.ts'
import { centsAt } from '../../platform/money.ts'
import type { Token } from './watch.ts'

/** Dollars per whole token: `units` / 10 ^ `decimals`. */
export interface Rate {
  units: bigint
  decimals: number
  source: string
}

/** The columns of a row with its value in dollars. */
export interface Value {
  amount_usd: string | null
  rate_usd: string | null
  rate_source: string | null
}

const unvalued: Value = { amount_usd: null, rate_usd: null, rate_source: null }

/** Maximum age of a price in seconds. Feeds update at least daily. */
const maxPriceAge = 26 * 60 * 60
/** The maximum of the domain private.dollars (supabase/migrations), in cents. */
const maxCents = 10n ** 12n - 1n
/** Every value of the domain private.dollar_rate is less than this number of whole dollars. */
const maxRate = 10n ** 15n

/** The calls of a price feed, as constants, so that the operator's commands start without loading viem. */
const latestRoundData = '0xfeaf968c'
const decimalsOfFeed = '0x313ce567'

/** A price as its feed reports it. The price of a whole token in dollars is `units` / 10 ^ `decimals`. */
export interface Price {
  units: bigint
  decimals: number
  /** When the feed set the price, in seconds since the epoch. */
  updatedAt: bigint
}

/**
 * The rate of a token at a block. Null if the token has no feed, or if the feed has no usable price. Throws
 * Unreachable if the endpoints do not respond, because a row must not stay without a value after a temporary
 * fault.
 */
export async function rateOf({ value }: Token, block: Block, chain: Chain): Promise<Rate | null> {
  if (value === 'usd') return { units: 1n, decimals: 0, source: 'Stablecoin, one to one' }
  if (!value) return null
  const price = await priceOf(value.feed, block, chain)
  return (
    price && {
      units: price.units,
      decimals: price.decimals,
      source: `Price feed ${value.feed} at block ${block.number}`,
    }
  )
}

/**
 * The price of a feed at a block. Null if the feed has no usable price: the price is too old or not positive,
 * has more than 18 decimals, or the call was refused or its result is malformed. Throws Unreachable if the
 * endpoints do not respond.
 */
export async function priceOf(feed: string, block: Block, chain: Chain): Promise<Price | null> {
  try {
    const [round, places] = await Promise.all([
      chain.call(feed, latestRoundData, block.number),
      chain.call(feed, decimalsOfFeed, block.number),
    ])
    return readPrice(round, places, block.timestamp)
  } catch (error) {
    // The contract reverts, or the endpoints no longer have the state of that block.
    if (error instanceof CallRefused) return null
    throw error
  }
}

/** The price in the results of two calls. Null if malformed, not positive or too old at `time`. */
export function readPrice(round: string, places: string, time: number): Price | null {
  const [, answer = 0n, , updatedAt = 0n, answeredIn] = wordsOf(round)
  const [decimals] = wordsOf(places)
  if (answeredIn === undefined || decimals === undefined || decimals > 18n) return null
  const units = BigInt.asIntN(256, answer)
  if (units <= 0n || updatedAt < BigInt(time - maxPriceAge)) return null
  return { units, decimals: Number(decimals), updatedAt }
}

/** The complete 32-byte words in the result of a call. */
function wordsOf(data: string): bigint[] {
  return (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
}

/** The price of a whole token in dollars ('612.34'). Null above the database's maximum. */
export function dollarsOf({ units, decimals }: Pick<Price, 'units' | 'decimals'>): string | null {
  return units >= maxRate * 10n ** BigInt(decimals) ? null : toDecimal(units, decimals)
}

/**
 * The value of an amount (in base units) at a rate, rounded half up to the cent. Without a rate, or above a
 * database maximum, the amount has no value.
 */
export function valueAt(amount: bigint, decimals: number, rate: Rate | null): Value {
  if (!rate || rate.units >= maxRate * 10n ** BigInt(rate.decimals)) return unvalued
  const cents = centsAt(amount, decimals, rate)
  if (cents > maxCents) return unvalued
  return {
    amount_usd: toDecimal(cents, 2),
    rate_usd: toDecimal(rate.units, rate.decimals),
    rate_source: rate.source,
  }
}

/**
 * A value that is known without a rate: what an amount was exchanged for. The rate follows from it, and is null if the
 * database cannot represent it.
 */
export function valueAs(amount: bigint, decimals: number, cents: number | null, source: string): Value {
  if (cents === null || BigInt(cents) > maxCents) return { ...unvalued, rate_source: source }
  const units = (BigInt(cents) * 10n ** 16n * 10n ** BigInt(decimals)) / amount
  const hasRate = units > 0n && units < maxRate * 10n ** 18n
  return {
    amount_usd: toDecimal(BigInt(cents), 2),
    rate_usd: hasRate ? toDecimal(units, 18) : null,
    rate_source: source,
  }
}

function toDecimal(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
