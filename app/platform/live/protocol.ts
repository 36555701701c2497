/** The protocol of open pages, worker and hub. The pages' script loads it: it must import no package. */

/** Where a page opens its socket (GET with Upgrade), and a command reports a change (POST). */
export const livePath = '/live'

/** The header with which the script of a live page requests a minimum version of the page. */
export const versionHeader = 'X-Version'

/** The header that passes the network of a page's client from the worker to the hub. */
export const networkHeader = 'X-Network'

/** The kinds of data on pages. The value of `data-live` on a region lists the kinds in that region. */
export const kinds = ['ledger', 'calls', 'pools', 'acts', 'fundme'] as const

type Kind = (typeof kinds)[number]

/** The hub's message, without data. `changed` is empty in the first message of a connection. */
export interface VersionMessage {
  version: number
  changed: Kind[]
}

/** A page's heartbeat, and the response. The platform sends the response, so the hub keeps hibernating. */
export const heartbeat = 'ping'
export const heartbeatResponse = 'pong'
