import * as z from 'zod'
import type { Backend } from '../server/backend.server'
import { moneyColumn } from '../server/columns.server'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'

const row = z.object({
  id: z.coerce.string(),
  title: z.string(),
  description: z.string().nullable(),
  status: z.string().nullable(),
  current_amount: moneyColumn.nullable(),
  goal_amount: moneyColumn.nullable(),
})

/** A member's FundMe pool. Amounts are in cents. A goal of null means unlimited. */
export interface Pool {
  id: string
  title: string
  description: string
  status: string
  currentAmount: number
  goalAmount: number | null
}

/** The member's pools, newest first, or null if they cannot be loaded, which is only logged (spec §8). */
export async function listPools(backend: Backend, memberId: string, log: Log): Promise<Pool[] | null> {
  const query = backend
    .from('fundme_pools')
    .select('id, title, description, status, current_amount, goal_amount')
    .eq('user_id', memberId)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(200)
  const rows = await readRows(query, z.array(row), log, 'pools.not-loaded')
  if (!rows) return null
  return rows.map((pool) => ({
    id: pool.id,
    title: pool.title,
    description: pool.description ?? '',
    status: pool.status ?? '',
    currentAmount: pool.current_amount ?? 0,
    goalAmount: pool.goal_amount,
  }))
}
