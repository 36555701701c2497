import * as z from 'zod/mini'
import { maxCalls } from '../chain/job-limits.ts'
import type { Chain } from '../chain/rpc.ts'
import type { LedgerReport } from '../ledger/job/ledger-report.ts'
import { balanceOf } from '../ledger/job/reconciliation.ts'
import { requireBlock } from '../ledger/job/scan.ts'
import { readRange } from '../ledger/job/token-job.server.ts'
import { type Watch, walletsOf } from '../ledger/job/watch.ts'
import { integerColumn, timestampColumn } from '../platform/server/columns.server.ts'
import type { Service } from '../platform/server/service.server.ts'
import type { Site } from '../wallet/message.server.ts'
import { isValidProof } from '../wallet/proof.server.ts'
import type { WatchedGoal } from './goal-wallets.server.ts'

/** A run starts no wallet check that would bring its calls above this number; later runs check the rest. */
const maxCheckCalls = 10

/**
 * Finds gifts that arrived between the check of a goal's wallet and the goal's approval, before the scan
 * began to read the wallet. `watch` contains the goals, and the scan has read the blocks up to the head.
 */
export async function readEarlyGifts(
  service: Service,
  watch: Watch,
  chain: Chain,
  goals: readonly WatchedGoal[],
): Promise<LedgerReport> {
  let added = 0
  for (const { slug, unread_from } of goals) {
    if (unread_from === null || chain.calls > maxCalls) continue
    const read = await readRange(service, watch, chain, unread_from, chain.head)
    added += read.added
    await service.call('goal_was_read', z.unknown(), { goal: slug, next_block: read.next })
  }
  return added > 0 ? { added } : {}
}

/** Ends the open goals whose end date has passed. */
export async function endGoals(service: Service): Promise<LedgerReport> {
  const ended = await service.call('end_goals', integerColumn, {})
  return ended > 0 ? { goalsEnded: ended } : {}
}

const dueGoals = z.array(
  z.object({
    goal: z.string(),
    revision: integerColumn,
    member: z.string(),
    wallet: z.string(),
    message: z.nullable(z.string()),
    signature: z.nullable(z.templateLiteral(['0x', z.string()])),
    proven_at: z.nullable(timestampColumn),
  }),
)
type DueGoal = z.infer<typeof dueGoals>[number]

/**
 * Checks the wallet of each submitted goal. The wallet passes if its proof is valid, if it is not one of our
 * wallets, and if, at a final block, it has sent no transaction and holds no accepted token. If the chain
 * cannot be read, the function stores no result, and a later run checks the goal.
 */
export async function checkGoals(
  service: Service,
  site: Site,
  watch: Watch,
  chain: Chain,
): Promise<LedgerReport> {
  const at = chain.head - watch.confirmations + 1
  if (at < watch.startBlock || chain.calls > maxCalls) return {}
  const due = await service.call('goals_to_check', dueGoals, {})
  if (due.length === 0) return {}
  const before = chain.calls
  const block = await requireBlock(chain, at)
  const checked: Record<string, number> = {}
  for (const goal of due) {
    const begun = chain.calls
    const holds: { symbol: string; amount: string }[] = []
    for (const token of watch.tokens) {
      if (!token.address) continue
      const amount = await balanceOf(chain, token, goal.wallet, at)
      if (amount > 0n) holds.push({ symbol: token.symbol, amount: amount.toString() })
    }
    const result = {
      revision: goal.revision,
      proven: await isProven(site, goal),
      ours: walletsOf(watch).includes(goal.wallet),
      block_number: block.number,
      block_hash: block.hash,
      nonce: await chain.nonce(goal.wallet, at),
      holds,
    }
    const stage = await service.call('record_goal_check', z.nullable(z.string()), { goal: goal.goal, result })
    if (stage) checked[stage] = (checked[stage] ?? 0) + 1
    const [used, ofThis] = [chain.calls - before, chain.calls - begun]
    if (used + ofThis > maxCheckCalls) break
  }
  return { goalsChecked: checked, calls: chain.calls }
}

async function isProven(
  site: Site,
  { member, wallet, message, signature, proven_at }: DueGoal,
): Promise<boolean> {
  if (!message || !signature || !proven_at) return false
  return isValidProof(site, member, { address: wallet, message, signature, provenAt: proven_at })
}
