import type { Env } from '../server/env.server'
import { networkHeader } from './hub.server'
import type { LiveState } from './state'
import { noteVersion } from './version.server'

/** The hub as the worker calls it. `compare` and `readVersion` throw if the hub responds with an error. */
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
  if (!LIVE) return null
  const stub = () => LIVE.get(LIVE.idFromName('live'))
  const call = async (init: object = {}) =>
    (await stub().fetch('https://live.invalid/', init)) as unknown as Response
  const note = async (response: Response) => {
    if (!response.ok) throw new Error(`the hub responded ${response.status}`)
    noteVersion(((await response.json()) as { version: number }).version)
  }
  return {
    open: (network) => call({ headers: { Upgrade: 'websocket', [networkHeader]: network } }),
    compare: async (state) => note(await call({ method: 'POST', body: JSON.stringify(state) })),
    readVersion: async () => note(await call()),
  }
}
