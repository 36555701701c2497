import type { Env } from '../server/env.server'
import { networkHeader } from './protocol'
import type { LiveState } from './state'
import { noteVersion } from './version.server'

/** The hub as the worker calls it. `compare` and `readVersion` throw if the hub is unreachable or throws. */
export interface Hub {
  /** Opens a socket for a client of `network`: 101, or 429 (too many in it) or 503 (in total). */
  open(network: string): Promise<Response>
  /** Compares `state` with the last one, tells pages of a difference, and stores the version. */
  compare(state: LiveState): Promise<void>
  /** Reads the hub's version and stores it (`noteVersion`). */
  readVersion(): Promise<void>
}

/** The only hub of this site, or null for a deployment without the binding. */
export function liveHub({ LIVE }: Env): Hub | null {
  // The global type, whose requests and responses are those of all other code.
  const hubs = LIVE as DurableObjectNamespace | undefined
  if (!hubs) return null
  const ask = (init: RequestInit) => hubs.get(hubs.idFromName('live')).fetch('https://live.invalid/', init)
  const note = async (init: RequestInit) => noteVersion(Number(await (await ask(init)).text()))
  return {
    open: (network) => ask({ headers: { Upgrade: 'websocket', [networkHeader]: network } }),
    compare: (state) => note({ method: 'POST', body: JSON.stringify(state) }),
    readVersion: () => note({}),
  }
}
