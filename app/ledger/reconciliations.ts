import type { TokenAmount } from './transactions'

/** A wallet's balance of a token at one block, and the sum of the ledger's verified rows up to that block. */
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
