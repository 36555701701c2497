import { type ImpactPool, impactPools } from '../impact-pools'
import type { Config } from '../server/env.server'

/** A wallet of the project. Money sent to it is what the ledger follows. */
export interface Wallet {
  name: string
  purpose: string
  address: string
}

type Addresses = Pick<Config, 'TREASURY_WALLET' | 'DONATION_WALLET' | ImpactPool['walletVariable']>

/** The configured wallets, in the order in which money passes through them. */
export function listWallets(config: Addresses): Wallet[] {
  const wallets = [
    { name: 'Treasury', purpose: 'Receives the tax and pays the pools.', address: config.TREASURY_WALLET },
    { name: 'Donation wallet', purpose: 'Answers a CZ Call.', address: config.DONATION_WALLET },
    ...impactPools.map(({ title, walletVariable }) => ({
      name: title,
      purpose: 'Impact pool.',
      address: config[walletVariable],
    })),
  ]
  return wallets.filter((wallet): wallet is Wallet => wallet.address !== undefined)
}

/** The name of an address that is one of ours. */
export function walletName(wallets: Wallet[], address: string): string | undefined {
  return wallets.find((wallet) => wallet.address.toLowerCase() === address.toLowerCase())?.name
}
