import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@supabase/supabase-js'
import { afterAll, expect, test } from 'vitest'
import { encodeBase64, encodeText } from '../../app/log/bytes.ts'
import { signCheckpoint } from '../../app/log/checkpoint.ts'
import { verifyConsistency, verifyInclusion } from '../../app/log/merkle.ts'
import { verifierKeyOf } from '../../app/log/note.ts'
import type { Database } from '../../app/platform/server/database.types.ts'
import { readKeys, spawnEmbedded } from '../support/child.ts'
import { migratedData } from '../support/data-folder.ts'
import { drawFrom } from '../support/draw.ts'
import { LogTree } from '../support/log-tree.ts'
import { czCall, transaction } from '../support/temporary-backend.ts'

const deep = process.env.DEEP === '1'
const seed = Number(process.env.SEED ?? 20261121)
const kills = deep ? 40 : 2
const writers = 20
/** The largest number of rows in one call. With 20 writers, a few rounds fill a tile of 256 entries. */
const largestBatch = 40

const log = 'ledger'
const origin = 'goodblock.example/transparency/log'
const verifier = fileURLToPath(new URL('../../public/verify-ledger.mjs', import.meta.url))
const privateKey = generateKeyPairSync('ed25519')
  .privateKey.export({ format: 'der', type: 'pkcs8' })
  .toString('base64')

const folder = await migratedData()
const { databaseUrl } = folder
const spawnBackend = () => spawnEmbedded(folder.path, databaseUrl ? { DATABASE_URL: databaseUrl } : {})
let child = spawnBackend()
afterAll(async () => {
  child.kill('SIGKILL')
  await child.exited
  await folder.remove()
})

const hash = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

/** Runs the verifier as a visitor would. */
function verify(...parameters: string[]): Promise<{ status: number; said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [verifier, ...parameters], { cwd: folder.path }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, said: stdout + stderr })
    })
  })
}

test(
  `with 20 writers, ${kills} kills and retries, the root, the tiles, the proofs and the verifier agree, and the log has no gap`,
  async () => {
    const draw = drawFrom(seed)
    const below = (end: number) => Math.floor(draw() * end)
    const connect = async () => {
      const url = await child.ready
      const options = { auth: { persistSession: false, autoRefreshToken: false } }
      const { publishableKey, secretKey } = readKeys(folder.path)
      return {
        service: createClient<Database>(url, secretKey, options),
        reader: createClient<Database>(url, publishableKey, options),
      }
    }
    type Connection = Awaited<ReturnType<typeof connect>>

    const sent = { transactions: [] as string[], statements: [] as string[] }
    /** Appends rows or a statement. Returns whether it was acknowledged; otherwise it is repeated. */
    type Call = (service: Connection['service']) => Promise<boolean>
    function newCall(): Call {
      if (draw() < 0.15) {
        const statement = czCall()
        sent.statements.push(statement.tweet_url)
        return async (service) => {
          const { error } = await service.rpc('append_statement', { statement: statement as never })
          // 23505: an earlier try was executed, but its response was lost.
          return !error || error.code === '23505'
        }
      }
      const entries = Array.from({ length: 1 + below(largestBatch) }, () =>
        transaction(draw() < 0.2 ? { note: 'A note' } : {}),
      )
      sent.transactions.push(...entries.map(({ tx_hash }) => tx_hash))
      return async (service) => {
        const { error } = await service.rpc('append_ledger', { entries: entries as never })
        return !error
      }
    }

    const tree = new LogTree()
    const notes: string[] = []
    let checkpoint = { size: 0, root: tree.root(0) }

    /** Compares size, root, proofs and tiles of the database with a tree of all entries. */
    async function expectAgreement({ reader, service }: Connection): Promise<void> {
      // A server may still execute calls of the killed backend: checks use the size that is read first.
      const { data: size } = await reader.rpc('log_size', { log })
      while (tree.size < Number(size)) {
        const { data } = await reader
          .from('published_entries')
          .select('index, entry')
          .gte('index', tree.size)
          .lt('index', Number(size))
          .order('index')
          .limit(500)
          .throwOnError()
        for (const { index, entry } of data ?? []) {
          expect(index, 'the next place').toBe(tree.size)
          tree.append(encodeText(entry as string))
        }
      }
      expect(tree.size).toBe(size)
      const { data: root } = await reader.rpc('log_root', { log, size: tree.size })
      expect(root).toBe(encodeBase64(tree.root()))

      const places = [0, tree.size - 1, ...Array.from({ length: 6 }, () => below(tree.size))]
      for (const index of places) {
        const { data } = await reader.rpc('log_inclusion', { log, index, size: tree.size })
        const { path } = data as { path: string[] }
        expect(await verifyInclusion(tree.leaf(index), index, tree.size, path.map(hash), tree.root())).toBe(
          true,
        )
        const n = index >> 8
        const width = Math.min(256, tree.size - 256 * n)
        const { data: tile } = await reader.rpc('log_tile', { log, level: 0, n, width })
        expect(tile).toBe(encodeBase64(tree.tile(0, n, width) as Uint8Array<ArrayBuffer>))
      }
      if (tree.size >= 256) {
        const width = tree.size >> 8
        const { data: tile } = await reader.rpc('log_tile', { log, level: 1, n: 0, width })
        expect(tile).toBe(encodeBase64(tree.tile(1, 0, width) as Uint8Array<ArrayBuffer>))
      }
      const { data: growth } = await reader.rpc('log_consistency', {
        log,
        first_size: checkpoint.size,
        second_size: tree.size,
      })
      const path = (growth as string[]).map(hash)
      expect(await verifyConsistency(checkpoint.size, tree.size, path, checkpoint.root, tree.root())).toBe(
        true,
      )

      checkpoint = { size: tree.size, root: tree.root() }
      const note = await signCheckpoint(privateKey, origin, tree.size, root as string)
      const vkey = await verifierKeyOf({ name: origin, privateKey })
      await service
        .rpc('archive_checkpoint', { log, size: tree.size, root: root as string, note, vkey })
        .throwOnError()
      notes.push(note)
    }

    let calls: Call[] = []
    for (let round = 0; round < kills; round++) {
      const { service } = await connect()
      calls.push(...Array.from({ length: writers - calls.length }, newCall))
      let isRunning = true
      let acknowledged = 0
      const unacknowledged: Call[] = []
      const work = calls.map(async (call) => {
        let next = call
        while (isRunning)
          if (await next(service).catch(() => false)) {
            acknowledged++
            next = newCall()
          } else await sleep(20)
        unacknowledged.push(next)
      })
      while (acknowledged < 8) await sleep(1)
      await sleep(draw() * 300)
      child.kill('SIGKILL')
      isRunning = false
      await Promise.all(work)
      expect(await child.exited).toBe('SIGKILL')
      child = spawnBackend()
      await expectAgreement(await connect())
      calls = unacknowledged
    }
    const connection = await connect()
    expect(await Promise.all(calls.map((call) => call(connection.service)))).toEqual(calls.map(() => true))
    await expectAgreement(connection)

    // Each row that was sent is in the log exactly once, even if its call was repeated.
    const facts = tree.entries.map((entry) => JSON.parse(Buffer.from(entry).toString()))
    const recorded = (name: string) => facts.map((fact) => fact[name]).filter(Boolean)
    const found = facts.filter(({ kind }) => kind === 'transaction').map(({ tx_hash }) => tx_hash)
    expect(found.toSorted()).toEqual(sent.transactions.toSorted())
    expect(recorded('url').toSorted()).toEqual(sent.statements.toSorted())

    const { data: archived } = await connection.reader
      .from('published_checkpoints')
      .select('note')
      .order('id')
    expect(archived?.map(({ note }) => note)).toEqual([...new Set(notes)])
    const lines = archived?.map((row) => `${JSON.stringify(row)}\n`).join('') ?? ''
    writeFileSync(join(folder.path, 'checkpoints.ndjson'), lines)
    writeFileSync(join(folder.path, 'checkpoint'), notes.at(-1) ?? '')
    writeFileSync(
      join(folder.path, 'log.ndjson'),
      tree.entries.map((entry) => `${Buffer.from(entry)}\n`).join(''),
    )
    const vkey = await verifierKeyOf({ name: origin, privateKey })
    const verdict = await verify('log.ndjson', 'checkpoint', '--vkey', vkey, '--since', 'checkpoints.ndjson')
    expect(verdict.said).toContain(`OK: ${tree.size} entries checked.`)
    expect(verdict.status).toBe(0)
    console.log(`log: ${kills} kills, ${tree.size} entries, ${notes.length} checkpoints, seed ${seed}`)
  },
  deep ? 1_200_000 : 120_000,
)
