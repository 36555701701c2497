import type { Transfer } from './transfers.ts'
import type { Watch } from './watch.ts'

/** What a transfer is to the ledger. `direction` is as seen from the treasury. */
export interface Kind {
  type: 'donation' | 'tax' | 'dream' | 'other'
  direction: 'in' | 'out'
  pool: string | null
  /** False for what stays within the treasury or never was in it: such a row counts no dollars. */
  counts: boolean
  note: string | null
}

/** What a transfer is, or null where none of our wallets has part in it. */
export function classify(
  { from, to }: Pick<Transfer, 'from' | 'to'>,
  {
    treasury,
    pools,
    taxSenders,
    dreamWallets,
  }: Pick<Watch, 'treasury' | 'pools' | 'taxSenders' | 'dreamWallets'>,
): Kind | null {
  const leaves = treasury.includes(from)
  const arrives = treasury.includes(to)
  const other = (direction: 'in' | 'out', note: string | null = null): Kind => ({
    type: 'other',
    direction,
    pool: null,
    counts: note === null,
    note,
  })
  if (leaves && arrives) return other('out', "A move between the treasury's own wallets.")
  if (leaves) {
    const pool = pools.get(to)
    if (pool) return { type: 'donation', direction: 'out', pool, counts: true, note: null }
    if (dreamWallets.includes(to)) return { ...other('out'), type: 'dream' }
    return other('out')
  }
  if (arrives) return taxSenders.includes(from) ? { ...other('in'), type: 'tax' } : other('in')
  if (pools.has(from)) return other('out', "Spent from a pool's wallet: it left the treasury before.")
  if (pools.has(to))
    return other('in', "Given to a pool's wallet by somebody else: it never was the treasury's.")
  return null
}
