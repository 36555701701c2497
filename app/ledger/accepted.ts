import { findChain } from '../platform/chains'
import type { Formats } from '../platform/locales/formats'
import type { Config } from '../platform/server/env.server'

/** A token whose transfers the ledger job reads. `address` is null for the chain's native coin. */
export interface AcceptedToken {
  symbol: string
  address: string | null
  decimals: number
  /** How dollars are converted to this token: one to one, by a price feed, or not at all (null). */
  priced: 'usd' | 'feed' | null
}

/** The tokens of CHAIN_TOKENS, dollars first. If that list is empty, only the chain's native coin. */
export function acceptedTokens({
  CHAIN_TOKENS,
  CHAIN_ID,
}: Pick<Config, 'CHAIN_TOKENS' | 'CHAIN_ID'>): AcceptedToken[] {
  if (CHAIN_TOKENS.length === 0)
    return [{ symbol: findChain(CHAIN_ID)?.coin ?? 'BNB', address: null, decimals: 18, priced: null }]
  return CHAIN_TOKENS.map(({ symbol, address, decimals, value }) => ({
    symbol,
    address,
    decimals,
    priced: value === 'usd' ? ('usd' as const) : value ? ('feed' as const) : null,
  })).sort((one, other) => Number(other.priced === 'usd') - Number(one.priced === 'usd'))
}

/** An example amount that shows visitors the format, with the language's decimal separator. */
export function exampleAmount({ priced }: Pick<AcceptedToken, 'priced'>, { decimal }: Formats): string {
  return decimal(priced === 'usd' ? 35 : 0.05)
}

/**
 * The maximum number of minutes from the block of a transfer until the transfer is final and listed: the time
 * of the confirmations, rounded up, plus two runs of the job that reads the chain every minute.
 */
export function minutesUntilListed({
  CHAIN_CONFIRMATIONS,
  CHAIN_ID,
}: Pick<Config, 'CHAIN_CONFIRMATIONS' | 'CHAIN_ID'>): number {
  const blockSeconds = findChain(CHAIN_ID)?.blockSeconds ?? 12
  return Math.ceil((CHAIN_CONFIRMATIONS * blockSeconds) / 60) + 2
}
