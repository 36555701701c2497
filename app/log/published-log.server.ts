import * as z from 'zod'
import { timestampColumn } from '../server/columns.server'
import type { Api as Backend } from '../server/data.server'
import type { Log } from '../server/log.server'
import { readRows, rowsPerCall } from '../server/read-rows.server'
import { decodeBase64, encodeText, LogError, type Octets } from './octets'
import { formatProof } from './proof'
import { type Bundle, type Tile, widthAt } from './tile'

const integer = z.coerce.number().int()

const checkpointRow = z.object({
  id: integer,
  size: integer,
  /** Base64. */
  root: z.string(),
  /** The signed note, byte for byte. */
  note: z.string(),
  /** The verifier key of the key that signed. */
  vkey: z.string(),
  signed_at: timestampColumn,
})
export type SignedCheckpoint = z.infer<typeof checkpointRow>
const checkpointColumns = 'id, size, root, note, vkey, signed_at'

const entryRow = z.object({ index: integer, entry: z.string() })
export type LogEntry = z.infer<typeof entryRow>

const anchorRow = z.object({
  id: integer,
  size: integer,
  root: z.string(),
  chain_id: integer,
  address: z.string(),
  tx_hash: z.string(),
  status: z.string(),
  block_number: integer.nullable(),
  block_hash: z.string().nullable(),
  block_time: timestampColumn.nullable(),
})
export type Anchor = z.infer<typeof anchorRow>

const textRow = z.object({
  id: integer,
  hash: z.string(),
  salt: z.string().nullable(),
  text: z.string().nullable(),
  withdrawn_at: timestampColumn.nullable(),
  reason: z.string().nullable(),
  withdrawn_index: integer.nullable(),
})
export type LogText = z.infer<typeof textRow>

/** The newest checkpoint of the log with this name, 'none' before the first, null if it cannot be read. */
export async function readCheckpoint(
  backend: Backend,
  name: string,
  log: Log,
): Promise<SignedCheckpoint | 'none' | null> {
  const query = backend.from('newest_checkpoints').select(checkpointColumns).eq('log', name)
  const rows = await readRows(query, z.array(checkpointRow), log, 'checkpoint.not-loaded')
  return rows && (rows[0] ?? 'none')
}

/** The first `rowsPerCall` checkpoints with an id above `after`, the oldest first; null if they cannot be read. */
export function listCheckpoints(
  backend: Backend,
  name: string,
  after: number,
  log: Log,
): Promise<SignedCheckpoint[] | null> {
  const query = backend
    .from('published_checkpoints')
    .select(checkpointColumns)
    .eq('log', name)
    .gt('id', after)
    .order('id')
    .limit(rowsPerCall)
  return readRows(query, z.array(checkpointRow), log, 'checkpoints.not-loaded')
}

/** Entries from index `first` up to but without `end`, at most `limit`; null if they cannot be read. */
export function listEntries(
  backend: Backend,
  name: string,
  { first, end, limit }: { first: number; end: number; limit: number },
  log: Log,
): Promise<LogEntry[] | null> {
  const query = backend
    .from('published_entries')
    .select('index, entry')
    .eq('log', name)
    .gte('index', first)
    .lt('index', Math.min(end, first + limit))
    .order('index')
    .limit(limit)
  return readRows(query, z.array(entryRow), log, 'entries.not-loaded')
}

/** The first `rowsPerCall` anchors with an id above `after`, the oldest first; null if they cannot be read. */
export function listAnchors(
  backend: Backend,
  name: string,
  after: number,
  log: Log,
): Promise<Anchor[] | null> {
  const query = backend
    .from('published_anchors')
    .select('id, size, root, chain_id, address, tx_hash, status, block_number, block_hash, block_time')
    .eq('log', name)
    .gt('id', after)
    .order('id')
    .limit(rowsPerCall)
  return readRows(query, z.array(anchorRow), log, 'anchors.not-loaded')
}

/**
 * Of the final anchors that cover the entry, the one with the smallest checkpoint. 'none' if no final anchor covers
 * the entry, null if the anchors cannot be read.
 */
export async function readAnchor(
  backend: Backend,
  name: string,
  index: number,
  log: Log,
): Promise<Anchor | 'none' | null> {
  const query = backend
    .from('published_anchors')
    .select('id, size, root, chain_id, address, tx_hash, status, block_number, block_hash, block_time')
    .eq('log', name)
    .eq('status', 'anchored')
    .gt('size', index)
    .order('size')
    .limit(1)
  const rows = await readRows(query, z.array(anchorRow), log, 'anchor.not-loaded')
  return rows && (rows[0] ?? 'none')
}

/** The first `rowsPerCall` texts with an id above `after`, with their salts; null if they cannot be read. */
export function listTexts(
  backend: Backend,
  name: string,
  after: number,
  log: Log,
): Promise<LogText[] | null> {
  const query = backend
    .from('published_texts')
    .select('id, hash, salt, text, withdrawn_at, reason, withdrawn_index')
    .eq('log', name)
    .gt('id', after)
    .order('id')
    .limit(rowsPerCall)
  return readRows(query, z.array(textRow), log, 'texts.not-loaded')
}

const octets = z
  .string()
  .nullable()
  .transform((text) => ({ octets: text === null ? null : decodeBase64(text) }))

/**
 * A tile or bundle as bytes. 'none' unless the newest checkpoint covers it: unsigned entries may still be lost with the
 * database, and a tile is cached as immutable. Null if it cannot be read.
 */
export async function readTile(
  backend: Backend,
  name: string,
  { level, index: n, width }: Tile | Bundle,
  log: Log,
): Promise<Octets | 'none' | null> {
  const query =
    level === 'entries'
      ? backend.rpc('log_bundle', { log: name, n, width }, { get: true })
      : backend.rpc('log_tile', { log: name, level, n, width }, { get: true })
  const [checkpoint, found] = await Promise.all([
    readCheckpoint(backend, name, log),
    readRows(query, octets, log, 'tile.not-loaded'),
  ])
  if (!checkpoint || !found) return null
  const size = checkpoint === 'none' ? 0 : checkpoint.size
  if (widthAt(size, level === 'entries' ? 0 : level, n) < width) return 'none'
  return found.octets ?? 'none'
}

const inclusion = z.object({ entry: z.string(), path: z.array(z.string()) }).nullable()

/** What the page of an entry shows: the entry, its proof in the newest checkpoint, and the key. */
export interface InclusionProof {
  checkpoint: SignedCheckpoint
  index: number
  /** The entry, as it is hashed. */
  entry: string
  path: Octets[]
  /** The same as one file: C2SP tlog-proof. */
  file: string
}

/**
 * The inclusion proof of an entry in the newest checkpoint. 'none' if no checkpoint covers the entry yet, null if the
 * proof cannot be read. Throws a LogError if a hash of the proof is not base64.
 */
export async function readInclusion(
  backend: Backend,
  name: string,
  index: number,
  log: Log,
): Promise<InclusionProof | 'none' | null> {
  const checkpoint = await readCheckpoint(backend, name, log)
  if (!checkpoint) return null
  if (checkpoint === 'none' || index >= checkpoint.size) return 'none'
  const query = backend.rpc('log_inclusion', { log: name, index, size: checkpoint.size }, { get: true })
  const found = await readRows(query, inclusion, log, 'inclusion.not-loaded')
  if (!found) return null
  const path = found.path.map((hash) => {
    const decoded = decodeBase64(hash)
    if (!decoded) throw new LogError('A hash of the proof is malformed.')
    return decoded
  })
  const file = formatProof({ entry: encodeText(found.entry), index, path, note: checkpoint.note })
  return { checkpoint, index, entry: found.entry, path, file }
}
