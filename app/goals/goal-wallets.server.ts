import * as z from 'zod/mini'
import type { Watch } from '../ledger/job/watch.ts'
import { integerColumn } from '../platform/server/columns.server.ts'
import type { Service } from '../platform/server/service.server.ts'

const goalWallets = z.array(
  z.object({ slug: z.string(), wallet: z.string(), unread_from: z.nullable(integerColumn) }),
)
/** A goal whose gifts the job searches for. */
export type WatchedGoal = z.infer<typeof goalWallets>[number]

export function readGoals(service: Service): Promise<WatchedGoal[]> {
  return service.call('goal_wallets', goalWallets, {})
}

/** The slug of each goal, keyed by the goal's wallet. */
export function walletsOfGoals(goals: readonly WatchedGoal[]): Watch['goals'] {
  return new Map(goals.map(({ slug, wallet }) => [wallet, slug]))
}
