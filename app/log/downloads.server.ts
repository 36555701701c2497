import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import {
  asFile,
  type Format,
  jsonLines,
  limitFault,
  parseLimit,
  streamRows,
  writeRows,
} from '../platform/downloads/rows.server'
import {
  openToAll,
  readState,
  refuse,
  respondWithEtag,
  tooMany,
  unavailable,
} from '../platform/downloads/state.server'
import { rowsPerCall } from '../platform/server/data.server'
import {
  type Anchor,
  type LogEntry,
  type LogText,
  listAnchors,
  listCheckpoints,
  listEntries,
  listTexts,
  readCheckpoint,
  readInclusion,
  readLastCosignature,
  readTile,
  type SignedCheckpoint,
} from './published-log.server'
import { parseTilePath, tilePath } from './tile'

/** tlog-tiles: 'mutable, so its headers SHOULD prevent caching beyond a few seconds.' */
const checkpointCaching = 'public, max-age=5'
/** tlog-tiles, 'Merkle Tree': 'This endpoint is immutable, so its caching headers SHOULD be long-lived.' */
const tileCaching = 'public, max-age=31536000, immutable'

const plainText = 'text/plain; charset=utf-8'

/**
 * The newest checkpoint of the log, byte for byte as it was signed, with the signature lines of the witnesses
 * (tlog-tiles, 'Checkpoints'). Responds with 404 before the first checkpoint.
 */
export async function answerCheckpoint({ context }: LoaderFunctionArgs, name: string): Promise<Response> {
  const checkpoint = await readCheckpoint(context.publicData(), name, context.config)
  if (!checkpoint) return unavailable()
  if (checkpoint === 'none') return notFound('No checkpoint of this log has been signed yet.')
  return textOf(checkpoint.note, checkpointCaching)
}

/** The line with the verifier key of the newest checkpoint (signed-note, 'Verifier keys'). */
export async function answerVerifierKey({ context }: LoaderFunctionArgs, name: string): Promise<Response> {
  const checkpoint = await readCheckpoint(context.publicData(), name, context.config)
  if (!checkpoint) return unavailable()
  if (checkpoint === 'none') return notFound('No checkpoint of this log has been signed yet.')
  return textOf(`${checkpoint.vkey}\n`, checkpointCaching)
}

/** A tile or an entry bundle by its path (tlog-tiles, 'Merkle Tree', 'Log entries'). */
export async function answerTile({ params, context }: LoaderFunctionArgs, name: string): Promise<Response> {
  const tile = parseTilePath(`tile/${params['*']}`)
  // A cache would store a different spelling of the URL as a different tile.
  if (!tile || context.url.href !== `${context.config.SITE_URL}/transparency/log/${tilePath(tile)}`)
    return notFound("The log doesn't have that tile.")
  const bytes = await readTile(context.publicData(), name, tile)
  if (!bytes) return unavailable()
  if (bytes === 'none') return notFound('No signed checkpoint covers this tile.')
  return new Response(bytes, {
    headers: { ...openToAll, 'Content-Type': 'application/octet-stream', 'Cache-Control': tileCaching },
  })
}

/**
 * The proof of an entry as a file for a verifier (C2SP tlog-proof). Responds with 404 if no signed checkpoint
 * covers the entry. `title` is the name of the file, without its extension.
 */
export async function answerProof(
  { context }: LoaderFunctionArgs,
  name: string,
  { index, title, subject }: { index: number; title: string; subject: 'row' | 'entry' },
): Promise<Response> {
  const proof = await readInclusion(context.publicData(), name, index, context.config)
  if (!proof) return unavailable()
  if (proof === 'none') return notFound(`No signed checkpoint covers this ${subject} yet.`)
  return new Response(proof.file, {
    headers: {
      ...openToAll,
      'Content-Type': plainText,
      'Content-Disposition': `attachment; filename="${title}.tlog-proof"`,
      'Cache-Control': 'public, max-age=30',
    },
  })
}

function textOf(text: string, caching: string): Response {
  return new Response(text, {
    headers: { ...openToAll, 'Content-Type': plainText, 'Cache-Control': caching },
  })
}

/** The 404 response to a program. */
export function notFound(message: string): Response {
  return Response.json({ message }, { status: 404, headers: { ...openToAll, 'Cache-Control': 'no-store' } })
}

/** The bytes of an entry that are hashed, followed by a line feed. */
const entryLines: Format<LogEntry> = { ...jsonLines, row: ({ entry }) => `${entry}\n` }

/**
 * The entries of the log in order, one on each line, for the verifier. `?from=` is the index of the first
 * entry (default 0), and `?limit=` the number of entries. Without a limit, all further entries are sent in
 * one stream.
 */
export async function exportEntries(
  { request, context }: LoaderFunctionArgs,
  name: string,
): Promise<Response> {
  const { log } = context
  const url = new URL(request.url)
  const limit = parseLimit(url.searchParams)
  const from = url.searchParams.get('from') ?? '0'
  const faults = /^\d{1,15}$/.test(from) ? [] : ['Invalid position. Use the from value from the Link header.']
  if (limit === null) faults.push(limitFault)
  if (faults.length || limit === null) return refuse(faults)

  const data = context.publicData()
  const state = await readState(data)
  if (!state) return unavailable()
  // The download ends at the size in its ETag. Later entries belong to the next download.
  const end = state.size ?? 0
  const read = (first: number, most: number) => listEntries(data, name, { first, end, limit: most })
  return respondWithEtag(
    { request, limit: context.limit },
    state,
    asFile(`${name}-log`, entryLines),
    async () => {
      const first = await read(Number(from), limit || rowsPerCall)
      if (!first) return unavailable()
      if (limit) {
        const next = Number(from) + limit
        const link = `<${url.pathname}?limit=${limit}&from=${next}>; rel="next"`
        return new Response(writeRows(entryLines, first), { headers: next < end ? { Link: link } : {} })
      }
      return new Response(streamRows(entryLines, first, ({ index }) => read(index + 1, rowsPerCall), log))
    },
  )
}

/**
 * Every checkpoint that was signed, with its cosignatures, oldest first. The ETag changes with each new
 * cosignature, and with the list of witnesses.
 */
export async function exportCheckpoints(args: LoaderFunctionArgs, name: string): Promise<Response> {
  const format: Format<SignedCheckpoint> = { ...jsonLines, row: ({ id, ...facts }) => jsonLines.row(facts) }
  const { config } = args.context
  const last = await readLastCosignature(args.context.publicData(), name)
  if (last === null) return unavailable()
  const keyIds = config.WITNESSES.map(({ vkey }) => vkey.split('+')[1])
  const read = (after: number) => listCheckpoints(args.context.publicData(), name, after, config)
  return exportList(args, `${name}-checkpoints`, format, read, [last, ...keyIds].join('-'))
}

/** Every anchor with transaction and status, oldest first; no ETag, as the state does not include them. */
export async function exportAnchors({ context }: LoaderFunctionArgs, name: string): Promise<Response> {
  if (await context.limit('page')) return tooMany()
  const format: Format<Anchor> = { ...jsonLines, row: ({ id, ...facts }) => jsonLines.row(facts) }
  const read = (after: number) => listAnchors(context.publicData(), name, after)
  const first = await read(0)
  if (!first) return unavailable()
  return new Response(
    streamRows(format, first, ({ id }) => read(id), context.log),
    { headers: { ...openToAll, ...asFile(`${name}-anchors`, format), 'Cache-Control': checkpointCaching } },
  )
}

/** The free texts of the entries with their salts; of a withdrawn text, both are null, with the reason. */
export function exportTexts(args: LoaderFunctionArgs, name: string): Promise<Response> {
  const format: Format<LogText> = { ...jsonLines, row: ({ id, ...facts }) => jsonLines.row(facts) }
  return exportList(args, `${name}-texts`, format, (after) =>
    listTexts(args.context.publicData(), name, after),
  )
}

async function exportList<Row extends { id: number }>(
  { request, context }: LoaderFunctionArgs,
  name: string,
  format: Format<Row>,
  read: (after: number) => Promise<Row[] | null>,
  cosigned?: string,
): Promise<Response> {
  const state = await readState(context.publicData())
  if (!state) return unavailable()
  return respondWithEtag(
    { request, limit: context.limit, cosigned },
    state,
    asFile(name, format),
    async () => {
      const first = await read(0)
      if (!first) return unavailable()
      return new Response(streamRows(format, first, ({ id }) => read(id), context.log))
    },
  )
}
