import { createBackendAccess } from '../server/backend.server'
import { createDataClient } from '../server/data-client.server'
import { readRows } from '../server/read-rows.server'
import type { Runtime } from '../server/runtime'
import { liveHub } from './hub-access.server'
import { liveState } from './state'

/**
 * Notifies open pages of changes in the database since the last call, by any writer. Call it after a write that a
 * public page shows (in an action: `execution.waitUntil(publishChanges(runtime))`). The schedule calls it each minute,
 * for the writes of other programs. Reads one row. Logs its errors. Does nothing without the hub.
 */
export async function publishChanges({ config, env, execution, log }: Runtime): Promise<void> {
  const hub = liveHub(env)
  if (!hub) return
  try {
    const { fetch } = createBackendAccess(config, log, null, execution)
    const backend = createDataClient(config, fetch, () => undefined)
    const query = backend.from('live_state').select('ledger, calls, pools').single()
    const state = await readRows(query, liveState, log, 'live-state.not-loaded')
    if (state) await hub.compare(state)
  } catch (error) {
    log.error('live.not-published', { message: (error as Error).message })
  }
}
