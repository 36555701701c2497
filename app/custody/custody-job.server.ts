import * as z from 'zod/mini'
import { maxCalls } from '../chain/job-limits.ts'
import type { Chain } from '../chain/rpc.ts'
import type { LedgerReport } from '../ledger/job/ledger-report.ts'
import type { Watch } from '../ledger/job/watch.ts'
import { requestKey } from '../platform/request-key.ts'
import { integerColumn } from '../platform/server/columns.server.ts'
import type { Service } from '../platform/server/service.server.ts'
import { readAllowances } from './allowances.ts'
import { readControl } from './safe.ts'

/** The time in milliseconds after which a run reads no further approvals. */
const approvalsTimeout = 5_000

const dueWallet = z.object({
  wallet: z.string(),
  approvals: z.nullable(
    z.object({ blocks: z.record(z.string(), z.number()), pairs: z.array(z.string()), behind: z.boolean() }),
  ),
})

/**
 * Reads who can move the money of our wallets, and what others may spend of it, each about once an hour, at a final block. What
 * cannot be read keeps the time of its last reading, which pages show.
 */
export async function readControls(
  service: Service,
  watch: Watch,
  chain: Chain,
  secret: string,
  payer: string | null,
): Promise<LedgerReport> {
  const at = chain.head - watch.confirmations + 1
  if (at < watch.startBlock || chain.calls > maxCalls) return {}
  const due = await service.call('controls_due', z.array(dueWallet), {
    chain: watch.chainId,
    wallets: [...watch.accounts.keys()],
  })
  if (due.length === 0) return {}
  // Holders hand in their signatures by requests that this key proves.
  await service.call('keep_request_key', z.null(), { key: await requestKey(secret) })
  const readings: object[] = []
  const unread: string[] = []
  const until = Date.now() + approvalsTimeout
  for (const { wallet, approvals: before } of due) {
    const note = (error: unknown) => void unread.push(`${wallet}: ${(error as Error).message}`)
    try {
      const control = await readControl(chain, wallet, at)
      const allowed = await readAllowances(chain, watch, { wallet, payer, at, before, until }).catch(note)
      readings.push({ chain_id: watch.chainId, wallet, ...control, ...allowed, block_number: at })
    } catch (error) {
      note(error)
    }
  }
  const changed = readings.length > 0 ? await service.call('record_controls', integerColumn, { readings }) : 0
  return { ...(changed > 0 && { controls: changed }), ...(unread.length > 0 && { controlsUnread: unread }) }
}
