import { createClient } from '@supabase/supabase-js'
import type { Database } from '../../app/platform/server/database.types.ts'
import {
  type EmbeddedBackend,
  type EmbeddedOptions,
  startEmbedded,
} from '../../supabase/embedded/embedded.ts'
import { migratedData, temporaryDataDir } from './data-folder.ts'

export const siteUrl = 'http://127.0.0.1:8787'

export interface TemporaryBackend extends EmbeddedBackend {
  dataDir: string
  /** The lines that the backend printed. */
  lines: string[]
}

/**
 * Starts an embedded backend on free ports; `close` also removes its data folder. Its database is PGlite, or a new
 * database in the PostgreSQL cluster that TEST_POSTGRES_URL names.
 */
export async function startTemporary(
  options: Partial<EmbeddedOptions> = {},
  engine: 'any' | 'pglite' = 'any',
): Promise<TemporaryBackend> {
  const { path, remove, ...database } = await (options.migrations ? temporaryDataDir() : migratedData(engine))
  const lines: string[] = []
  const backend = await startOn(path, { log: (line) => lines.push(line), ...database, ...options })
  const close = async () => {
    await backend.close()
    await remove()
  }
  return { ...backend, dataDir: path, lines, close }
}

/** Starts an embedded backend on an existing data folder and on free ports. `close` keeps the folder. */
export function startOn(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedBackend> {
  return startBackend({ dataDir, port: 0, mailPort: 0, siteUrl, log: () => {}, ...options })
}

/**
 * Starts an embedded backend. With POSTGREST_BIN, a backend whose database is in the cluster consists of a hosted
 * project's services. With ANSWERS_POSTGREST, its answers are compared with those of PostgREST.
 */
export async function startBackend(options: EmbeddedOptions): Promise<EmbeddedBackend> {
  const { POSTGREST_BIN, ANSWERS_POSTGREST } = process.env
  const { databaseUrl, dataDir } = options
  if (POSTGREST_BIN && databaseUrl) return (await import('./hosted-backend.ts')).startHosted(options)
  const backend = await startEmbedded(options)
  if (!(ANSWERS_POSTGREST && databaseUrl)) return backend
  return (await import('../real/answers.ts')).withComparison(backend, { databaseUrl, dataDir })
}

/** Returns a client that stores no session. It sends `key`, by default the publishable key. */
export function clientOf(backend: EmbeddedBackend, key = backend.publishableKey) {
  return createClient<Database>(backend.url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
}

/** Signs up a member: the signed-in client, the id and the access token. Throws if it fails. */
export async function signUp(backend: EmbeddedBackend, email: string, username = 'Member') {
  const client = clientOf(backend)
  const { data, error } = await client.auth.signUp({
    email,
    password: 'correct horse',
    options: { data: { username } },
  })
  if (error || !data.session) throw new Error(`${email} could not sign up: ${error?.message}`)
  return { client, id: data.session.user.id, token: data.session.access_token }
}

/** Deletes all rows of the ledger, with the ledger's triggers off. */
export async function emptyLedger(backend: EmbeddedBackend): Promise<void> {
  await backend.sql('set session_replication_role = replica')
  await backend.sql(
    'truncate public.transactions, public.transaction_checks, private.transaction_statuses, private.sums_by_month, private.sums_by_day, private.log_entries, private.log_nodes restart identity cascade',
  )
  await backend.sql('update private.logs set size = 0')
  await backend.sql('set session_replication_role = origin')
}

let counter = 0

export interface TransactionRow extends Record<string, unknown> {
  type: string
  direction: string
  amount_usd: number | string | null
  tx_hash: string
  revision: number
}

/** Returns a row in the form that append_ledger accepts, with a new transaction hash. */
export function transaction(changes: Record<string, unknown> = {}): TransactionRow {
  counter += 1
  return {
    occurred_at: '2025-03-01T12:00:00Z',
    account: 'treasury',
    type: 'tax',
    direction: 'in',
    amount_usd: 100,
    rate_source: 'test',
    from_address: `0x${'1'.repeat(40)}`,
    to_address: `0x${'2'.repeat(40)}`,
    tx_hash: `0x${counter.toString(16).padStart(64, '0')}`,
    chain_id: 56,
    ordinal: 0,
    revision: 0,
    ...changes,
  }
}

/** Returns a statement in the form that append_statement accepts, with a new URL. */
export function czCall(changes: Record<string, unknown> = {}) {
  counter += 1
  return {
    posted_at: '2025-03-01T12:00:00Z',
    author: 'author',
    tweet_text: 'text',
    tweet_url: `https://example.org/${counter}`,
    action_taken: 'action',
    ...changes,
  }
}
