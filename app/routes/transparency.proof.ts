import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { openToAll, unavailable } from '~/downloads/state.server'
import { ledgerLog } from '~/ledger/ledger-log'
import { readRecordIndex } from '~/ledger/record.server'
import { readInclusion } from '~/log/published-log.server'

/** The proof of a row as a file for a verifier (C2SP tlog-proof). 404 if the row or its checkpoint does not exist. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const data = context.publicData()
  const id = /^[1-9]\d{0,14}$/.exec(params.id ?? '')?.[0]
  const index = id ? await readRecordIndex(data, Number(id)) : 'none'
  if (index === null) return unavailable()
  const proof = index === 'none' ? 'none' : await readInclusion(data, ledgerLog, index)
  if (!proof) return unavailable()
  if (proof === 'none')
    return Response.json(
      {
        message:
          index === 'none'
            ? "The ledger doesn't have this row."
            : 'No signed checkpoint covers this row yet.',
      },
      { status: 404, headers: { ...openToAll, 'Cache-Control': 'no-store' } },
    )
  return new Response(proof.file, {
    headers: {
      ...openToAll,
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Disposition': `attachment; filename="${id}.tlog-proof"`,
      'Cache-Control': 'public, max-age=30',
    },
  })
}
