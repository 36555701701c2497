import { type ImpactPool, impactPools } from '../platform/impact-pools.ts'
import type { Config } from '../platform/server/env.server'
import { accounts } from './accounts.ts'

/** An account of the ledger that accepts donations, with its wallet if the wallet is configured. */
export interface Account {
  /** The account's slug in the ledger: 'treasury', 'donation-wallet', or the slug of a pool. */
  slug: string
  name: string
  purpose: string
  address: string | undefined
}

/** An account whose wallet is configured. The ledger has the transfers from and to this wallet. */
export type Wallet = Account & { address: string }

type Addresses = Pick<Config, 'TREASURY_WALLET' | 'DONATION_WALLET' | ImpactPool['walletVariable']>

/** All accounts with the addresses of their wallets, in the order in which money passes through them. */
export function listAccounts(config: Addresses): Account[] {
  const wallets: Record<string, string | undefined> = {
    treasury: config.TREASURY_WALLET,
    'donation-wallet': config.DONATION_WALLET,
    ...Object.fromEntries(impactPools.map(({ slug, walletVariable }) => [slug, config[walletVariable]])),
  }
  return accounts.map((account) => ({ ...account, address: wallets[account.slug] }))
}

/** The accounts whose wallets are configured. */
export function listWallets(config: Addresses): Wallet[] {
  return listAccounts(config).filter((account): account is Wallet => account.address !== undefined)
}

/** The name of the account with this wallet address. */
export function walletName(wallets: Wallet[], address: string): string | undefined {
  return wallets.find((wallet) => wallet.address.toLowerCase() === address.toLowerCase())?.name
}
