import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { openToAll, unavailable } from '~/downloads/state.server'
import { readHead } from '~/ledger/head.server'
import { cached } from '~/rendering/cached'

export const handle = cached()

/**
 * The latest signed head of the ledger, and nothing that was not signed: the same bytes until the next one.
 * 404 before the first, so that a program notices.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  const head = await readHead(context.publicBackend(), context.log)
  if (head === null) return unavailable()
  if (head === 'none')
    return Response.json(
      { message: 'No head of this ledger has been signed yet.' },
      { status: 404, headers: openToAll },
    )
  return new Response(`${JSON.stringify(head)}\n`, {
    headers: { ...openToAll, 'Content-Type': 'application/json; charset=utf-8' },
  })
}
