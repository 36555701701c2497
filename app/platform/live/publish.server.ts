import { createData } from '../server/data.server'
import type { Runtime } from '../server/runtime.server'
import { liveHub } from './hub-access.server'
import { liveState } from './state'

/**
 * Notifies open pages of changes in the database since the last call, by any writer. Call this function after
 * a write that public pages show (in an action: `execution.waitUntil(publishChanges(context))`). The
 * scheduled work calls it every minute, because other programs write too. Reads one row. Logs its errors.
 * Does nothing without the hub.
 */
export async function publishChanges({ config, env, fetch, log }: Runtime): Promise<void> {
  const hub = liveHub(env)
  if (!hub) return
  try {
    const state = await createData(config, fetch, log, () => undefined).row('live_state', liveState)
    if (state) await hub.compare(state)
  } catch (error) {
    log.error('live.not-published', { message: (error as Error).message })
  }
}
