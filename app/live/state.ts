import * as z from 'zod'

/** The kinds of data that pages show. The value of `data-live` on a region names those that it shows. */
export const kinds = ['ledger', 'calls', 'pools'] as const

type Kind = (typeof kinds)[number]

/** A row of the view live_state: one text for each kind, which changes with each change of the data that pages show. */
export const liveState = z.object({ ledger: z.string(), calls: z.string(), pools: z.string() })

export type LiveState = z.infer<typeof liveState>

/** The message of the hub. It has no data of the database. `changed` is empty in the first message of a connection. */
export interface VersionMessage {
  version: number
  changed: Kind[]
}

/** The heartbeat. The platform responds to it without waking the hub. */
export const heartbeat = { ask: 'ping', answer: 'pong' } as const
