import * as z from 'zod/mini'
import type { Service } from '../platform/server/service.server.ts'

/** Since when endpoints have not answered, in ISO 8601, by their names ('endpoint 2'). */
export type Silence = Record<string, string>

const [minute, hour] = [60_000, 3_600_000]
/** The silence after which an endpoint is asked once an hour only, in milliseconds. */
const longest = 24 * hour

const lastRun = z.nullable(z.object({ silent: z._default(z.record(z.string(), z.string()), {}) }))

/** The silence that the last run of the ledger job found. */
export async function readSilence(service: Service): Promise<Silence> {
  return (await service.call('last_run', lastRun, {}))?.silent ?? {}
}

/** The endpoints that were silent for a day and are not asked now: they are asked in the first minute of each hour of silence. */
export function unaskedOf(silence: Silence): Set<string> {
  const names = Object.entries(silence).flatMap(([name, since]) => {
    const lasted = Date.now() - Date.parse(since)
    return lasted > longest && lasted % hour > minute ? name : []
  })
  return new Set(names)
}

/** The silence after a run in which these endpoints were silent. */
export function silenceOf(silent: readonly string[], former: Silence): Silence {
  const now = new Date().toISOString()
  return Object.fromEntries(silent.map((name) => [name, former[name] ?? now]))
}
