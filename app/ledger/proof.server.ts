import * as z from 'zod/mini'
import { decodeBase64, encodeText } from '../log/bytes'
import { ledgerLog } from '../log/ledger-log'
import { hashLeaf } from '../log/merkle'
import { readAnchor, readInclusion } from '../log/published-log.server'
import { encodeHex } from '../platform/bytes'
import { integerColumn, timestampColumn } from '../platform/server/columns.server'
import type { Data } from '../platform/server/data.server'
import type { Config } from '../platform/server/env.server'

/** The proof of a row for its page. Hashes are in hex. */
export interface ShownProof {
  entry: string
  leaf: string
  path: string[]
  /** The number of entries that the checkpoint covers. */
  size: number
  root: string
  signedAt: Date
  /** The signed checkpoint. */
  note: string
  vkey: string
  /** The proof as a file for a verifier (C2SP tlog-proof). */
  file: string
}

/** A transaction on the blockchain that contains a checkpoint. */
export interface ShownAnchor {
  txHash: string
  block: number
}

/** The proof of the entry with this index; 'none' until a checkpoint covers it, null if unreadable. */
export async function readProof(
  data: Data,
  index: number,
  config: Pick<Config, 'WITNESSES'>,
): Promise<ShownProof | 'none' | null> {
  const proof = await readInclusion(data, ledgerLog, index, config)
  if (!proof || proof === 'none') return proof
  const { checkpoint, entry, path, file } = proof
  return {
    entry,
    leaf: encodeHex(await hashLeaf(encodeText(entry))),
    path: path.map(encodeHex),
    size: checkpoint.size,
    root: encodeHex(decodeBase64(checkpoint.root) ?? new Uint8Array()),
    signedAt: checkpoint.signed_at,
    note: checkpoint.note,
    vkey: checkpoint.vkey,
    file,
  }
}

/** The final anchor of the smallest checkpoint that covers the entry. Null without one, or if unreadable. */
export async function findAnchor(data: Data, index: number): Promise<ShownAnchor | null> {
  const anchor = await readAnchor(data, ledgerLog, index)
  if (!anchor || anchor === 'none' || anchor.block_number === null) return null
  return { txHash: anchor.tx_hash, block: anchor.block_number }
}

const rollbackRow = z.pipe(
  z.object({ rolledBackSize: z.nullable(integerColumn), rolledBackAt: z.nullable(timestampColumn) }),
  z.transform(({ rolledBackSize: size, rolledBackAt: noticedAt }) =>
    size === null || noticedAt === null ? null : { size, noticedAt },
  ),
)

/**
 * The size of the signed checkpoint that the log no longer contains, and when the job noticed that it was
 * missing. Null if the log contains every signed checkpoint, if an operator has accepted the restore, or if
 * the state cannot be read.
 */
export function readRollback(data: Data): Promise<{ size: number; noticedAt: Date } | null> {
  return data.row('ledger_status', rollbackRow)
}
