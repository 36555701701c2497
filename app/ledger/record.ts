import { findPool } from '../impact-pools'
import { type Cents, formatDollars } from '../money'
import type { Call } from './calls'
import type { Status } from './statuses'
import { formatTokens, type TokenAmount } from './transactions'
import type { VerificationStatus } from './verification-status'

/** One row with everything that its page shows. */
export interface LedgerRecord {
  id: number
  occurredAt: Date
  recordedAt: Date
  type: string
  direction: 'in' | 'out'
  amount: Cents | null
  tokens: TokenAmount | null
  tokenAddress: string | null
  /** US dollars for a whole token, unrounded. */
  rate: string | null
  rateSource: string | null
  from: string
  to: string
  txHash: string
  chainId: number
  /** Place of the transfer within its transaction; -1 is the native transfer. */
  ordinal: number
  pool: string | null
  proof: string | null
  note: string | null
  /** The texts of this row that were withdrawn. */
  withdrawn: { note: Withdrawal | null; proof: Withdrawal | null }
  /** Null for a row that a later revision has replaced. */
  verification: VerificationStatus | null
  place: LogPlace
  /** The first record of this transfer and its corrections, oldest first. */
  revisions: Revision[]
  /** Newest first; the latest 20. */
  checks: Check[]
  statements: Pick<Call, 'id' | 'cursor' | 'author' | 'date' | 'tweet' | 'tweetReason' | 'verified'>[]
}

/** A withdrawn text, with the operator's public reason if it can be read. */
interface Withdrawal {
  reason: string | undefined
}

/** The place of a row: the index of its entry in the log, and the ids of the rows before and after it. */
export interface LogPlace {
  /** From 0. */
  index: number
  previousId: number | null
  nextId: number | null
}

export interface Revision {
  id: number
  logIndex: number
  recordedAt: Date
  amount: Cents | null
  tokens: TokenAmount | null
  note: string | null
}

export interface Check {
  id: number
  status: Status
  checkedAt: Date
  blockNumber: number | null
  blockHash: string | null
  blockTime: Date | null
  confirmations: number | null
  reason: string | null
}

/** The id of the latest revision: the record itself, or its last correction. */
export function latestRevision({ revisions, id }: Pick<LedgerRecord, 'revisions' | 'id'>): number {
  return revisions.at(-1)?.id ?? id
}

/** '$1,238.03 to Animal Welfare Charity': a row in a few words. */
export function recordTitle(record: Pick<LedgerRecord, 'type' | 'direction' | 'amount' | 'tokens' | 'pool'>) {
  const what = amountWords(record)
  const pool = findPool(record.pool)?.title
  switch (record.type) {
    case 'donation':
      return pool ? `${what} to ${pool}` : `${what} to another cause`
    case 'gift':
      return pool ? `${what} given to ${pool}` : `${what} given to us`
    case 'spending':
      return pool ? `${what} spent by ${pool}` : `${what} spent by a pool`
    case 'cost':
      return `${what} paid for costs`
    case 'tax':
      return `${what} tax income`
    case 'dream':
      return `${what} to a community dream`
    case 'move':
      return `${what} moved between our wallets`
    default:
      return record.direction === 'in' ? `${what} received` : `${what} paid`
  }
}

function amountWords({ amount, tokens }: Pick<LedgerRecord, 'amount' | 'tokens'>): string {
  if (amount !== null) return formatDollars(amount)
  return tokens ? formatTokens(tokens) : 'An amount without a dollar value'
}

/** The network of a chain id. */
export function chainName(chainId: number): string {
  if (chainId === 56) return 'BNB Smart Chain'
  return chainId === 97 ? 'BNB Smart Chain testnet' : `Chain ${chainId}`
}
