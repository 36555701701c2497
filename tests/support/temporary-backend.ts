import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { createClient } from '@supabase/supabase-js'
import type { Database } from '../../app/server/database.types.ts'
import {
  type EmbeddedBackend,
  type EmbeddedOptions,
  startEmbedded,
} from '../../supabase/embedded/embedded.ts'
import { createDatabase } from './postgres.ts'

export const siteUrl = 'http://127.0.0.1:8787'

export interface TemporaryBackend extends EmbeddedBackend {
  dataDir: string
  /** What the backend printed. */
  lines: string[]
}

/** A folder that is gone after `remove`. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'goodblock-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** A data folder with an empty cluster in it, since making one takes longer than most tests. */
export async function temporaryDataDir() {
  const folder = temporaryFolder()
  cpSync(await emptyCluster(), join(folder.path, 'pg'), { recursive: true, mode: constants.COPYFILE_FICLONE })
  return folder
}

async function emptyCluster(): Promise<string> {
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
  const { version } = JSON.parse(readFileSync(join(modules, '@electric-sql/pglite/package.json'), 'utf8'))
  const cluster = join(modules, '.cache', `goodblock-cluster-${version}`)
  if (!existsSync(cluster)) {
    const made = temporaryFolder()
    const pglite = new PGlite(join(made.path, 'pg'))
    await pglite.waitReady
    await pglite.close()
    mkdirSync(join(modules, '.cache'), { recursive: true })
    try {
      cpSync(join(made.path, 'pg'), `${cluster}.${process.pid}`, { recursive: true })
      renameSync(`${cluster}.${process.pid}`, cluster)
    } catch (error) {
      // Another test file was first.
      if (!existsSync(cluster)) throw error
      rmSync(`${cluster}.${process.pid}`, { recursive: true })
    }
    made.remove()
  }
  return cluster
}

/**
 * A backend of its own on free ports; closing it removes its folder. Its database is PGlite, or a new one in the
 * PostgreSQL cluster that TEST_POSTGRES_URL names.
 */
export async function startTemporary(options: Partial<EmbeddedOptions> = {}): Promise<TemporaryBackend> {
  const { TEST_POSTGRES_URL } = process.env
  const database = TEST_POSTGRES_URL ? await createDatabase(TEST_POSTGRES_URL) : undefined
  const folder = database ? temporaryFolder() : await temporaryDataDir()
  const lines: string[] = []
  const backend = await startEmbedded({
    dataDir: folder.path,
    port: 0,
    mailPort: 0,
    siteUrl,
    log: (line) => lines.push(line),
    databaseUrl: database?.url,
    ...options,
  })
  const close = async () => {
    await backend.close()
    await database?.drop()
    folder.remove()
  }
  return { ...backend, dataDir: folder.path, lines, close }
}

/** A client without a stored session, for the key and, if given, a member's token. */
export function clientOf(backend: EmbeddedBackend, key = backend.publishableKey) {
  return createClient<Database>(backend.url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
}

/** Signs up a member and returns the client that is signed in as them. */
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

let counter = 0

export interface TransactionRow extends Record<string, unknown> {
  type: string
  direction: string
  amount_usd: number | string | null
  tx_hash: string
  revision: number
}

/** A transaction that the ledger accepts, with a hash of its own. */
export function transaction(changes: Record<string, unknown> = {}): TransactionRow {
  counter += 1
  return {
    occurred_at: '2025-03-01T12:00:00Z',
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

/** A statement that the feed accepts, with an address of its own. */
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
