import type { TokenAmount } from './transactions'

/** A wallet's balance of a token at one block, and the sum of the ledger's verified rows up to that block. */
export interface Reconciliation {
  id: number
  wallet: string
  blockNumber: number
  blockTime: Date
  onChain: TokenAmount
  inLedger: TokenAmount
  /** What the wallet has paid for gas, which is in no row: 0 for a token; null where it is not known. */
  gasPaid: TokenAmount | null
  /** Null where nothing was compared, because the gas is not known. */
  difference: TokenAmount | null
  /** Transfers that the ledger lacks. */
  unlisted: { txHash: string; direction: 'in' | 'out'; tokens: TokenAmount }[]
}
