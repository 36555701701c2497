import { ledgerLog } from '../ledger/ledger-log.ts'
import { signCheckpoint } from '../log/checkpoint.ts'
import { verifierKeyOf } from '../log/note.ts'
import type { CheckpointMemory } from './checkpoint-memory.ts'
import { type Service, unwrap } from './ledger-writer.server.ts'

export interface LogKey {
  /** Ed25519, PKCS #8 DER in base64. */
  privateKey: string
  origin: string
}

/** The log lacks a checkpoint that was signed: the database was restored from a backup. */
export class RolledBack extends Error {}

/**
 * Throws RolledBack where the log does not contain the highest checkpoint ever signed, until an operator has accepted
 * it (`npm run ledger -- accept-restore`). The database then says so to visitors.
 */
async function refuseRollback(service: Service, memory: CheckpointMemory | null): Promise<void> {
  const remembered = await memory?.read(ledgerLog)
  if (!remembered) return
  const { size, root } = remembered
  const isLost = await unwrap(
    'report_rollback',
    service.rpc('report_rollback', { log: ledgerLog, size, root }),
  )
  if (isLost)
    throw new RolledBack(
      `the log lacks the signed checkpoint of ${size} entries: restored from a backup? See docs/ledger-job.md`,
    )
}

/**
 * Signs the log at its present size and archives the checkpoint. Returns the size, or null where it was signed before.
 * The checkpoint is remembered before it is archived: a checkpoint that somebody may have seen is never forgotten.
 */
export async function signLog(
  service: Service,
  { privateKey, origin }: LogKey,
  memory: CheckpointMemory | null,
): Promise<number | null> {
  await refuseRollback(service, memory)
  const { size, signed_size: signed } = await unwrap(
    'ledger_status',
    service.from('ledger_status').select('size, signed_size').single().retry(false),
  )
  if (!size || size === signed) return null
  const root = await unwrap('log_root', service.rpc('log_root', { log: ledgerLog, size }))
  const note = await signCheckpoint(privateKey, origin, size, root)
  const vkey = await verifierKeyOf({ name: origin, privateKey })
  await memory?.write(ledgerLog, { size, root })
  const archived = await unwrap(
    'archive_checkpoint',
    service.rpc('archive_checkpoint', { log: ledgerLog, size, root, note, vkey }),
  )
  return archived ? size : null
}
