import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { consistencyProof, inclusionProof, leafHash, treeHash } from '../support/rfc6962.ts'
import { clientOf, czCall, startTemporary, transaction } from '../support/temporary-backend.ts'

const backend = await startTemporary()
afterAll(() => backend.close())

const log = 'ledger'
const service = () => clientOf(backend, backend.secretKey)
const append = (entries: object[], scan?: object) =>
  service().rpc('append_ledger', { entries: entries as never, scan: scan as never })

/** The error of a call that lost a race: PostgREST would repeat one that ends in 40001 for ever. */
const refusal = (message: string) => ({ code: 'PT409', message, details: null, hint: null })

interface Entry {
  index: number
  kind: string
  row_id: number
  entry: string
  leaf: string
}

async function readEntries(): Promise<Entry[]> {
  return backend.sql<Entry>(
    'select index::int, kind, row_id::int, entry, leaf from published_entries order by index',
  )
}

/** Expects consecutive indexes, the leaf hash of each entry, and the root. Returns the entries. */
async function expectLog(): Promise<Entry[]> {
  const entries = await readEntries()
  expect(entries.map(({ index }) => index)).toEqual(entries.map((_, at) => at))
  const leaves = entries.map(({ entry }) => leafHash(Buffer.from(entry)))
  expect(entries.map(({ leaf }) => leaf)).toEqual(leaves.map((leaf) => leaf.toString('hex')))
  const { data: root } = await clientOf(backend).rpc('log_root', { log, size: entries.length })
  expect(root).toBe(treeHash(leaves).toString('base64'))
  return entries
}

const sha256 = (salt: string, text: string) =>
  createHash('sha256').update(Buffer.from(salt, 'hex')).update(text).digest('hex')

test('appends each row to the log as a line of JSON in the published format, with exact amounts and times', async () => {
  const note = 'Ünïcode "quoted"\n\u2028 and 𝛑'
  const row = transaction({
    occurred_at: '2025-06-01T10:20:30.123456Z',
    amount_usd: '1234567.1',
    rate_usd: '612.500000000000000001',
    token_amount: '123456789012345678901234567890',
    token_symbol: 'BNB',
    token_decimals: 18,
    note,
  })
  expect((await append([row])).error).toBeNull()
  const entry = (await expectLog()).at(-1)
  const [text] = await backend.sql<{ hash: string; salt: string; text: string }>(
    'select hash, salt, text from published_texts order by id desc limit 1',
  )
  expect(text?.text).toBe(note)
  expect(sha256(text?.salt ?? '', note)).toBe(text?.hash)
  const [kept] = await backend.sql<{ recorded_at: string }>(
    `select to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as recorded_at from transactions where id = $1`,
    [entry?.row_id],
  )
  expect(entry?.entry).toBe(
    JSON.stringify({
      kind: 'transaction',
      id: entry?.row_id,
      revision: 0,
      recorded_at: kept?.recorded_at,
      chain_id: 56,
      tx_hash: row.tx_hash,
      ordinal: 0,
      occurred_at: '2025-06-01T10:20:30.123456Z',
      account: 'treasury',
      counter_account: null,
      direction: 'in',
      type: 'tax',
      pool: null,
      from_address: row.from_address,
      to_address: row.to_address,
      token_address: null,
      token_symbol: 'BNB',
      token_decimals: 18,
      token_amount: '123456789012345678901234567890',
      amount_usd: '1234567.10',
      rate_usd: '612.500000000000000001',
      rate_source: 'test',
      proof_hash: null,
      note_hash: text?.hash,
    }),
  )
})

test('appends statements, updates, withdrawals and corrections to the same log', async () => {
  const call = czCall({ confirmed_by: 'Read at its source' })
  expect((await service().rpc('append_statement', { statement: call as never })).error).toBeNull()
  const update = { pool_slug: 'education', published_at: '2025-04-01T00:00:00Z', text: 'Books are bought.' }
  const counted = { ...update, text: 'A name', helping: 12, helping_source: 'https://example.org/12' }
  expect((await service().rpc('append_update', { entry: update as never })).data).toMatchObject({ number: 1 })
  expect((await service().rpc('append_update', { entry: counted as never })).data).toMatchObject({
    number: 2,
  })
  const again = { ...counted, text: 'Without the name', number: 2, revision: 1 }
  expect((await service().rpc('append_update', { entry: again as never })).error).toBeNull()

  const { data: before } = await clientOf(backend)
    .from('published_texts')
    .select()
    .eq('text', 'A name')
    .single()
  const withdraw = () =>
    service().rpc('withdraw_text', { hash: before?.hash ?? '', reason: 'It named a person.' })
  expect((await withdraw()).data).toBe(true)
  expect((await withdraw()).data).toBe(false)
  const { data: after } = await clientOf(backend)
    .from('published_texts')
    .select()
    .eq('hash', before?.hash ?? '')
    .single()
  expect(after).toMatchObject({ text: null, salt: null, reason: 'It named a person.' })

  const kinds = (await expectLog())
    .slice(-5)
    .map(({ kind, entry }) => `${kind} ${JSON.parse(entry).revision ?? ''}`)
  expect(kinds).toEqual(['statement 0', 'update 0', 'update 0', 'update 1', 'withdrawal '])
  const { data: updates } = await clientOf(backend)
    .from('published_updates')
    .select('number, revision, text, helping')
    .order('number')
  expect(updates).toEqual([
    { number: 1, revision: 0, text: 'Books are bought.', helping: null },
    { number: 2, revision: 1, text: 'Without the name', helping: 12 },
  ])
})

test('appends names of wallets that are not ours, and never the same name for two wallets', async () => {
  const address = `0x${'7'.repeat(40)}`
  const give = async (name: string, more = {}) =>
    (await service().rpc('append_name', { entry: { address, name, ...more } })).error?.message
  const row = transaction()
  await append([row])
  expect(await give('Riverside Books', { address: row.to_address })).toContain('one of ours')
  for (const wrong of ['', ' Books', 'a'.repeat(61), 'Books\n', 'sk\u202eooB'])
    expect(await give(wrong), JSON.stringify(wrong)).toContain('1 to 60 characters')
  expect(await give('Riverside Books')).toBeUndefined()
  expect(await give('Another name')).toContain('duplicate key')
  expect(await give('Another name', { revision: 2 })).toContain('must follow the one before')
  expect(await give('riverside books', { address: `0x${'8'.repeat(40)}` })).toContain('another wallet')
  expect(await give('Riverside Books, supplier', { revision: 1 })).toBeUndefined()

  const published = () => clientOf(backend).from('published_names').select('address, name, revision').single()
  expect((await published()).data).toEqual({ address, name: 'Riverside Books, supplier', revision: 1 })
  const [last] = (await expectLog()).slice(-1)
  expect(Object.keys(JSON.parse(last?.entry ?? ''))).toEqual([
    'kind',
    'id',
    'revision',
    'recorded_at',
    'address',
    'name_hash',
  ])
  const { name_hash: hash } = JSON.parse(last?.entry ?? '')
  expect((await service().rpc('withdraw_text', { hash, reason: 'A person.' })).data).toBe(true)
  expect((await published()).data).toEqual({ address, name: null, revision: 1 })
  await expectLog()
})

test('a correction that repeats a text keeps the hash of the text, so that one withdrawal removes both texts', async () => {
  const row = transaction({ note: 'A note with a name', proof_url: 'https://example.org/name' })
  await append([row])
  await append([{ ...row, revision: 1, amount_usd: 5 }])
  const hashes = await backend.sql<{ note_hash: string; proof_hash: string }>(
    'select distinct note_hash, proof_hash from transactions where tx_hash = $1',
    [row.tx_hash],
  )
  expect(hashes).toHaveLength(1)
  await service().rpc('withdraw_text', { hash: hashes[0]?.note_hash ?? '', reason: 'On request.' })
  const { data } = await clientOf(backend)
    .from('published_transactions')
    .select('note, note_withdrawn, proof_url, proof_withdrawn')
    .eq('tx_hash', row.tx_hash)
    .single()
  expect(data).toEqual({
    note: null,
    note_withdrawn: true,
    proof_url: 'https://example.org/name',
    proof_withdrawn: false,
  })
  await expectLog()
})

test('no one, not even the owner of the table, can change a text except by withdrawing the text', async () => {
  await append([transaction({ note: 'kept' })])
  for (const change of [
    `update private.log_texts set text = 'changed' where text = 'kept'`,
    `update private.log_texts set text = null, salt = null where text = 'kept'`,
    `delete from private.log_texts where text = 'kept'`,
    'truncate private.log_texts cascade',
  ])
    await expect(backend.sql(change), change).rejects.toThrow('is append-only')
})

test('appends the rows of 20 concurrent writers in one order without a gap, and records each row once', async () => {
  const before = await readEntries()
  const common = Array.from({ length: 5 }, () => transaction({ note: 'from every writer' }))
  const sent = Array.from({ length: 20 }, (_, writer) => {
    const own = Array.from({ length: 5 }, () => transaction({ note: `from writer ${writer}` }))
    // The writers send the shared rows in different orders, which would cause deadlocks with row locks.
    return writer % 2 ? [...own, ...common] : [...common.toReversed(), ...own.toReversed()]
  })
  const responses = await Promise.all(sent.map((entries) => append(entries)))
  expect(responses.map(({ error }) => error).filter(Boolean)).toEqual([])
  const added = responses.map(({ data }) => (data as { added: number }).added)
  expect(added.toSorted((a, b) => b - a)).toEqual([10, ...Array(19).fill(5)])
  const entries = await expectLog()
  expect(entries.slice(0, before.length)).toEqual(before)
  const recorded = entries.slice(before.length).map(({ entry }) => JSON.parse(entry).tx_hash)
  expect(recorded.toSorted()).toEqual([...new Set(sent.flat().map(({ tx_hash }) => tx_hash))].toSorted())
})

test('if 20 writers continue the scan from the same block, one writer succeeds, and only the rows of that writer are recorded', async () => {
  const before = await readEntries()
  const block = { chain_id: 97, block_hash: `0x${'b'.repeat(64)}`, block_time: '2025-03-01T12:00:00Z' }
  const race = (after: number | null, number: number) =>
    Promise.all(
      Array.from({ length: 20 }, () => append([transaction()], { ...block, after, block_number: number })),
    )
  for (const responses of [await race(null, 100), await race(100, 200)]) {
    expect(responses.filter(({ error }) => error === null)).toHaveLength(1)
    for (const { error, status } of responses)
      if (error) expect([status, error]).toEqual([409, refusal('another run has moved the scan')])
  }
  expect((await expectLog()).length).toBe(before.length + 2)
  expect(await backend.sql('select block_number::int from private.ledger_scans where chain_id = 97')).toEqual(
    [{ block_number: 200 }],
  )
})

test('leaves no gap after a refused append', async () => {
  const before = await readEntries()
  expect(
    (await append([transaction({ note: 'x' }), transaction({ tx_hash: 'no hash' })])).error,
  ).not.toBeNull()
  expect((await append([transaction()])).data).toEqual({ added: 1, size: before.length + 1 })
  await expectLog()
})

test('serves the tiles, bundles and proofs of any sequence of appends', async () => {
  // The batches have different sizes and cross the ends of two tiles of 256.
  for (const many of [1, 2, 61, 100, 40, 7, 300])
    await append(Array.from({ length: many }, () => transaction()))
  const entries = await expectLog()
  const leaves = entries.map(({ entry }) => leafHash(Buffer.from(entry)))
  const reader = clientOf(backend)
  const size = entries.length
  expect(size).toBeGreaterThan(512)
  const sizes = [1, 2, 3, 255, 256, 257, 300, 511, 512, 513, size]
  for (const from of sizes) {
    const { data: root } = await reader.rpc('log_root', { log, size: from })
    expect(root).toBe(treeHash(leaves.slice(0, from)).toString('base64'))
    for (const index of new Set([0, from >> 1, from - 1])) {
      const { data } = await reader.rpc('log_inclusion', { log, index, size: from })
      expect(data).toEqual({
        index,
        size: from,
        leaf: leaves[index]?.toString('base64'),
        entry: entries[index]?.entry,
        path: inclusionProof(index, leaves.slice(0, from)).map((hash) => hash.toString('base64')),
      })
    }
    for (const to of sizes.filter((each) => each >= from)) {
      const { data } = await reader.rpc('log_consistency', { log, first_size: from, second_size: to })
      expect(data).toEqual(consistencyProof(from, leaves.slice(0, to)).map((hash) => hash.toString('base64')))
    }
  }
  const tile = async (level: number, n: number, width: number) =>
    (await reader.rpc('log_tile', { log, level, n, width })).data
  expect(await tile(0, 1, 256)).toBe(Buffer.concat(leaves.slice(256, 512)).toString('base64'))
  expect(await tile(0, 2, 1)).toBe(leaves[512]?.toString('base64'))
  expect(await tile(1, 0, 2)).toBe(
    Buffer.concat([treeHash(leaves.slice(0, 256)), treeHash(leaves.slice(256, 512))]).toString('base64'),
  )
  const { data: bundle } = await reader.rpc('log_bundle', { log, n: 1, width: 256 })
  const bytes = entries.slice(256, 512).flatMap(({ entry }) => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(Buffer.byteLength(entry))
    return [length, Buffer.from(entry)]
  })
  expect(bundle).toBe(Buffer.concat(bytes).toString('base64'))
})

test('returns null for anything that the log does not contain', async () => {
  const reader = clientOf(backend)
  const { length: size } = await readEntries()
  const responses = await Promise.all([
    reader.rpc('log_root', { log, size: size + 1 }),
    reader.rpc('log_root', { log, size: -1 }),
    reader.rpc('log_root', { log: 'absent', size: 1 }),
    reader.rpc('log_tile', { log, level: 0, n: 2, width: 256 }),
    reader.rpc('log_tile', { log, level: 2, n: 0, width: 1 }),
    reader.rpc('log_tile', { log, level: -1, n: 0, width: 1 }),
    reader.rpc('log_tile', { log, level: 0, n: 0, width: 257 }),
    reader.rpc('log_bundle', { log, n: 2, width: 256 }),
    reader.rpc('log_inclusion', { log, index: size, size }),
    reader.rpc('log_inclusion', { log, index: -1, size }),
    reader.rpc('log_inclusion', { log, index: 0, size: size + 1 }),
    reader.rpc('log_consistency', { log, first_size: 2, second_size: 1 }),
    reader.rpc('log_consistency', { log, first_size: 1, second_size: size + 1 }),
  ])
  expect(responses.map(({ data, error }) => data ?? error)).toEqual(responses.map(() => null))
})

test('archives a checkpoint once, and refuses a root that the log does not have', async () => {
  const { length: size } = await readEntries()
  const { data } = await service().rpc('log_root', { log, size })
  const checkpoint = (root: string, at = size) => ({
    log,
    size: at,
    root,
    note: `origin\n${at}\n${root}\n\n— origin AAAAAA==\n`,
    vkey: 'origin+00000000+AA==',
  })
  const good = checkpoint(data ?? '')
  expect((await service().rpc('archive_checkpoint', good)).data).toBe(true)
  expect((await service().rpc('archive_checkpoint', good)).data).toBe(false)
  const other = Buffer.alloc(32, 1).toString('base64')
  for (const wrong of [checkpoint(other), checkpoint(good.root, size - 1), checkpoint(good.root, size + 1)])
    expect((await service().rpc('archive_checkpoint', wrong)).error?.message).toContain(
      'does not have this root',
    )
  const { error } = await service().rpc('archive_checkpoint', {
    ...good,
    note: good.note.replace(`${size}`, '1'),
  })
  expect(error?.message).toContain('log_checkpoints_note_body')
  const { data: archived } = await clientOf(backend).from('published_checkpoints').select('size, root, note')
  expect(archived).toEqual([{ size, root: good.root, note: good.note }])
  const { data: status } = await clientOf(backend).from('ledger_status').select('signed_size').single()
  expect(status).toEqual({ signed_size: size })
})

/** A checkpoint in the form that archive_checkpoint accepts. `lines` are the signature lines of its note. */
async function checkpointOf(size: number, lines = '— origin AAAAAA==\n') {
  const { data } = await service().rpc('log_root', { log, size })
  const root = data ?? ''
  return { log, size, root, note: `origin\n${size}\n${root}\n\n${lines}`, vkey: 'origin+00000000+AA==' }
}
const anchorOf = ({ size, root }: { size: number; root: string }) => ({
  ...{ size, root, chain_id: 97, address: `0x${'1'.repeat(40)}`, nonce: 1, raw: '0x01' },
  ...{ tx_hash: `0x${'c'.repeat(64)}`, gas_price: '1', min_seconds: 0, day_most: 5 },
})
const newest = async () =>
  (await clientOf(backend).from('newest_checkpoints').select('size, note').eq('log', log).single()).data

test('if two runs overlap, the later run cannot archive a smaller checkpoint, so the newest checkpoint stays the largest', async () => {
  for (let i = 0; i < 3; i += 1)
    await backend.sql('select public.append_ledger($1)', [JSON.stringify([transaction()])])
  const { length: size } = await readEntries()
  // Both runs have read the log; the late run read it before the last entry was appended.
  const [late, fast] = [await checkpointOf(size - 1), await checkpointOf(size)]
  expect((await service().rpc('archive_checkpoint', fast)).data).toBe(true)
  const { error, status: answered } = await service().rpc('archive_checkpoint', late)
  expect([answered, error]).toEqual([409, refusal('a greater checkpoint is archived')])
  expect(await newest()).toEqual({ size, note: fast.note })
  const { data: status } = await clientOf(backend).from('ledger_status').select('signed_size').single()
  expect(status).toEqual({ signed_size: size })
})

test('a note of a smaller size can be archived again with further signatures, and does not become the newest note', async () => {
  const before = await newest()
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([transaction()])])
  const size = (before?.size ?? 0) + 1
  const signed = await checkpointOf(size)
  expect((await service().rpc('archive_checkpoint', signed)).data).toBe(true)
  const cosigned = await checkpointOf(before?.size ?? 0, '— origin AAAAAA==\n— witness AAAAAA==\n')
  expect((await service().rpc('archive_checkpoint', cosigned)).data).toBe(true)
  expect(await newest()).toEqual({ size, note: signed.note })
  // If the newest size has several notes, the last note is served.
  const { error, status } = await service().rpc('store_anchor', { log, anchor: anchorOf(cosigned) })
  expect([status, error]).toEqual([409, refusal('no anchor is due')])
  const again = await checkpointOf(size, '— origin AAAAAA==\n— witness AAAAAA==\n')
  expect((await service().rpc('archive_checkpoint', again)).data).toBe(true)
  expect(await newest()).toEqual({ size, note: again.note })
})

test('the newest checkpoint is later than the last accepted restore, whatever was archived before the restore', async () => {
  const { length: size } = await readEntries()
  // The restored log does not contain this checkpoint, as can happen if only some tables are restored.
  const root = Buffer.alloc(32, 9).toString('base64')
  await backend.sql(
    `insert into private.log_checkpoints (log, size, root, note, vkey) values ($1, $2, $3, $4, 'origin+00000000+AA==')`,
    [log, size + 2, root, `origin\n${size + 2}\n${root}\n\n— origin AAAAAA==\n`],
  )
  expect((await service().rpc('report_rollback', { log, size: size + 2, root })).data).toBe(true)
  expect((await service().rpc('accept_restore', { log, reason: 'The disk failed.' })).data).not.toBeNull()
  // Until the next signature, the newest checkpoint is the largest that is not above the log.
  expect((await newest())?.size).toBeLessThanOrEqual(size)
  const signed = await checkpointOf(size + 1)
  expect((await service().rpc('archive_checkpoint', signed)).data).toBe(true)
  expect(await newest()).toEqual({ size: size + 1, note: signed.note })
})

test('reports a rollback until an operator accepts the rollback, with a reason in the log', async () => {
  const { length: size } = await readEntries()
  const { data: root } = await service().rpc('log_root', { log, size })
  const report = async (lost: { size: number; root: string }) =>
    (await service().rpc('report_rollback', { log, ...lost })).data
  expect(await report({ size, root: root ?? '' })).toBe(false)

  const lost = { size: size + 10, root: Buffer.alloc(32, 7).toString('base64') }
  expect(await report(lost)).toBe(true)
  const rolledBack = async () =>
    (await clientOf(backend).from('ledger_status').select('rolled_back_size').single()).data?.rolled_back_size
  expect(await rolledBack()).toBe(lost.size)
  const accept = () => service().rpc('accept_restore', { log, reason: 'The disk failed.' })
  expect((await accept()).data).toEqual(lost)
  expect(await rolledBack()).toBeNull()
  expect((await accept()).data).toBeNull()
  expect(await report(lost)).toBe(false)
  const entry = (await expectLog()).at(-1)
  expect(JSON.parse(entry?.entry ?? '')).toMatchObject({
    kind: 'restore',
    ...lost,
    reason: 'The disk failed.',
  })
})

test.each(['log_entries', 'log_nodes', 'log_checkpoints', 'log_withdrawals', 'log_restores', 'logs'])(
  'refuses changes to %s, even by the owner of the table',
  async (table) => {
    for (const change of [`delete from private.${table}`, `truncate private.${table} cascade`])
      await expect(backend.sql(change), change).rejects.toThrow('is append-only')
    const column = { logs: 'size', log_nodes: 'level' }[table] ?? 'log'
    await expect(backend.sql(`update private.${table} set ${column} = ${column}`)).rejects.toThrow(
      'is append-only',
    )
  },
)
