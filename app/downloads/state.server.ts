import * as z from 'zod'
import type { Backend } from '../server/backend.server'
import { timestampColumn } from '../server/columns.server'
import { matchesEtag } from '../server/etag'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server'

const count = z.coerce.number().int().nullable()

const stateRow = z.object({
  size: z.coerce.number().int(),
  leaf: z.string().nullable(),
  recorded_at: timestampColumn.nullable(),
  check_id: count,
  signed_size: count,
})

/** What tells one state of the ledger from another; `leaf` is the hash of the last entry, null before the first. */
export type LedgerState = z.infer<typeof stateRow>

/** One row, read by index: cheap enough for every request. Null where it can't be read. */
export async function readState(backend: Backend, log: Log): Promise<LedgerState | null> {
  const query = backend
    .from('ledger_status')
    .select('size, leaf, recorded_at, check_id, signed_size')
    .single()
  return readRows(query, stateRow, log, 'ledger-state.not-loaded')
}

/**
 * What is made of the ledger in this state, with its headers: `make` is asked only where the caller does not have
 * it. The tag is weak: a check that is recorded while rows are being sent may or may not be among them.
 */
export async function respondWithEtag(
  request: Request,
  state: LedgerState,
  more: Record<string, string>,
  make: () => Promise<Response>,
): Promise<Response> {
  const { size, leaf, check_id, signed_size } = state
  const { search } = new URL(request.url)
  const tag = `"${[import.meta.env.RELEASE, size, leaf?.slice(0, 8) ?? 0, check_id ?? 0, signed_size ?? 0].join('.')}${search}"`
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
  // A refusal has headers of its own.
  if (made.ok) for (const [name, value] of headers) made.headers.set(name, value)
  return made
}

/** Everybody's data: a page of another site may read it too. */
export const openToAll = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Link, Content-Disposition',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** For a program: what was wrong with what it asked. */
export function refuse(faults: string[]): Response {
  return Response.json({ message: faults.join(' ') }, { status: 400, headers: openToAll })
}

/** For a program: come again. */
export function unavailable(): Response {
  return Response.json(
    { message: 'The ledger cannot be read right now.' },
    { status: 503, headers: { ...openToAll, 'Retry-After': '60' } },
  )
}
