import * as z from 'zod/mini'
import { integerColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import type { Config } from '../platform/server/env.server'
import { readGoalClock } from '../platform/server/goal-clock.server'

/** A reading is old after two hours: it is due each hour. */
const oldAfter = 2 * 3_600_000

const controlRow = z.object({
  wallet: z.string(),
  control: z.enum(['key', 'safe', 'contract']),
  version: z.nullable(z.string()),
  owners: z.array(z.string()),
  threshold: z.nullable(integerColumn),
  modules: z.array(z.string()),
  guard: z.nullable(z.string()),
  handler: z.nullable(z.string()),
  recordedAt: timestampColumn,
  readAt: timestampColumn,
  logIndex: z.nullable(integerColumn),
})
export type WalletControl = z.infer<typeof controlRow> & { isOld: boolean }

/** Who can move the money of our wallets, by address; null if it cannot be read. */
export async function readWalletControls(
  data: Data,
  config: Config,
): Promise<Record<string, WalletControl> | null> {
  const rows = await data.rows('published_controls', controlRow, (query) =>
    query.eq('chain_id', config.CHAIN_ID),
  )
  const now = readGoalClock(config)
  return (
    rows &&
    Object.fromEntries(
      rows.map((row) => [row.wallet, { ...row, isOld: now - row.readAt.getTime() > oldAfter }]),
    )
  )
}
