import { impactPools } from '../impact-pools.ts'
import type { Config } from '../server/env.server.ts'

/** A token that is followed; `address` is null for the chain's own coin. */
export interface Token {
  symbol: string
  address: string | null
  decimals: number
  /** What a whole one is worth: a dollar, what a price feed says, or nobody knows. */
  value: 'usd' | { feed: string } | null
}

/** What is followed on which chain. Addresses are in lower case. */
export interface Watch {
  chainId: number
  urls: string[]
  startBlock: number
  confirmations: number
  tokens: Token[]
  /** The treasury's side: its own wallet, and the one that donates. */
  treasury: string[]
  /** The slug of the pool behind a wallet. */
  pools: Map<string, string>
  taxSenders: string[]
  dreamWallets: string[]
}

/** What the configuration says is followed, or null where it names no chain. */
export function readWatch(config: Config): Watch | null {
  if (config.CHAIN_RPC_URLS.length === 0) return null
  return {
    chainId: config.CHAIN_ID,
    urls: config.CHAIN_RPC_URLS,
    startBlock: config.CHAIN_START_BLOCK ?? 0,
    confirmations: config.CHAIN_CONFIRMATIONS,
    tokens: config.CHAIN_TOKENS,
    treasury: given(config.TREASURY_WALLET, config.DONATION_WALLET),
    pools: new Map(
      impactPools.flatMap(({ walletVariable, slug }) =>
        given(config[walletVariable]).map((wallet) => [wallet, slug]),
      ),
    ),
    taxSenders: [...given(config.TOKEN_ADDRESS), ...config.CHAIN_TAX_SENDERS],
    dreamWallets: config.CHAIN_DREAM_WALLETS,
  }
}

/** Every wallet of the project. */
export function walletsOf({ treasury, pools }: Watch): string[] {
  return [...new Set([...treasury, ...pools.keys()])]
}

export function tokenOf({ tokens }: Watch, address: string | null): Token | undefined {
  return tokens.find((token) => token.address === address)
}

function given(...addresses: (string | undefined)[]): string[] {
  return addresses.flatMap((address) => (address ? [address.toLowerCase()] : []))
}
