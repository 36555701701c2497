import * as z from 'zod/mini'
import { integerColumn } from '../server/columns.server'
import type { Data } from '../server/data.server'
import { matchesEtag } from '../server/etag'
import { type Limit, limitWindow } from '../server/rate-limit.server'

const count = z.nullable(integerColumn)

const stateRow = z.object({
  /** The number of entries of the log. */
  size: count,
  /** The hash of the last entry, which distinguishes two histories of the same size. */
  leaf: z.nullable(z.string()),
  checkId: count,
  /** The number of entries that the newest checkpoint covers. */
  signedSize: count,
})

/** The state of the ledger. Every append, check and signature changes this state. */
export type LedgerState = z.infer<typeof stateRow>

/** Reads the state: one row by its index, cheap enough for every request. Null if unreadable. */
export function readState(data: Data): Promise<LedgerState | null> {
  return data.row('ledger_status', stateRow)
}

/**
 * A download that depends only on the ledger, the URL and the release. Responds with 304 if the client has
 * this state, responds to HEAD with the headers alone, and otherwise returns the result of `make`. A
 * successful response has an ETag, caching headers and `more`. The tag is weak, because a check that is
 * recorded during a download may or may not be in the download.
 *
 * `cosigned` identifies the cosignatures in the download.
 *
 * Each call of `make` counts towards a rate limit: as a search if the URL has a query, because each query is
 * a separate search of the database, otherwise as a page.
 */
export async function respondWithEtag(
  { request, limit, cosigned }: { request: Request; limit: Limit; cosigned?: string },
  state: LedgerState,
  more: Record<string, string>,
  make: () => Promise<Response>,
): Promise<Response> {
  const { size, leaf, checkId, signedSize } = state
  const { search } = new URL(request.url)
  const tag = `"${[import.meta.env.RELEASE, size ?? 0, leaf?.slice(0, 8) ?? 0, checkId ?? 0, signedSize ?? 0, ...(cosigned ? [cosigned] : [])].join('.')}${search}"`
  const headers = new Headers({
    ...openToAll,
    'Cache-Control': 'public, max-age=30',
    ETag: `W/${tag}`,
    ...more,
  })
  if (matchesEtag(request.headers.get('If-None-Match'), tag))
    return new Response(null, { status: 304, headers })
  if (request.method === 'HEAD') return new Response(null, { headers })
  if (await limit(search ? 'search' : 'page')) return tooMany()
  const made = await make()
  // A failed response keeps its own headers.
  if (made.ok) for (const [name, value] of headers) made.headers.set(name, value)
  return made
}

/** Headers that allow scripts of other sites to read a response. */
export const openToAll = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Link, Content-Disposition',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** The 400 response to a program, with an error message for each invalid parameter. */
export function refuse(faults: string[]): Response {
  return Response.json({ message: faults.join(' ') }, { status: 400, headers: openToAll })
}

/** The 429 response to a program whose network has made too many downloads. */
export function tooMany(): Response {
  return Response.json(
    { message: 'Too many downloads. Please wait a minute and try again.' },
    { status: 429, headers: { ...openToAll, 'Cache-Control': 'no-store', 'Retry-After': `${limitWindow}` } },
  )
}

/** The 503 response to a program: the ledger cannot be read, and the client may retry in a minute. */
export function unavailable(): Response {
  return Response.json(
    { message: "We can't load the ledger right now. Please try again in a minute." },
    { status: 503, headers: { ...openToAll, 'Retry-After': '60' } },
  )
}
