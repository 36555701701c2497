import * as z from 'zod'
import type { Backend } from '../server/backend.server'
import { timestampColumn } from '../server/columns.server.ts'
import type { Log } from '../server/log.server'
import { readRows } from '../server/read-rows.server.ts'

/** A signed head of the hash chain, as /transparency/head.json publishes it: supabase/ledger-format.md. */
export interface Head {
  format: typeof format
  seq: number
  hash: string
  /** UTC, in milliseconds. */
  signed_at: string
  /** The raw 32 bytes, in base64. */
  public_key: string
  signature: string
}

const format = 'goodblock-head-1'
const columns = 'id, seq, hash, signed_at, public_key, signature'
/** The API answers with no more rows than this. */
const headsPerCall = 1_000

const headRow = z.object({
  id: z.coerce.number().int(),
  seq: z.coerce.number().int(),
  hash: z.string(),
  // It was signed in this spelling, whichever one the database gives.
  signed_at: timestampColumn.transform((at) => at.toISOString()),
  public_key: z.string(),
  signature: z.string(),
})

/**
 * Signs that the chain's row `seq` has this hash. The key is PKCS8 in base64 (LEDGER_HEAD_KEY); the public key is
 * taken from it, so that the two always belong together.
 */
export async function signHead(privateKey: string, seq: number, hash: string, at: Date): Promise<Head> {
  const key = await readKey(privateKey)
  const signed_at = at.toISOString()
  const text = `${format}\nseq ${seq}\nhash ${hash}\nsigned_at ${signed_at}\n`
  const signature = await crypto.subtle.sign('Ed25519', key, new TextEncoder().encode(text))
  return { format, seq, hash, signed_at, public_key: await publicKeyOf(key), signature: toBase64(signature) }
}

/** The latest signed head, 'none' before the first, null where it can't be read. */
export async function readHead(backend: Backend, log: Log): Promise<Head | 'none' | null> {
  const query = backend
    .from('published_heads')
    .select(columns)
    .order('seq', { ascending: false })
    .order('id', { ascending: false })
    .limit(1)
  const rows = await readHeads(query, log)
  return rows && (rows[0]?.head ?? 'none')
}

/** The archive of heads in the order in which they were signed, page by page; null where one can't be read. */
export async function listHeads(backend: Backend, after: number, log: Log): Promise<ArchivedHead[] | null> {
  const query = backend
    .from('published_heads')
    .select(columns)
    .gt('id', after)
    .order('id')
    .limit(headsPerCall)
  return readHeads(query, log)
}

export interface ArchivedHead {
  /** Where it stands in the archive. */
  id: number
  head: Head
}

async function readHeads(query: Parameters<typeof readRows>[0], log: Log): Promise<ArchivedHead[] | null> {
  const rows = await readRows(query, z.array(headRow), log, 'heads.not-loaded')
  return rows?.map(({ id, ...facts }) => ({ id, head: { format, ...facts } })) ?? null
}

async function readKey(privateKey: string): Promise<CryptoKey> {
  try {
    const bytes = Uint8Array.from(atob(privateKey), (character) => character.charCodeAt(0))
    return await crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', true, ['sign'])
  } catch {
    // The cause may quote the key.
    throw new Error('LEDGER_HEAD_KEY is not an Ed25519 private key (PKCS8 DER in base64)')
  }
}

async function publicKeyOf(key: CryptoKey): Promise<string> {
  const { x = '' } = await crypto.subtle.exportKey('jwk', key)
  return `${x.replaceAll('-', '+').replaceAll('_', '/')}=`
}

function toBase64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
