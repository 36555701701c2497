import * as z from 'zod/mini'
import { integerColumn } from '../platform/server/columns.server.ts'
import type { Service } from '../platform/server/service.server.ts'
import { signCheckpoint } from './checkpoint.ts'
import type { CheckpointMemory } from './checkpoint-memory.ts'
import { ledgerLog } from './ledger-log.ts'
import { verifierKeyOf } from './note.ts'
import type { AnchoredCheckpoint } from './unknown-anchor.server.ts'

const statusRow = z.object({
  size: z.nullable(integerColumn),
  signed_size: z.nullable(integerColumn),
  rolled_back_size: z.nullable(integerColumn),
})

export interface LogKey {
  /** An Ed25519 key as PKCS #8 DER in base64. */
  privateKey: string
  origin: string
}

/** The log lacks a signed checkpoint, because the database was restored from a backup. */
export class RolledBack extends Error {}

/**
 * Sends signed checkpoints to the database. The database compares each with the log, and records a checkpoint
 * that the log does not contain, unless an operator has accepted the loss.
 */
async function reportRollback(service: Service, signed: readonly AnchoredCheckpoint[]): Promise<void> {
  for (const { size, root } of signed)
    await service.call('report_rollback', z.boolean(), { log: ledgerLog, size, root })
}

/**
 * Signs the log at its current size and archives the checkpoint. Returns the size, or null if that size was
 * signed before or the log is empty. The checkpoint is written to `memory` before it is archived, so that a
 * killed run does not leave `memory` older than the published checkpoint. If `memory` is older nevertheless,
 * it is corrected. `anchored` is a checkpoint that was found on the chain. Throws RolledBack if the log lacks
 * `anchored`, the checkpoint in `memory` or a checkpoint that was reported earlier, until an operator has
 * accepted the loss (`npm run ledger -- accept-restore`).
 */
export async function signLog(
  service: Service,
  { privateKey, origin }: LogKey,
  memory: CheckpointMemory | null,
  anchored: AnchoredCheckpoint | null = null,
): Promise<number | null> {
  const remembered = await memory?.read(ledgerLog)
  await reportRollback(
    service,
    [remembered, anchored].filter((checkpoint) => !!checkpoint),
  )
  const status = await service.row('ledger_status', statusRow)
  if (status.rolled_back_size !== null)
    throw new RolledBack(
      `the log lacks the signed checkpoint of ${status.rolled_back_size} entries: restored from a backup? See docs/ledger-job.md`,
    )
  const { size, signed_size: signed } = status
  if (!size) return null
  // A late run may have written a smaller checkpoint, and an empty memory lacks the newest checkpoint.
  const isRemembered = !memory || (remembered && remembered.size >= size)
  if (size === signed && isRemembered) return null
  const root = await service.call('log_root', z.string(), { log: ledgerLog, size })
  if (size === signed) {
    await memory?.write(ledgerLog, { size, root })
    return null
  }
  const note = await signCheckpoint(privateKey, origin, size, root)
  const vkey = await verifierKeyOf({ name: origin, privateKey })
  await memory?.write(ledgerLog, { size, root })
  const given = { log: ledgerLog, size, root, note, vkey }
  const archived = await service.call('archive_checkpoint', z.boolean(), given)
  return archived ? size : null
}
