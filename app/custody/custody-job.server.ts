import * as z from 'zod/mini'
import { maxCalls } from '../chain/job-limits.ts'
import type { Chain } from '../chain/rpc.ts'
import type { LedgerReport } from '../ledger/job/ledger-report.ts'
import type { Watch } from '../ledger/job/watch.ts'
import { requestKey } from '../platform/request-key.ts'
import { integerColumn } from '../platform/server/columns.server.ts'
import type { Service } from '../platform/server/service.server.ts'
import { readControl } from './safe.ts'

/**
 * Reads who can move the money of our wallets, each about once an hour, at a final block. A wallet that cannot be read keeps
 * the time of its last reading, which pages show.
 */
export async function readControls(
  service: Service,
  watch: Watch,
  chain: Chain,
  secret: string,
): Promise<LedgerReport> {
  const at = chain.head - watch.confirmations + 1
  if (at < watch.startBlock || chain.calls > maxCalls) return {}
  const due = await service.call('controls_due', z.array(z.string()), {
    chain: watch.chainId,
    wallets: [...watch.accounts.keys()],
  })
  if (due.length === 0) return {}
  // Holders hand in their signatures by requests that this key proves.
  await service.call('keep_request_key', z.null(), { key: await requestKey(secret) })
  const readings: object[] = []
  const unread: string[] = []
  for (const wallet of due) {
    try {
      const control = await readControl(chain, wallet, at)
      readings.push({ chain_id: watch.chainId, wallet, ...control, block_number: at })
    } catch (error) {
      unread.push(`${wallet}: ${(error as Error).message}`)
    }
  }
  const changed = readings.length > 0 ? await service.call('record_controls', integerColumn, { readings }) : 0
  return { ...(changed > 0 && { controls: changed }), ...(unread.length > 0 && { controlsUnread: unread }) }
}
