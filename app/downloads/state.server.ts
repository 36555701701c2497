import * as z from 'zod'
import type { Api as Backend } from '../server/data.server'
import { matchesEtag } from '../server/etag'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'

const count = z.coerce.number().int().nullable()

const stateRow = z.object({
  /** Entries of the log. */
  size: count,
  /** Hash of the last entry: distinguishes two histories of the same size. */
  leaf: z.string().nullable(),
  check_id: count,
  /** Entries that the newest checkpoint covers. */
  signed_size: count,
})

/** The state of the ledger: every append, check and signature changes it. */
export type LedgerState = z.infer<typeof stateRow>

/** Reads the state: one row by index, which is cheap enough for each request. Null if it cannot be read. */
export async function readState(backend: Backend, log: Log): Promise<LedgerState | null> {
  const query = backend.from('ledger_status').select('size, leaf, check_id, signed_size').single()
  return readRows(query, stateRow, log, 'ledger-state.not-loaded')
}

/**
 * A download that depends only on the ledger, the URL and the release: 304 if the client has this state, the headers
 * alone for HEAD, otherwise what `make` returns. A success has an ETag, caching headers and `more`. The tag is weak,
 * because a check that is recorded during a download may or may not be in the download.
 */
export async function respondWithEtag(
  request: Request,
  state: LedgerState,
  more: Record<string, string>,
  make: () => Promise<Response>,
): Promise<Response> {
  const { size, leaf, check_id, signed_size } = state
  const { search } = new URL(request.url)
  const tag = `"${[import.meta.env.RELEASE, size ?? 0, leaf?.slice(0, 8) ?? 0, check_id ?? 0, signed_size ?? 0].join('.')}${search}"`
  const headers = new Headers({
    ...openToAll,
    'Cache-Control': 'public, max-age=30',
    ETag: `W/${tag}`,
    ...more,
  })
  if (matchesEtag(request.headers.get('If-None-Match'), tag))
    return new Response(null, { status: 304, headers })
  if (request.method === 'HEAD') return new Response(null, { headers })
  const made = await make()
  // A failure keeps its own headers.
  if (made.ok) for (const [name, value] of headers) made.headers.set(name, value)
  return made
}

/** Scripts of other sites may read these responses. */
export const openToAll = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Link, Content-Disposition',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** 400 for a program, with a sentence about each invalid parameter. */
export function refuse(faults: string[]): Response {
  return Response.json({ message: faults.join(' ') }, { status: 400, headers: openToAll })
}

/** 503 for a program: the ledger cannot be read, retry in a minute. */
export function unavailable(): Response {
  return Response.json(
    { message: "We can't load the ledger right now. Please try again in a minute." },
    { status: 503, headers: { ...openToAll, 'Retry-After': '60' } },
  )
}
