import * as z from 'zod'
import type { Backend } from '../server/backend.server'
import { timestampColumn } from '../server/columns.server.ts'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server.ts'

/** A signed checkpoint of the log, as /transparency/head.json publishes it. */
export interface Head {
  format: typeof format
  seq: number
  hash: string
  /** UTC, in milliseconds. */
  signed_at: string
  /** The verifier key. */
  public_key: string
  signature: string
}

const format = 'goodblock-head-1'
const columns = 'id, size, root, note, vkey, signed_at'
/** The API answers with no more rows than this. */
const headsPerCall = 1_000

const headRow = z.object({
  id: z.coerce.number().int(),
  size: z.coerce.number().int(),
  root: z.string(),
  signed_at: timestampColumn.transform((at) => at.toISOString()),
  vkey: z.string(),
  note: z.string(),
})

/** The latest signed head, 'none' before the first, null where it can't be read. */
export async function readHead(backend: Backend, log: Log): Promise<Head | 'none' | null> {
  const query = backend
    .from('published_checkpoints')
    .select(columns)
    .order('id', { ascending: false })
    .limit(1)
  const rows = await readHeads(query, log)
  return rows && (rows[0]?.head ?? 'none')
}

/** The archive of heads in the order in which they were signed, page by page; null where one can't be read. */
export async function listHeads(backend: Backend, after: number, log: Log): Promise<ArchivedHead[] | null> {
  const query = backend
    .from('published_checkpoints')
    .select(columns)
    .gt('id', after)
    .order('id')
    .limit(headsPerCall)
  return readHeads(query, log)
}

export interface ArchivedHead {
  /** Where it stands in the archive. */
  id: number
  head: Head
}

async function readHeads(query: Parameters<typeof readRows>[0], log: Log): Promise<ArchivedHead[] | null> {
  const rows = await readRows(query, z.array(headRow), log, 'heads.not-loaded')
  return (
    rows?.map(({ id, size, root, signed_at, vkey, note }) => ({
      id,
      head: { format, seq: size, hash: root, signed_at, public_key: vkey, signature: note },
    })) ?? null
  )
}
