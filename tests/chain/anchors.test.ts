import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anchorLog } from '../../app/chain/anchoring.server.ts'
import { createService, type Service } from '../../app/chain/ledger-writer.server.ts'
import { openChain } from '../../app/chain/rpc.ts'
import { signLog } from '../../app/chain/signing.server.ts'
import { startTemporary, type TemporaryBackend, transaction } from '../support/temporary-backend.ts'
import { chainId, type Evm, startEvm } from './evm.ts'

let backend: TemporaryBackend
let evm: Evm
let service: Service
const key = generatePrivateKey()
const { address } = privateKeyToAccount(key)
const limits = { minSeconds: 0, dayMost: 3, confirmations: 2 }

beforeAll(async () => {
  ;[backend, evm] = await Promise.all([startTemporary(), startEvm()])
  service = createService(backend.url, backend.secretKey, fetch)
})
afterAll(async () => {
  await evm?.close()
  await backend?.close()
})

/** Appends a row and signs the log with the backend's key. */
async function sign() {
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([transaction()])])
  return signLog(service, { privateKey: backend.headKey, origin: 'test.example/log' }, null)
}

/** One run: opens the chain anew, as the job does. */
async function run(urls = [evm.url], changed = {}) {
  const chain = await openChain(urls, chainId)
  return anchorLog(service, chain, key, { ...limits, ...changed })
}

const anchors = () =>
  backend.sql<{ size: number; status: string; nonce: number; tx_hash: string }>(
    'select size::int, status, nonce::int, tx_hash from published_anchors order by id',
  )
const sentBytes = () =>
  backend.sql<{ raw: string }>('select raw from private.log_anchor_transactions order by id')

test('reports a key without gas, and anchors nothing', async () => {
  await sign()
  expect((await run()).fault).toContain('needs gas')
  expect(await anchors()).toEqual([])
})

test('anchors a checkpoint once: its text is the data of a transaction to the address itself', async () => {
  await evm.control.setBalance({ address, value: 10n ** 18n })
  const { sent } = await run()
  expect(sent).toMatch(/^0x[0-9a-f]{64}$/)
  // Not mined yet: the same bytes are sent again, and no second transaction is made.
  expect((await run()).resent).toBe(sent)
  expect(await sentBytes()).toHaveLength(1)
  await evm.mine(1)
  expect(await run()).toEqual({})
  expect(await anchors()).toMatchObject([{ size: 1, status: 'pending', nonce: 0, tx_hash: sent }])
  await evm.mine(2)
  expect(await run()).toEqual({ anchored: 1 })
  const mined = await evm.reader.getTransaction({ hash: sent as `0x${string}` })
  expect(mined.to?.toLowerCase()).toBe(address.toLowerCase())
  expect(mined.value).toBe(0n)
  const [{ note } = { note: '' }] = await backend.sql<{ note: string }>(
    'select note from published_checkpoints',
  )
  expect(Buffer.from(mined.input.slice(2), 'hex').toString()).toBe(
    `${note.split('\n').slice(0, 3).join('\n')}\n`,
  )
  // The checkpoint is anchored: nothing more to do.
  expect(await run()).toEqual({})
  expect(await anchors()).toHaveLength(1)
})

test('sends again after a reorganisation, with the same nonce', async () => {
  await sign()
  const snapshot = await evm.control.snapshot()
  const { sent } = await run()
  await evm.mine(1)
  await run()
  await evm.control.revert({ id: snapshot })
  await evm.mine(1)
  expect((await run()).resent).toBe(sent)
  expect((await anchors()).at(-1)).toMatchObject({ status: 'sent', nonce: 1 })
  await evm.mine(3)
  expect(await run()).toEqual({ anchored: 2 })
})

test('replaces a transaction that is not mined by one with the same nonce and more gas', async () => {
  await sign()
  await run()
  await backend.sql('set session_replication_role = replica')
  await backend.sql(
    `update private.log_anchor_transactions set signed_at = now() - interval '1 hour' where id = (select max(id) from private.log_anchor_transactions)`,
  )
  await backend.sql('set session_replication_role = origin')
  await run()
  const open = await backend.sql<{ gas_price: number }>(
    'select gas_price from private.log_anchor_transactions where anchor_id = (select max(id) from private.log_anchors) order by id',
  )
  expect(open).toHaveLength(2)
  expect(Number(open[1]?.gas_price)).toBeGreaterThan(Number(open[0]?.gas_price) * 1.1)
  await evm.mine(4)
  expect(await run()).toEqual({ anchored: 3 })
  expect(await evm.reader.getTransactionCount({ address })).toBe(3)
})

test('stops at the daily maximum, and two runs at once make one anchor', async () => {
  await sign()
  expect(await run()).toEqual({})
  const both = await Promise.all([run(undefined, { dayMost: 4 }), run(undefined, { dayMost: 4 })])
  expect(both.filter(({ sent }) => sent)).toHaveLength(1)
  expect(await anchors()).toHaveLength(4)
  expect(new Set((await anchors()).map(({ nonce }) => nonce)).size).toBe(4)
})

test('reports a nonce that something else used', async () => {
  await evm.mine(4)
  await run(undefined, { dayMost: 9 })
  await sign()
  await evm.control.setNonce({ address, nonce: 9 })
  await evm.mine(1)
  expect((await run(undefined, { dayMost: 9 })).fault).toContain('use its key for anchors only')
})
