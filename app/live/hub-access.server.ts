import type { DurableObjectNamespace } from '@cloudflare/workers-types'
import type { Env } from '../server/env.server'
import { networkHeader } from './hub.server'
import type { LiveState } from './state'
import { noteVersion } from './version.server'

/** The hub as the worker calls it. */
export interface Hub {
  /** Opens a socket for a client of `network`: a 101, or a refusal. */
  open(network: string): Promise<Response>
  /** Compares `state` with the last one, notifies the open pages if it differs, and stores the version. */
  compare(state: LiveState): Promise<void>
  /** Stores the current version. */
  readVersion(): Promise<void>
}

/** The one hub of this site, or null for a deployment without the binding. */
export function liveHub({ LIVE }: Env): Hub | null {
  const binding = LIVE as DurableObjectNamespace | undefined
  if (typeof binding?.idFromName !== 'function') return null
  const stub = () => binding.get(binding.idFromName('live'))
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
