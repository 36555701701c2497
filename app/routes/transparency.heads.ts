import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { listHeads } from '~/ledger/head.server'

/** Every head that was ever signed, oldest first, one JSON object a line: each is a head.json of its time. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { log } = context
  const backend = context.backend()
  let heads = await listHeads(backend, 0, log)
  if (!heads) return Response.json({ message: 'The ledger cannot be read right now.' }, { status: 503 })

  const body = new ReadableStream<string>({
    async pull(controller) {
      // Half an archive must not look like a whole one.
      if (!heads) return controller.error(new Error('the archive of heads cannot be read any further'))
      for (const { head } of heads) controller.enqueue(`${JSON.stringify(head)}\n`)
      const last = heads.at(-1)
      if (!last) return controller.close()
      heads = await listHeads(backend, last.id, log)
    },
  })
  return new Response(body.pipeThrough(new TextEncoderStream()), {
    headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8', 'Cache-Control': 'public, max-age=60' },
  })
}
