import { isTreasury } from '../accounts.ts'
import type { Transfer } from '../token-transfers.ts'
import type { TransactionType } from '../transaction-types.ts'
import type { Watch } from './watch.ts'

/** How the ledger records a transfer. docs/specification.md, 'Accounts and totals', has the rules and the totals. */
export interface Classification {
  /** The account whose row this is: the sender's account if both sides are ours. */
  account: string
  /** The other account if both sides are ours, otherwise null. */
  counter_account: string | null
  /** As seen from `account`. */
  direction: 'in' | 'out'
  type: TransactionType
  /** The slug of the pool to which the row belongs. */
  pool_slug: string | null
}

export function isPool(account: string | null | undefined): boolean {
  return Boolean(account) && !isTreasury(account)
}

/**
 * Classifies a transfer by its wallets. Returns null if neither wallet is ours or both belong to the same
 * account. For the wallet of a goal, the ledger records only incoming transfers. The chain does not show the
 * purpose of a payment from the treasury or the donation wallet to an unknown wallet: its type is `other`
 * until an operator corrects it.
 */
export function classify(
  { from, to }: Pick<Transfer, 'from' | 'to'>,
  {
    accounts,
    taxSenders,
    dreamWallets,
    goals,
  }: Pick<Watch, 'accounts' | 'taxSenders' | 'dreamWallets' | 'goals'>,
): Classification | null {
  const sender = accounts.get(from)
  const recipient = accounts.get(to)
  if (sender && sender === recipient) return null
  if (sender && recipient) {
    const type = isPool(recipient) && !isPool(sender) ? 'donation' : 'move'
    const pool = type === 'donation' ? recipient : (poolOf(sender) ?? poolOf(recipient))
    return { account: sender, counter_account: recipient, direction: 'out', type, pool_slug: pool }
  }
  if (recipient) {
    const type = taxSenders.includes(from) ? 'tax' : 'gift'
    return { account: recipient, counter_account: null, direction: 'in', type, pool_slug: poolOf(recipient) }
  }
  const goal = goals.get(to)
  if (!sender) {
    if (!goal || from === to) return null
    return { account: goal, counter_account: null, direction: 'in', type: 'goal-gift', pool_slug: goal }
  }
  const type = isPool(sender) ? 'spending' : goal || dreamWallets.includes(to) ? 'dream' : 'other'
  return { account: sender, counter_account: null, direction: 'out', type, pool_slug: poolOf(sender) }
}

function poolOf(account: string): string | null {
  return isPool(account) ? account : null
}
