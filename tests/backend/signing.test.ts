import type { KVNamespace } from '@cloudflare/workers-types'
import { afterAll, expect, test } from 'vitest'
import { checkpointMemory } from '../../app/log/checkpoint-memory.ts'
import { signLog } from '../../app/log/signing.server.ts'
import { createService } from '../../app/platform/server/service.server.ts'
import { startTemporary, transaction } from '../support/temporary-backend.ts'

const backend = await startTemporary()
const service = createService(backend.url, backend.secretKey, fetch)
afterAll(() => backend?.close())

/** A KV namespace in memory instead of the binding CHECKPOINTS. */
function namespace(content: Record<string, string> = {}) {
  const store = {
    get: async (name: string) => content[name] ?? null,
    put: async (name: string, value: string) => {
      content[name] = value
    },
  }
  return { content, memory: checkpointMemory({ CHECKPOINTS: store as unknown as KVNamespace }) }
}

const append = () => backend.sql('select public.append_ledger($1)', [JSON.stringify([transaction()])])
const sign = (memory: ReturnType<typeof checkpointMemory>) =>
  signLog(service, { privateKey: backend.logKey, origin: 'test.example/log' }, memory)
const rootAt = async (size: number | null) =>
  (await backend.sql<{ root: string }>(`select log_root('ledger', $1) as root`, [size]))[0]?.root
const status = async () =>
  (await backend.sql('select signed_size::int, rolled_back_size::int from ledger_status'))[0]

test('signs each size once, and remembers the checkpoint outside the database', async () => {
  const { content, memory } = namespace()
  expect(await sign(memory)).toBeNull()
  await append()
  expect(await sign(memory)).toBe(1)
  expect(await sign(memory)).toBeNull()
  await append()
  expect(await sign(memory)).toBe(2)
  const [root] = await backend.sql<{ root: string }>(`select log_root('ledger', 2) as root`)
  expect(JSON.parse(content.ledger ?? '')).toEqual({ size: 2, root: root?.root })
})

test('an empty or older stored checkpoint is replaced by the newest checkpoint, and nothing is signed again', async () => {
  await append()
  const size = await sign(null)
  const smaller: Record<string, string> = { ledger: JSON.stringify({ size: 1, root: await rootAt(1) }) }
  for (const content of [{}, smaller]) {
    const late = namespace(content)
    expect(await sign(late.memory)).toBeNull()
    expect(JSON.parse(late.content.ledger ?? '')).toEqual({ size, root: await rootAt(size) })
  }
})

test.each([
  ['lost entries', { size: 40, root: Buffer.alloc(32, 1).toString('base64') }],
  ['other entries at the same size', { size: 2, root: Buffer.alloc(32, 2).toString('base64') }],
])('signs nothing after a restore with %s, until an operator accepts the restore', async (_, lost) => {
  const { content, memory } = namespace({ ledger: JSON.stringify(lost) })
  await append()
  const before = await status()
  await expect(sign(memory)).rejects.toThrow(`lacks the signed checkpoint of ${lost.size} entries`)
  await expect(sign(memory)).rejects.toThrow('lacks the signed checkpoint')
  expect(await status()).toMatchObject({ ...(before as object), rolled_back_size: lost.size })
  expect(JSON.parse(content.ledger ?? '')).toEqual(lost)

  await backend.sql(`select accept_restore('ledger', 'A disk failed.')`)
  const size = await sign(memory)
  expect(size).toBeGreaterThan(2)
  expect(await status()).toEqual({ signed_size: size, rolled_back_size: null })
  expect(JSON.parse(content.ledger ?? '')).toMatchObject({ size })
})
