import { findPool } from '../impact-pools'
import { formatDollars } from '../money'
import type { LedgerRecord } from './record.server'
import { formatTokens } from './transactions'

/** The id of the latest revision: the record itself, or its last correction. */
export function latestRevision({ revisions, id }: Pick<LedgerRecord, 'revisions' | 'id'>): number {
  return revisions.at(-1)?.id ?? id
}

/** '$1,238.03 to Animal Welfare Charity': a row in a few words. */
export function recordTitle(
  record: Pick<LedgerRecord, 'type' | 'direction' | 'amountUsd' | 'tokens' | 'poolSlug'>,
) {
  const what = amountWords(record)
  const pool = findPool(record.poolSlug)?.title
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
      return `${what} from the trading tax`
    case 'dream':
      return `${what} to a community dream`
    case 'move':
      return `${what} moved between our wallets`
    default:
      return record.direction === 'in' ? `${what} received` : `${what} paid`
  }
}

function amountWords({ amountUsd, tokens }: Pick<LedgerRecord, 'amountUsd' | 'tokens'>): string {
  if (amountUsd !== null) return formatDollars(amountUsd)
  return tokens ? formatTokens(tokens) : 'An amount without a dollar value'
}

/** The network of a chain id. */
export function chainName(chainId: number): string {
  if (chainId === 56) return 'BNB Smart Chain'
  return chainId === 97 ? 'BNB Smart Chain testnet' : `Chain ${chainId}`
}
