import * as z from 'zod'

/** The kinds of data that pages show. The value of `data-live` on a region names the kinds in that region. */
export const kinds = ['ledger', 'calls', 'pools'] as const

type Kind = (typeof kinds)[number]

/** The row of the view live_state: one text for each kind. A new row or status, or a withdrawal, changes the text. */
export const liveState = z.object({ ledger: z.string(), calls: z.string(), pools: z.string() })

export type LiveState = z.infer<typeof liveState>

/** The message of the hub. It has no data of the database. `changed` is empty in the first message of a connection. */
export interface VersionMessage {
  version: number
  changed: Kind[]
}

/** The heartbeat. The platform responds to it without waking the hub. */
export const heartbeat = { ask: 'ping', answer: 'pong' } as const
