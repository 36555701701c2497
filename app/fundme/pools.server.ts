import * as z from 'zod'
import { moneyColumn } from '../server/columns.server'
import type { Api as Backend } from '../server/data.server'
import type { Log } from '../server/log.server'
import { readRows, rowsPerCall } from '../server/read-rows.server'

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

/** One page of a member's FundMe pools. `page` counts from 1. */
export interface PoolPage {
  pools: Pool[]
  page: number
  hasNext: boolean
}

const poolsPerPage = 50

/** A page of the member's FundMe pools, newest first. If loading fails, logs the error and returns null (spec §8). */
export async function listPools(
  backend: Backend,
  memberId: string,
  page: number,
  log: Log,
): Promise<PoolPage | null> {
  const from = (page - 1) * poolsPerPage
  const pools = await readPools(backend, memberId, from, poolsPerPage + 1, log)
  return pools && { pools: pools.slice(0, poolsPerPage), page, hasNext: pools.length > poolsPerPage }
}

/** All FundMe pools of the member, newest first. If loading fails, logs the error and returns null. */
export async function listAllPools(backend: Backend, memberId: string, log: Log): Promise<Pool[] | null> {
  const all: Pool[] = []
  for (;;) {
    const pools = await readPools(backend, memberId, all.length, rowsPerCall, log)
    if (!pools) return null
    all.push(...pools)
    if (pools.length < rowsPerCall) return all
  }
}

/** The page number of a query parameter; 1 if it is not a number from 1 to 9999. */
export function parsePage(text: string | null): number {
  return /^[1-9]\d{0,3}$/.test(text ?? '') ? Number(text) : 1
}

async function readPools(
  backend: Backend,
  memberId: string,
  from: number,
  count: number,
  log: Log,
): Promise<Pool[] | null> {
  const query = backend
    .from('fundme_pools')
    .select('id, title, description, status, current_amount, goal_amount')
    .eq('user_id', memberId)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .range(from, from + count - 1)
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
