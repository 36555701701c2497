import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import vectors from '../../public/ledger/vectors.json' with { type: 'json' }
import { startEmbedded } from '../../supabase/embedded/embedded.ts'
import { type ChainRow, faultsOf, hashOf } from '../support/canonical.ts'
import { temporaryDataDir, temporaryFolder } from '../support/data-folder.ts'
import {
  clientOf,
  siteUrl,
  startTemporary,
  type TemporaryBackend,
  transaction,
} from '../support/temporary-backend.ts'

let backend: TemporaryBackend
beforeAll(async () => {
  backend = await startTemporary()
})
afterAll(() => backend.close())

/** The whole chain as anybody may read it. */
async function readChain(): Promise<ChainRow[]> {
  const { data } = await clientOf(backend).from('published_chain').select().order('seq').throwOnError()
  return (data ?? []).map(({ id, ...row }) => row as ChainRow)
}

const service = () => clientOf(backend, backend.secretKey)
const append = (entries: object[], scan?: object) =>
  service().rpc('append_ledger', { entries: entries as never, scan: scan as never })

const columns = (row: object) => Object.keys(row).join(', ')

test('the database, and a reader of the specification, compute every vector', async () => {
  for (const { name, sent, row, canonical } of vectors.rows) {
    const [made] = await backend.sql(
      `select private.canonical_transaction(facts) as canonical, private.hash_transaction(facts) as hash
       from jsonb_populate_record(null::public.transactions, $1) as facts`,
      [JSON.stringify({ ...sent, seq: row.seq, previous_hash: row.previous_hash })],
    )
    expect(made, name).toEqual({ canonical, hash: row.hash })
    expect(hashOf(row as ChainRow), name).toBe(row.hash)
  }
})

test('the vectors, recorded one after the other, are published as the chain that they are', async () => {
  for (const { sent } of vectors.rows)
    await backend.sql(
      `insert into public.transactions (${columns(sent)})
       select ${columns(sent)} from jsonb_populate_record(null::public.transactions, $1)`,
      [JSON.stringify(sent)],
    )
  const chain = await readChain()
  expect(chain).toEqual(vectors.rows.map(({ row }) => row))
  // In the order in which it is exported and hashed, too.
  expect(chain.map(columns)).toEqual(vectors.rows.map(({ row }) => columns(row)))
  expect(faultsOf(chain)).toEqual([])
})

test('a place and a hash are the database’s to give, whatever a writer sends', async () => {
  const before = (await readChain()).length
  const sent = transaction({ seq: 7, previous_hash: 'f'.repeat(64), hash: 'f'.repeat(64) })
  await backend.sql(
    `insert into public.transactions (${columns(sent)})
     select ${columns(sent)} from jsonb_populate_record(null::public.transactions, $1)`,
    [JSON.stringify(sent)],
  )
  const chain = await readChain()
  expect(chain.at(-1)?.seq).toBe(before + 1)
  expect(faultsOf(chain)).toEqual([])
})

test('20 writers at once: no gap, nothing lost or doubled, and the chain holds', async () => {
  const before = await readChain()
  const common = Array.from({ length: 5 }, () => transaction({ note: 'Everybody saw this one' }))
  const sent = Array.from({ length: 20 }, (_, writer) => {
    const own = Array.from({ length: 5 }, () => transaction({ note: `Writer ${writer}` }))
    // Each in an order of its own, as writers that would deadlock on rows come.
    return writer % 2 ? [...own, ...common] : [...common.toReversed(), ...own.toReversed()]
  })
  const answers = await Promise.all(sent.map((entries) => append(entries)))
  expect(answers.map(({ error }) => error).filter(Boolean)).toEqual([])

  const added = answers.map(({ data }) => (data as { added: number }).added)
  expect(added.toSorted((a, b) => b - a)).toEqual([10, ...Array(19).fill(5)])
  const chain = await readChain()
  expect(faultsOf(chain)).toEqual([])
  expect(chain.slice(0, before.length)).toEqual(before)
  const recorded = chain.slice(before.length).map(({ tx_hash }) => tx_hash)
  expect(recorded.toSorted()).toEqual([...new Set(sent.flat().map(({ tx_hash }) => tx_hash))].toSorted())
})

test('of 20 writers that move the scan from the same block, one does, and only its rows are recorded', async () => {
  const before = await readChain()
  const block = { chain_id: 97, block_hash: `0x${'b'.repeat(64)}`, block_time: '2025-03-01T12:00:00Z' }
  const race = (after: number | null, number: number) =>
    Promise.all(
      Array.from({ length: 20 }, (_, writer) =>
        append([transaction({ note: `Race ${number}, writer ${writer}` })], {
          ...block,
          after,
          block_number: number,
        }),
      ),
    )
  for (const answers of [await race(null, 100), await race(100, 200)]) {
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
    for (const { error } of answers)
      if (error) expect(error.message).toContain('the scan was moved by somebody else')
  }
  const chain = await readChain()
  expect(chain.length).toBe(before.length + 2)
  expect(faultsOf(chain)).toEqual([])
  expect(await backend.sql('select block_number::int from private.ledger_scans where chain_id = 97')).toEqual(
    [{ block_number: 200 }],
  )
})

test('rows that were refused leave no gap', async () => {
  const before = await readChain()
  const { error } = await append([transaction(), transaction({ tx_hash: 'no hash' })])
  expect(error).not.toBeNull()
  const { data } = await append([transaction()])
  expect(data).toEqual({ added: 1, seq: before.length + 1 })
  expect(faultsOf(await readChain())).toEqual([])
})

test('a head is archived once for each place and key, and only one of this chain', async () => {
  const [first, second] = await readChain()
  const archive = async (head: object) =>
    (await service().rpc('archive_head', { head: head as never })).error?.message ?? 'archived'
  const { head } = vectors.head
  expect(await archive({ ...head, seq: 1, hash: first?.hash })).toBe('archived')
  expect(await archive({ ...head, seq: 1, hash: first?.hash })).toBe('archived')
  expect(await archive({ ...head, seq: 1, hash: second?.hash })).toBe(
    'no row of the ledger has this place and hash',
  )
  expect(await archive({ ...head, seq: 1_000_000, hash: first?.hash })).toBe(
    'no row of the ledger has this place and hash',
  )
  const { data } = await clientOf(backend).from('published_heads').select('seq, hash')
  expect(data).toEqual([{ seq: 1, hash: first?.hash }])
})

test('rows from before there was a chain are chained by its migration, in the order in which they were recorded', async () => {
  const data = await temporaryDataDir()
  const migrations = temporaryFolder()
  const all = fileURLToPath(new URL('../../supabase/migrations', import.meta.url))
  const bring = (pick: (file: string) => boolean) => {
    for (const file of readdirSync(all).filter(pick))
      copyFileSync(join(all, file), join(migrations.path, file))
  }
  const start = () =>
    startEmbedded({
      dataDir: data.path,
      port: 0,
      mailPort: 0,
      siteUrl,
      migrations: migrations.path,
      log: () => {},
    })
  try {
    bring((file) => file < '20251103')
    const old = await start()
    for (const { sent } of vectors.rows)
      await old.sql(
        `insert into public.transactions (${columns(sent)})
         select ${columns(sent)} from jsonb_populate_record(null::public.transactions, $1)`,
        [JSON.stringify(sent)],
      )
    await old.close()

    bring((file) => file >= '20251103')
    const upgraded = await start()
    const read = () =>
      upgraded.sql<{ row: ChainRow }>(
        "select to_jsonb(published_chain) - 'id' as row from published_chain order by seq",
      )
    expect((await read()).map(({ row }) => row)).toEqual(vectors.rows.map(({ row }) => row))
    await expect(upgraded.sql("update public.transactions set note = 'other'")).rejects.toThrow('append-only')
    const next = transaction()
    await upgraded.sql('select public.append_ledger($1)', [JSON.stringify([next])])
    expect((await read()).at(-1)?.row).toMatchObject({
      seq: vectors.rows.length + 1,
      previous_hash: vectors.rows.at(-1)?.row.hash,
      tx_hash: next.tx_hash,
    })
    await upgraded.close()
  } finally {
    data.remove()
    migrations.remove()
  }
})
