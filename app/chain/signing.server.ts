import { ledgerLog } from '../ledger/ledger-log.ts'
import { signCheckpoint } from '../log/checkpoint.ts'
import { verifierKeyOf } from '../log/note.ts'
import { type Service, unwrap } from './ledger-writer.server.ts'

export interface LogKey {
  /** Ed25519, PKCS #8 DER in base64. */
  privateKey: string
  origin: string
}

/** Signs the log at its present size and archives the checkpoint. Returns the size, or null where it was signed before. */
export async function signLog(service: Service, { privateKey, origin }: LogKey): Promise<number | null> {
  const { size, signed_size: signed } = await unwrap(
    'ledger_status',
    service.from('ledger_status').select('size, signed_size').single().retry(false),
  )
  if (!size || size === signed) return null
  const root = await unwrap('log_root', service.rpc('log_root', { log: ledgerLog, size }))
  const note = await signCheckpoint(privateKey, origin, size, root)
  const vkey = await verifierKeyOf({ name: origin, privateKey })
  const archived = await unwrap(
    'archive_checkpoint',
    service.rpc('archive_checkpoint', { log: ledgerLog, size, root, note, vkey }),
  )
  return archived ? size : null
}
