import { impactPools } from '../../platform/impact-pools.ts'
import type { Config } from '../../platform/server/env.server.ts'

/** A token to follow; `address` is null for the chain's native coin. */
export interface Token {
  symbol: string
  address: string | null
  decimals: number
  /** The source of the token's price: always one dollar, a price feed contract, or null if unknown. */
  value: 'usd' | { feed: string } | null
  /** True if its contract changes balances without transfers (token-check.ts). */
  isElastic?: boolean
}

/** The wallets and tokens to follow on a chain. Addresses are in lower case. */
export interface Watch {
  chainId: number
  urls: string[]
  startBlock: number
  confirmations: number
  tokens: Token[]
  /** The account of each of our wallets, by wallet address: treasury, donation-wallet or the slug of a pool. */
  accounts: Map<string, string>
  taxSenders: string[]
  dreamWallets: string[]
  /** The slug of each goal whose gifts are searched, by its wallet. Payments from these are not read. */
  goals: ReadonlyMap<string, string>
}

/** The configured wallets and tokens, without goals (of the database). Null without CHAIN_RPC_URLS. */
export function readWatch(config: Config): Watch | null {
  if (config.CHAIN_RPC_URLS.length === 0) return null
  const accounts: [account: string, wallet: string | undefined][] = [
    ...impactPools.map(({ slug, walletVariable }) => [slug, config[walletVariable]] as [string, string]),
    ['donation-wallet', config.DONATION_WALLET],
    // The treasury is last, so that a wallet that is configured for several accounts belongs to the treasury.
    ['treasury', config.TREASURY_WALLET],
  ]
  return {
    chainId: config.CHAIN_ID,
    urls: config.CHAIN_RPC_URLS,
    startBlock: config.CHAIN_START_BLOCK ?? 0,
    confirmations: config.CHAIN_CONFIRMATIONS,
    tokens: config.CHAIN_TOKENS,
    accounts: new Map(
      accounts.flatMap(([account, wallet]) => lowerCase(wallet).map((address) => [address, account])),
    ),
    taxSenders: [...lowerCase(config.TOKEN_ADDRESS), ...config.CHAIN_TAX_SENDERS],
    dreamWallets: config.CHAIN_DREAM_WALLETS,
    goals: new Map(),
  }
}

/** The addresses of all our wallets. */
export function walletsOf({ accounts }: Pick<Watch, 'accounts'>): string[] {
  return [...accounts.keys()]
}

export function tokenOf({ tokens }: Watch, address: string | null): Token | undefined {
  return tokens.find((token) => token.address === address)
}

function lowerCase(address: string | undefined): string[] {
  return address ? [address.toLowerCase()] : []
}
