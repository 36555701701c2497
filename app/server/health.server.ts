import * as z from 'zod'
import { timestampColumn } from './columns.server'
import type { Config } from './env.server'
import type { Log } from './log.server'

/** However many ask, the backend is asked once in this many milliseconds. */
const keptFor = 5_000
/** A backend that takes longer is no help to a page either. */
const patience = 2_000

export interface Health {
  backend: 'ok' | 'away'
  /** Milliseconds that the backend took to answer. */
  backendMs: number
  /** Seconds since the ledger was last written; null for a ledger without rows, or one that can't be read. */
  ledgerAge: number | null
}

const answer = z.tuple([z.object({ as_of: timestampColumn.nullable() })])

let latest: Health | undefined
let askedAt = 0

/** How the backend is, as this isolate has seen it in the last seconds. */
export async function readHealth(config: Config, log: Log): Promise<Health> {
  const now = Date.now()
  if (latest && now - askedAt < keptFor) return latest
  // Whoever comes while the answer is awaited gets the former one.
  askedAt = now
  latest = await ask(config, log)
  return latest
}

/** Past the breaker and the retries of pages: the question is how it is now. */
async function ask(config: Config, log: Log): Promise<Health> {
  const startedAt = Date.now()
  try {
    const response = await fetch(`${config.SUPABASE_URL}/rest/v1/ledger_totals?select=as_of`, {
      headers: { apikey: config.SUPABASE_PUBLISHABLE_KEY },
      redirect: 'manual',
      signal: AbortSignal.timeout(patience),
    })
    const [{ as_of }] = answer.parse(await response.json())
    const ledgerAge = as_of && Math.max(0, Math.round((Date.now() - as_of.getTime()) / 1000))
    return { backend: 'ok', backendMs: Date.now() - startedAt, ledgerAge }
  } catch (error) {
    log.warn('health.backend-away', { reason: (error as Error).name, ms: Date.now() - startedAt })
    return { backend: 'away', backendMs: Date.now() - startedAt, ledgerAge: null }
  }
}
