import type { Config } from '../server/env.server'

/** A token that is followed on chain, and so is accepted as a gift. `address` is null for the chain's own coin. */
export interface AcceptedToken {
  symbol: string
  address: string | null
  decimals: number
}

/** The followed tokens; without a list of them, the chain's own coin alone. */
export function acceptedTokens({ CHAIN_TOKENS }: Pick<Config, 'CHAIN_TOKENS'>): AcceptedToken[] {
  if (CHAIN_TOKENS.length === 0) return [{ symbol: 'BNB', address: null, decimals: 18 }]
  return CHAIN_TOKENS.map(({ symbol, address, decimals }) => ({ symbol, address, decimals }))
}

/**
 * An EIP-681 link. It opens a wallet app with a payment in the chain's native coin. The site makes no such link for
 * tokens (reason: qr-code.server.ts).
 */
export function coinLink(address: string, chainId: number): string {
  return `ethereum:${address}@${chainId}`
}

/** '0x55d3 98f9 …': an address in groups of four digits, as people compare it. */
export function groupsOfFour(address: string): string[] {
  return address.slice(2).match(/.{1,4}/g) ?? []
}

/** Seconds between two blocks, as an upper bound for the chains that are used. */
const blockSeconds = 3

/**
 * How many minutes after its block a transfer is final and listed, rounded up: the confirmations, and two runs of
 * the job that reads the chain each minute.
 */
export function minutesUntilListed({ CHAIN_CONFIRMATIONS }: Pick<Config, 'CHAIN_CONFIRMATIONS'>): number {
  return Math.ceil((CHAIN_CONFIRMATIONS * blockSeconds) / 60) + 2
}
