import * as z from 'zod/mini'
import { integerColumn, timestampColumn } from '../platform/server/columns.server'
import { type Data, rowsPerCall } from '../platform/server/data.server'
import type { Config } from '../platform/server/env.server'
import { type Bytes, decodeBase64, encodeText, LogError } from './bytes'
import { keepWitnesses } from './cosignature'
import { formatProof } from './proof'
import { type Bundle, type Tile, widthAt } from './tile'

// The keys are the names of the columns, because the exports publish these rows as they are.

const checkpointRow = z.object({
  id: integerColumn,
  size: integerColumn,
  /** In base64. */
  root: z.string(),
  /** The signed note, byte for byte, followed by the signature lines of the configured witnesses. */
  note: z.string(),
  /** The verifier key of the key that signed the checkpoint. */
  vkey: z.string(),
  signed_at: timestampColumn,
})
export type SignedCheckpoint = z.infer<typeof checkpointRow>

/** The witnesses whose lines the notes contain. The database stores the lines of former witnesses too. */
type Witnessed = Pick<Config, 'WITNESSES'>

function withWitnesses(checkpoint: SignedCheckpoint, { WITNESSES }: Witnessed): SignedCheckpoint {
  const keys = WITNESSES.map(({ vkey }) => vkey)
  return { ...checkpoint, note: keepWitnesses(checkpoint.note, keys) }
}

const entryRow = z.object({ index: integerColumn, entry: z.string() })
export type LogEntry = z.infer<typeof entryRow>

const anchorRow = z.object({
  id: integerColumn,
  size: integerColumn,
  root: z.string(),
  chain_id: integerColumn,
  address: z.string(),
  tx_hash: z.string(),
  status: z.string(),
  block_number: z.nullable(integerColumn),
  block_hash: z.nullable(z.string()),
  block_time: z.nullable(timestampColumn),
})
export type Anchor = z.infer<typeof anchorRow>

const textRow = z.object({
  id: integerColumn,
  hash: z.string(),
  salt: z.nullable(z.string()),
  text: z.nullable(z.string()),
  withdrawn_at: z.nullable(timestampColumn),
  reason: z.nullable(z.string()),
  withdrawn_index: z.nullable(integerColumn),
  /** The URL of the post on X that contains this text. X publishes the text; this site does not. */
  post_url: z.nullable(z.string()),
})
export type LogText = z.infer<typeof textRow>

/** The newest checkpoint of the log with this name. 'none' before the first, null if unreadable. */
export async function readCheckpoint(
  data: Data,
  name: string,
  config: Witnessed,
): Promise<SignedCheckpoint | 'none' | null> {
  const rows = await data.rows('newest_checkpoints', checkpointRow, (query) => query.eq('log', name))
  return rows && (rows[0] ? withWitnesses(rows[0], config) : 'none')
}

const formerNameRow = z.object({
  origin: z.string(),
  vkey: z.string(),
  until: timestampColumn,
  reason: z.string(),
})
export type FormerName = z.infer<typeof formerNameRow>

/** The log's names before each restore, with the end of their use, latest first; null if unreadable. */
export function listFormerNames(data: Data, name: string): Promise<FormerName[] | null> {
  return data.rows('former_log_names', formerNameRow, (query) =>
    query.eq('log', name).order('until', { ascending: false }),
  )
}

/** The first `rowsPerCall` checkpoints with an id above `after`, oldest first; null if unreadable. */
export async function listCheckpoints(
  data: Data,
  name: string,
  after: number,
  config: Witnessed,
): Promise<SignedCheckpoint[] | null> {
  const rows = await data.rows('published_checkpoints', checkpointRow, (query) =>
    query.eq('log', name).gt('id', after).order('id').limit(rowsPerCall),
  )
  return rows?.map((row) => withWitnesses(row, config)) ?? null
}

const cosignatureId = z.object({ id: integerColumn })

/** The id of the last stored cosignature, 0 if no checkpoint was cosigned; null if it cannot be read. */
export async function readLastCosignature(data: Data, name: string): Promise<number | null> {
  const rows = await data.rows('published_cosignatures', cosignatureId, (query) =>
    query.eq('log', name).order('id', { ascending: false }).limit(1),
  )
  return rows && (rows[0]?.id ?? 0)
}

/** Entries from index `first` to `end` (exclusive), at most `limit`; null if they cannot be read. */
export function listEntries(
  data: Data,
  name: string,
  { first, end, limit }: { first: number; end: number; limit: number },
): Promise<LogEntry[] | null> {
  const last = Math.min(end, first + limit)
  return data.rows('published_entries', entryRow, (query) =>
    query.eq('log', name).gte('index', first).lt('index', last).order('index').limit(limit),
  )
}

/** The first `rowsPerCall` anchors with an id above `after`, oldest first; null if they cannot be read. */
export function listAnchors(data: Data, name: string, after: number): Promise<Anchor[] | null> {
  return data.rows('published_anchors', anchorRow, (query) =>
    query.eq('log', name).gt('id', after).order('id').limit(rowsPerCall),
  )
}

/**
 * The final anchor with the smallest checkpoint that covers the entry. 'none' if no final anchor covers the
 * entry, null if the anchors cannot be read.
 */
export async function readAnchor(data: Data, name: string, index: number): Promise<Anchor | 'none' | null> {
  const rows = await data.rows('published_anchors', anchorRow, (query) =>
    query.eq('log', name).eq('status', 'anchored').gt('size', index).order('size').limit(1),
  )
  return rows && (rows[0] ?? 'none')
}

/** The first `rowsPerCall` texts with an id above `after`, with their salts; null if they cannot be read. */
export function listTexts(data: Data, name: string, after: number): Promise<LogText[] | null> {
  return data.rows('published_texts', textRow, (query) =>
    query.eq('log', name).gt('id', after).order('id').limit(rowsPerCall),
  )
}

const bytes = z.pipe(
  z.nullable(z.string()),
  z.transform((text) => ({ bytes: text === null ? null : decodeBase64(text) })),
)

/**
 * A tile or bundle as bytes. 'none' unless the newest checkpoint covers the tile or bundle, because unsigned
 * entries may still be lost with the database, and caches store a tile as immutable. Null if the tile or
 * bundle cannot be read.
 */
export async function readTile(
  data: Data,
  name: string,
  { level, index: n, width }: Tile | Bundle,
): Promise<Bytes | 'none' | null> {
  const [checkpoint, tile] = await Promise.all([
    readCheckpoint(data, name, { WITNESSES: [] }),
    level === 'entries'
      ? data.call('log_bundle', bytes, { log: name, n, width }, { get: true })
      : data.call('log_tile', bytes, { log: name, level, n, width }, { get: true }),
  ])
  if (!checkpoint || !tile) return null
  const size = checkpoint === 'none' ? 0 : checkpoint.size
  if (widthAt(size, level === 'entries' ? 0 : level, n) < width) return 'none'
  return tile.bytes ?? 'none'
}

const inclusion = z.nullable(z.object({ entry: z.string(), path: z.array(z.string()) }))

/** The data of an entry's page: the entry, its proof in the newest checkpoint, and the key. */
export interface InclusionProof {
  checkpoint: SignedCheckpoint
  index: number
  /** The entry in the form in which it is hashed. */
  entry: string
  path: Bytes[]
  /** The same proof as one file: C2SP tlog-proof. */
  file: string
}

/**
 * The inclusion proof of an entry in the newest checkpoint. 'none' if no checkpoint covers the entry yet, null if the
 * proof cannot be read. Throws a LogError if a hash of the proof is not base64.
 */
export async function readInclusion(
  data: Data,
  name: string,
  index: number,
  config: Witnessed,
): Promise<InclusionProof | 'none' | null> {
  const checkpoint = await readCheckpoint(data, name, config)
  if (!checkpoint) return null
  if (checkpoint === 'none' || index >= checkpoint.size) return 'none'
  const given = { log: name, index, size: checkpoint.size }
  const row = await data.call('log_inclusion', inclusion, given, { get: true })
  if (!row) return null
  const path = row.path.map((hash) => {
    const decoded = decodeBase64(hash)
    if (!decoded) throw new LogError('A hash of the proof is malformed.')
    return decoded
  })
  const file = formatProof({ entry: encodeText(row.entry), index, path, note: checkpoint.note })
  return { checkpoint, index, entry: row.entry, path, file }
}
