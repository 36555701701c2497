import type { Env } from '../server/env.server'
import type { LiveHub } from './hub.server'
import { networkHeader } from './protocol'
import type { LiveState } from './state'
import { noteVersion } from './version.server'

/** The hub as the worker calls it. `compare` and `readVersion` throw if the hub cannot be reached or throws. */
export interface Hub {
  /** Opens a socket for a client of `network`. Returns 101, or 429 (network) or 503 (total) for too many sockets. */
  open(network: string): Promise<Response>
  /** Compares `state` with the last one, notifies open pages if it differs, and notes the version (`noteVersion`). */
  compare(state: LiveState): Promise<void>
  /** Reads the hub's version and notes it (`noteVersion`). */
  readVersion(): Promise<void>
}

/** The one hub of this site, or null for a deployment without the binding. */
export function liveHub({ LIVE }: Env): Hub | null {
  // `Env` belongs to a folder that may not import the hub's class.
  const hubs = LIVE as DurableObjectNamespace<LiveHub> | undefined
  if (!hubs) return null
  const stub = () => hubs.get(hubs.idFromName('live'))
  return {
    open: (network) =>
      stub().fetch('https://live.invalid/', { headers: { Upgrade: 'websocket', [networkHeader]: network } }),
    compare: async (state) => noteVersion(await stub().compare(state)),
    readVersion: async () => noteVersion(await stub().version()),
  }
}
