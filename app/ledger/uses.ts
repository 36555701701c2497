import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { findPool } from '../platform/impact-pools'
import { key } from '../platform/locales/key'
import { type LedgerFilter, withoutPool } from './filter'
import { typeLabel } from './transactions'

/** The name, the hue and the filter of a use of money: a key of `uses` of sum_transactions and of ledger_months. */
export function partOf(use: string): { name: MessageDescriptor; hue: string; part: LedgerFilter } {
  const pool = findPool(use)
  if (pool) return { name: key(pool.category), hue: use, part: { pool: use } }
  if (use === 'other-causes')
    return { name: msg`Causes outside the pools`, hue: use, part: { type: 'donation', pool: withoutPool } }
  const hue = { dream: 'dreams', cost: 'costs' }[use] ?? ''
  return { name: key(typeLabel(use)), hue, part: { type: use as LedgerFilter['type'], pool: withoutPool } }
}
