import type { TokenAmount } from './transactions'

/** What a wallet held of a token at one block, beside what the ledger's verified rows add up to until there. */
export interface Reconciliation {
  id: number
  wallet: string
  blockNumber: number
  blockTime: Date
  onChain: TokenAmount
  inLedger: TokenAmount
  difference: TokenAmount
  /** Transfers that the ledger lacks. */
  unlisted: { txHash: string; direction: 'in' | 'out'; tokens: TokenAmount }[]
}
