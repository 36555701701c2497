/** What the site knows of a blockchain. */
interface KnownChain {
  /** In English. */
  name: string
  /** The token standard by which exchanges name the network. */
  standard: string | null
  /** The symbol of its own coin, which has 18 decimals. */
  coin: string
  explorer: string
  /** The endpoint that a wallet gets when it adds the chain (EIP-3085). */
  walletUrl: string
  /** Maximum number of seconds between two blocks. */
  blockSeconds: number
  /** The minimum that validators accept for gas, in base units of the coin. */
  minGasPrice: bigint
}

/** The known blockchains by id, from the documentation of BNB Smart Chain. Scripts read this table too: key.ts. */
const chains: Record<number, KnownChain> = {
  56: {
    name: /* i18n */ 'BNB Smart Chain',
    standard: 'BEP20',
    coin: 'BNB',
    explorer: 'https://bscscan.com',
    walletUrl: 'https://bsc-dataseed.bnbchain.org',
    blockSeconds: 3,
    minGasPrice: 100_000_000n,
  },
  97: {
    name: /* i18n */ 'BNB Smart Chain testnet',
    standard: null,
    coin: 'tBNB',
    explorer: 'https://testnet.bscscan.com',
    walletUrl: 'https://bsc-testnet-dataseed.bnbchain.org',
    blockSeconds: 3,
    minGasPrice: 100_000_000n,
  },
}

/** The facts of a blockchain; of an unknown one, undefined. */
export function findChain(chainId: number): KnownChain | undefined {
  return chains[chainId]
}
