import * as z from 'zod/mini'
import { moneyColumn } from '../platform/server/columns.server'
import { type Data, rowsPerCall } from '../platform/server/data.server'

const text = z.pipe(
  z.nullable(z.string()),
  z.transform((value) => value ?? ''),
)

const poolRow = z.object({
  id: z.coerce.string(),
  title: z.string(),
  description: text,
  status: text,
  currentAmount: z.pipe(
    z.nullable(moneyColumn),
    z.transform((amount) => amount ?? 0),
  ),
  /** Null if the goal is unlimited. */
  goalAmount: z.nullable(moneyColumn),
})
/** A member's FundMe pool. Amounts are in cents. */
type Pool = z.infer<typeof poolRow>

/** One page of a member's FundMe pools. `page` counts from 1. */
export interface PoolPage {
  pools: Pool[]
  page: number
  hasNext: boolean
}

const poolsPerPage = 50

/** A page of the member's FundMe pools, newest first. If the read fails, logs the error and returns null. */
export async function listPools(data: Data, memberId: string, page: number): Promise<PoolPage | null> {
  const from = (page - 1) * poolsPerPage
  const pools = await readPools(data, memberId, from, poolsPerPage + 1)
  return pools && { pools: pools.slice(0, poolsPerPage), page, hasNext: pools.length > poolsPerPage }
}

/** All FundMe pools of the member, newest first. If the read fails, logs the error and returns null. */
export async function listAllPools(data: Data, memberId: string): Promise<Pool[] | null> {
  const all: Pool[] = []
  for (;;) {
    const pools = await readPools(data, memberId, all.length, rowsPerCall)
    if (!pools) return null
    all.push(...pools)
    if (pools.length < rowsPerCall) return all
  }
}

/** The page number in a query parameter; 1 unless the parameter is a number from 1 to 9999. */
export function parsePage(text: string | null): number {
  return /^[1-9]\d{0,3}$/.test(text ?? '') ? Number(text) : 1
}

function readPools(data: Data, memberId: string, from: number, count: number): Promise<Pool[] | null> {
  return data.rows('fundme_pools', poolRow, (query) =>
    query
      .eq('user_id', memberId)
      .order('created_at', { ascending: false })
      .order('id', { ascending: false })
      .range(from, from + count - 1),
  )
}
