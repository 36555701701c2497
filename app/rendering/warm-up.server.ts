import { readResponse } from '../server/backend-response'
import type { Runtime } from '../server/runtime.server'
import { sleep } from '../server/timeout'

/** How long a render waits for the backend before a warm-up begins, in milliseconds. */
const patience = 4

/** The routes whose code has run in this isolate. */
const warm = new Set<string>()

/** A backend whose relations are empty, and a log that writes nothing. */
export const withoutRows: Pick<Runtime, 'fetch' | 'log'> = {
  fetch: () => readResponse(Response.json([])),
  log: { requestId: '', failed: false, info() {}, warn() {}, error() {} },
}

/**
 * Runs the code of a route once while its first render in this isolate waits for the backend. Most of the time
 * of a first render is the compilation of its code, which then is done before the answers arrive. `run` renders
 * the page with `withoutRows`; its result is discarded. Nothing happens if the backend answers within the patience.
 */
export async function warmUp(
  id: string,
  rendering: Promise<unknown>,
  run: () => Promise<unknown>,
): Promise<void> {
  if (warm.has(id)) return
  warm.add(id)
  let isRendered = false
  const note = () => {
    isRendered = true
  }
  rendering.then(note, note)
  // The first pause ends after the loaders have sent their requests.
  await sleep(0)
  await sleep(patience)
  if (!isRendered) await run().catch(() => {})
}
