import { createHash, generateKeyPairSync } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openCheckpoint, signCheckpoint } from '../../app/log/checkpoint.ts'
import { parseVerifierKey, verifierKeyOf } from '../../app/log/note.ts'
import type { EmbeddedBackend } from '../../supabase/embedded/embedded.ts'
import { supabaseDir } from '../../supabase/embedded/settings.ts'
import { temporaryDataDir, temporaryFolder } from '../support/data-folder.ts'
import { consistencyProof, leafHash, treeHash } from '../support/rfc6962.ts'
import { czCall, signUp, startOn, transaction } from '../support/temporary-backend.ts'

const migrations = join(supabaseDir, 'migrations')

/** The last migration of commit ab5d971, from which existing databases are updated. */
const lastEarlier = '20251124000000_coins.sql'
const earlier = readdirSync(migrations).filter((name) => name <= lastEarlier)

const origin = 'test.example/transparency/log'
const privateKey = generateKeyPairSync('ed25519')
  .privateKey.export({ format: 'der', type: 'pkcs8' })
  .toString('base64')
const wallet = `0x${'1'.repeat(40)}`
const hash32 = `0x${'a'.repeat(64)}`
const block = { block_number: 9, block_hash: hash32, block_time: '2025-03-01T12:00:10Z' }

/** The tables of `public` and `private` in which the functions of `fill` leave no row. */
const empty = [
  // A rollback is deleted when it is accepted.
  'private.log_rollbacks',
]

/** Calls a function of the API with these arguments; an object argument is sent as JSON. */
async function call<T>({ sql }: EmbeddedBackend, name: string, parameters: Record<string, unknown>) {
  const names = Object.keys(parameters)
  const [row] = await sql<{ value: T }>(
    `select public.${name}(${names.map((each, at) => `${each} => $${at + 1}`).join(', ')}) as value`,
    Object.values(parameters).map((value) => (typeof value === 'object' ? JSON.stringify(value) : value)),
  )
  return row?.value as T
}

/** Signs the log at its current size and archives the checkpoint. */
async function archive(backend: EmbeddedBackend) {
  const size = Number(await call(backend, 'log_size', { log: 'ledger' }))
  const root = await call<string>(backend, 'log_root', { log: 'ledger', size })
  const note = await signCheckpoint(privateKey, origin, size, root)
  const vkey = await verifierKeyOf({ name: origin, privateKey })
  expect(await call(backend, 'archive_checkpoint', { log: 'ledger', size, root, note, vkey })).toBe(true)
  return { size, root }
}

/** Writes rows of every kind, with a database function if one exists. */
async function fill(backend: EmbeddedBackend): Promise<void> {
  const { sql } = backend
  const { id } = await signUp(backend, 'member@example.com')
  await sql(`insert into public.fundme_pools (user_id, title) values ($1, 'A well')`, [id])
  await sql(
    `insert into public.proven_wallets (user_id, address, message, signature) values ($1, $2, 'a message', $3)`,
    [id, wallet, `0x${'1'.repeat(130)}`],
  )

  const rows = [
    transaction({
      note: 'A note',
      token_symbol: 'BNB',
      token_amount: '1000000000000000000',
      token_decimals: 18,
    }),
    transaction({ type: 'donation', direction: 'out', counter_account: 'education', pool_slug: 'education' }),
    transaction({ type: 'dream', direction: 'out', amount_usd: null, rate_source: null }),
  ]
  const [first = transaction()] = rows
  const scan = { chain_id: 56, ...block, rows_since: null }
  await call(backend, 'append_ledger', { entries: rows, scan })
  await call(backend, 'append_ledger', { entries: [{ ...first, amount_usd: 90, revision: 1 }] })
  // The log stores the hashes of every 256 entries.
  await call(backend, 'append_ledger', { entries: Array.from({ length: 256 }, () => transaction()) })
  await call(backend, 'append_coins', {
    chain: 56,
    entries: [transaction({ type: 'gift' })],
    balances: [{ wallet, after: 0, ...block, amount: '12', nonce: 0, gas_paid: '0' }],
  })
  await call(backend, 'record_checks', {
    checks: [
      { transaction_id: 2, status: 'verified', ...block, confirmations: 20 },
      { transaction_id: 3, status: 'mismatch', reason: 'amount', confirmations: 20 },
      { transaction_id: 4, status: 'verified', ...block, confirmations: 20 },
    ],
  })
  await call(backend, 'append_statement', { statement: czCall({ confirmed_by: 'Read at its source' }) })
  const update = { pool_slug: 'education', published_at: '2025-04-01T00:00:00Z', text: 'Books are bought.' }
  const links = 'https://example.org/receipt'
  await call(backend, 'append_update', { entry: { ...update, links } })
  const [text] = await sql<{ hash: string }>('select hash from private.log_texts order by id limit 1')
  expect(await call(backend, 'withdraw_text', { hash: text?.hash, reason: 'It named a person.' })).toBe(true)
  const amounts = { chain_amount: '13', ledger_amount: '12', gas_paid: '0' }
  await call(backend, 'record_reconciliations', {
    entries: [{ chain_id: 56, ...block, wallet, token_symbol: 'BNB', token_decimals: 18, ...amounts }],
  })
  await call(backend, 'check_writes', {})

  await archive(backend)
  await call(backend, 'report_rollback', { log: 'ledger', size: 1_000_000, root: `${'A'.repeat(43)}=` })
  await call(backend, 'accept_restore', { log: 'ledger', reason: 'The disk failed.' })
  const { size, root } = await archive(backend)
  const anchor = { size, root, chain_id: 56, address: wallet, nonce: 1, raw: '0x01', tx_hash: hash32 }
  await call(backend, 'store_anchor', {
    log: 'ledger',
    anchor: { ...anchor, gas_price: '1', min_seconds: 0, day_most: 5 },
  })
  await call(backend, 'store_anchor_transaction', {
    anchor_id: 1,
    raw: '0x02',
    tx_hash: `0x${'b'.repeat(64)}`,
    gas_price: 2,
  })
  await call(backend, 'record_anchor_check', { result: { transaction_id: 1, status: 'anchored', ...block } })
}

interface Table {
  name: string
  columns: string
  rows: unknown[]
}

/** The rows of these tables with these columns. The order does not depend on columns that are added later. */
async function readRows({ sql }: EmbeddedBackend, tables: Omit<Table, 'rows'>[]): Promise<Table[]> {
  const read: Table[] = []
  for (const { name, columns } of tables) {
    const rows = await sql<{ row: unknown }>(
      `select to_jsonb(picked) as row from (select ${columns} from ${name}) as picked order by to_jsonb(picked)::text`,
    )
    read.push({ name, columns, rows: rows.map(({ row }) => row) })
  }
  return read
}

const tablesOf = ({ sql }: EmbeddedBackend) =>
  sql<Omit<Table, 'rows'>>(
    `select format('%I.%I', nspname, relname) as name,
       string_agg(format('%I', attname), ', ' order by attnum) as columns
     from pg_class
     join pg_namespace on pg_namespace.oid = relnamespace and nspname in ('public', 'private', 'auth', 'storage')
     join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     where relkind in ('r', 'p') group by 1 order by 1`,
  )

const entriesOf = ({ sql }: EmbeddedBackend) =>
  sql<{ entry: string; leaf: string }>(
    `select entry, leaf from public.published_entries where log = 'ledger' order by index`,
  )

test('the migrations of commit ab5d971 are unchanged', () => {
  expect(earlier).toHaveLength(15)
  const hash = createHash('sha256')
  for (const name of earlier) hash.update(name).update(readFileSync(join(migrations, name)))
  expect(hash.digest('hex')).toBe('855a923017241ba4f5ac48f65b3166de9fd0d4b696c4d61c41741bbd51506b3f')
})

test('later migrations keep every row and every entry of the log, and the log matches its checkpoints', async () => {
  const data = await temporaryDataDir()
  const folder = temporaryFolder()
  for (const name of earlier) copyFileSync(join(migrations, name), join(folder.path, name))
  const start = (more = {}) => startOn(data.path, more)
  try {
    const before = await start({ migrations: folder.path })
    await fill(before)
    const rows = await readRows(before, await tablesOf(before))
    const entries = await entriesOf(before)
    await before.close()
    expect(
      rows
        .filter((table) => /^(public|private)\./.test(table.name) && table.rows.length === 0)
        .map(({ name }) => name),
    ).toEqual(empty)

    const after = await start()
    expect(await after.sql('select name from supabase_migrations.schema_migrations')).toHaveLength(
      readdirSync(migrations).length,
    )
    // A later migration adds a bucket.
    await after.sql(`delete from storage.buckets where id = 'goals'`)
    expect(await readRows(after, rows)).toEqual(rows)
    expect(await entriesOf(after)).toEqual(entries)

    // The archived checkpoint matches the entries, under the definitions of RFC 6962.
    const leaves = entries.map(({ entry }) => leafHash(Buffer.from(entry)))
    expect(entries.map(({ leaf }) => leaf)).toEqual(leaves.map((leaf) => leaf.toString('hex')))
    const key = await parseVerifierKey(await verifierKeyOf({ name: origin, privateKey }))
    const checkpoints = await after.sql<{ note: string; size: number }>(
      'select note, size::int from public.published_checkpoints order by id',
    )
    expect(checkpoints.map(({ size }) => size)).toEqual([entries.length - 1, entries.length])
    for (const { note, size } of checkpoints)
      expect(await openCheckpoint(note, [key], origin)).toMatchObject({
        size,
        root: new Uint8Array(treeHash(leaves.slice(0, size))),
      })

    // The log continues from this checkpoint, including with new kinds of entries.
    await call(after, 'append_name', { entry: { address: `0x${'7'.repeat(40)}`, name: 'Books' } })
    const all = (await entriesOf(after)).map(({ entry }) => leafHash(Buffer.from(entry)))
    expect(all).toHaveLength(leaves.length + 1)
    expect(await call(after, 'log_root', { log: 'ledger', size: all.length })).toBe(
      treeHash(all).toString('base64'),
    )
    expect(
      await call(after, 'log_consistency', {
        log: 'ledger',
        first_size: leaves.length,
        second_size: all.length,
      }),
    ).toEqual(consistencyProof(leaves.length, all).map((node) => node.toString('base64')))
    await after.close()
  } finally {
    data.remove()
    folder.remove()
  }
})
