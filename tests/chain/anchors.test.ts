import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openChain } from '../../app/chain/rpc.ts'
import { anchorLog } from '../../app/log/anchoring.server.ts'
import { RolledBack, signLog } from '../../app/log/signing.server.ts'
import { findUnknownAnchor } from '../../app/log/unknown-anchor.server.ts'
import { createService, type Service } from '../../app/platform/server/service.server.ts'
import { startTemporary, type TemporaryBackend, transaction } from '../support/temporary-backend.ts'
import { chainId, type Evm, isRealNode, startEvm, takeCoins } from './evm.ts'
import { type RpcFault, type RpcProxy, startRpcProxy } from './rpc-proxy.ts'

let backend: TemporaryBackend
let evm: Evm
let service: Service
let endpoints: RpcProxy[]
const key = generatePrivateKey()
const { address } = privateKeyToAccount(key)
const limits = { minSeconds: 0, dayMost: 3, confirmations: 2 }

beforeAll(async () => {
  ;[backend, evm] = await Promise.all([startTemporary(), startEvm()])
  service = createService(backend.url, backend.secretKey, fetch)
  endpoints = await Promise.all([1, 2, 3].map(() => startRpcProxy(evm.url)))
})
afterEach(() => {
  for (const endpoint of endpoints) endpoint.fault = 'none'
})
afterAll(async () => {
  await Promise.all((endpoints ?? []).map((endpoint) => endpoint.close()))
  await evm?.close()
  await backend?.close()
})

/** Appends a row and signs the log with the backend's key. */
async function sign() {
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([transaction()])])
  return signLog(service, { privateKey: backend.logKey, origin: 'test.example/log' }, null)
}

/** Makes one run with a new connection to the chain, as the job does. */
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

test('anchors a checkpoint once: the checkpoint text is the data of a transaction that the anchor address sends to itself', async () => {
  await evm.control.setBalance({ address, value: 10n ** 18n })
  const { sent } = await run()
  expect(sent).toMatch(/^0x[0-9a-f]{64}$/)
  // The transaction is not mined yet: the job sends the same bytes again and creates no second transaction.
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
  // The checkpoint is anchored, so there is nothing more to do.
  expect(await run()).toEqual({})
  expect(await anchors()).toHaveLength(1)
})

test('sends an anchor again after a reorganisation, with the same nonce', async () => {
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

test('replaces an unmined transaction with a transaction that has the same nonce and a higher gas price', async () => {
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

test('makes no anchor beyond the daily maximum, and two concurrent runs make one anchor', async () => {
  await sign()
  expect(await run()).toEqual({})
  const both = await Promise.all([run(undefined, { dayMost: 4 }), run(undefined, { dayMost: 4 })])
  expect(both.filter(({ sent }) => sent)).toHaveLength(1)
  expect(await anchors()).toHaveLength(4)
  expect(new Set((await anchors()).map(({ nonce }) => nonce)).size).toBe(4)
})

/** Every checkpoint that the address wrote to the chain, oldest first. */
async function readChain(): Promise<string[]> {
  const texts: string[] = []
  const head = await evm.reader.getBlockNumber()
  for (let number = 0n; number <= head; number++) {
    const { transactions } = await evm.reader.getBlock({ blockNumber: number, includeTransactions: true })
    for (const { from, input } of transactions)
      if (from.toLowerCase() === address.toLowerCase())
        texts.push(Buffer.from(input.slice(2), 'hex').toString())
  }
  return texts
}

/**
 * Runs, and mines a block after each run, until the newest checkpoint is anchored and final. A run that
 * throws is repeated, as the scheduled work does. Throws after `most` runs.
 */
async function runUntilAnchored(most = 12): Promise<void> {
  const urls = endpoints.map(({ url }) => url)
  for (let runs = 0; runs < most; runs++) {
    const report = await run(urls, { dayMost: 100 }).catch(() => ({ anchored: undefined }))
    if (report.anchored) return
    await evm.mine(1)
  }
  throw new Error('The checkpoint was not anchored.')
}

const faults: RpcFault[] = [
  'dead',
  // A run with this fault takes 20 s, because each call runs into its timeout.
  ...(process.env.DEEP === '1' ? (['hangs'] as const) : []),
  'half a response',
  'not JSON',
  'limits',
  'lags',
  'other chain',
  'denies receipts',
  'swallows transactions',
  'loses replies to sending',
  'refuses old state',
]
test.each(faults)(
  'anchors each checkpoint once while one of three endpoints has a fault: %s',
  async (fault) => {
    await evm.mine(3)
    await runUntilAnchored().catch(() => {})
    const before = await readChain()
    const [first] = endpoints
    if (first) first.fault = fault
    await sign()
    await runUntilAnchored()
    const after = await readChain()
    expect(after).toHaveLength(before.length + 1)
    expect(new Set(after).size).toBe(after.length)
  },
)

test('sends the stored bytes again if every endpoint has lost the transaction', async () => {
  const before = await readChain()
  for (const endpoint of endpoints) endpoint.fault = 'swallows transactions'
  await sign()
  const urls = endpoints.map(({ url }) => url)
  const { sent } = await run(urls, { dayMost: 100 })
  await evm.mine(2)
  expect(await readChain()).toHaveLength(before.length)
  for (const endpoint of endpoints) endpoint.fault = 'none'
  expect((await run(urls, { dayMost: 100 })).resent).toBe(sent)
  await runUntilAnchored()
  expect(await readChain()).toHaveLength(before.length + 1)
})

test('an anchor whose receipt every endpoint has forgotten is found by its nonce, and is not lost', async () => {
  await sign()
  const urls = endpoints.map(({ url }) => url)
  const { sent } = await run(urls, { dayMost: 100 })
  expect(sent).toBeDefined()
  await evm.mine(6)
  for (const endpoint of endpoints) endpoint.fault = 'has no receipts'
  const { size = 0 } = (await anchors()).at(-1) ?? {}
  expect(await run(urls, { dayMost: 100 })).toEqual({ anchored: size })
  for (const endpoint of endpoints) endpoint.fault = 'none'
  expect((await anchors()).at(-1)?.status).toBe('anchored')
})

test('stores nothing while no two endpoints respond', async () => {
  const before = await anchors()
  await sign()
  for (const endpoint of endpoints.slice(1)) endpoint.fault = 'dead'
  await expect(
    run(
      endpoints.map(({ url }) => url),
      { dayMost: 100 },
    ),
  ).rejects.toThrow('too few endpoints')
  expect(await anchors()).toEqual(before)
  for (const endpoint of endpoints) endpoint.fault = 'none'
  await runUntilAnchored()
})

test('offers at most 20 times what the network asks, then sends the same bytes again and says so', async () => {
  await sign()
  await run(undefined, { dayMost: 100 })
  const asked = await (await openChain([evm.url], chainId)).gasPrice()
  const offer = async (price: bigint) => {
    await backend.sql('set session_replication_role = replica')
    await backend.sql(
      `update private.log_anchor_transactions set signed_at = now() - interval '1 hour', gas_price = $1::numeric
       where id = (select max(id) from private.log_anchor_transactions)`,
      [`${price}`],
    )
    await backend.sql('set session_replication_role = origin')
  }
  await offer(17n * asked)
  const before = (await sentBytes()).length
  const report = await run(undefined, { dayMost: 100 })
  expect([report.fault, (await sentBytes()).length]).toEqual([undefined, before + 1])
  await offer(18n * asked)
  expect((await run(undefined, { dayMost: 100 })).fault).toContain('a replacement may offer at most')
  expect(await sentBytes()).toHaveLength(before + 1)
  await runUntilAnchored()
})

test('names why the endpoints refuse a transaction that they have lost, and sends it again until they take it', async () => {
  const urls = endpoints.map(({ url }) => url)
  await sign()
  const { sent } = await run(urls, { dayMost: 100 })
  // An endpoint that has the transaction says so, which is no refusal.
  expect(await run(urls, { dayMost: 100 })).toEqual({ resent: sent })
  await evm.control.dropTransaction({ hash: sent as `0x${string}` })
  const giveBack = await takeCoins(evm, endpoints, address)
  const refused = expect.stringMatching(/insufficient funds/i)
  expect(await run(urls, { dayMost: 100 })).toEqual({
    ...{ resent: sent, refused },
    fault: expect.stringMatching(/^no endpoint takes the transaction: insufficient funds/i),
  })
  await giveBack()
  expect(await run(urls, { dayMost: 100 })).toEqual({ resent: sent })
  await runUntilAnchored()
})

test('counts one anchor if a reorganisation mines the replaced transaction', async () => {
  await sign()
  const snapshot = await evm.control.snapshot()
  const { sent } = await run(undefined, { dayMost: 100 })
  await backend.sql('set session_replication_role = replica')
  await backend.sql(
    `update private.log_anchor_transactions set signed_at = now() - interval '1 hour' where tx_hash = $1`,
    [sent],
  )
  await backend.sql('set session_replication_role = origin')
  const { resent } = await run(undefined, { dayMost: 100 })
  expect(resent).not.toBe(sent)
  await evm.mine(1)
  expect(await run(undefined, { dayMost: 100 })).toEqual({})
  expect((await anchors()).at(-1)).toMatchObject({ status: 'pending', tx_hash: resent })
  await evm.control.revert({ id: snapshot })
  const [first] = await backend.sql<{ raw: `0x${string}` }>(
    'select raw from private.log_anchor_transactions where tx_hash = $1',
    [sent],
  )
  await evm.reader.request({ method: 'eth_sendRawTransaction', params: [first?.raw ?? '0x'] })
  await evm.mine(3)
  expect((await run(undefined, { dayMost: 100 })).anchored).toBeGreaterThan(0)
  const all = await anchors()
  expect(all.at(-1)).toMatchObject({ status: 'anchored', tx_hash: sent })
  expect(new Set(all.map(({ size }) => size)).size).toBe(all.length)
  const written = await readChain()
  expect(new Set(written).size).toBe(written.length)
})

/**
 * Deletes what a backup from before the newest anchor would lack: the anchor, its checkpoint and the last
 * entry. Returns the size and root of the anchor.
 */
async function restoreBackup(): Promise<{ size: number; root: string }> {
  const [lost] = await backend.sql<{ size: number; root: string }>(
    'select size::int, root from private.log_anchors order by id desc limit 1',
  )
  await backend.sql('set session_replication_role = replica')
  for (const statement of [
    'delete from private.log_anchor_checks where transaction_id = (select max(id) from private.log_anchor_transactions)',
    'delete from private.log_anchor_transactions where id = (select max(id) from private.log_anchor_transactions)',
    'delete from private.log_anchors where id = (select max(id) from private.log_anchors)',
    'delete from private.log_checkpoints where id = (select max(id) from private.log_checkpoints)',
    'delete from private.log_entries where index = (select size - 1 from private.logs)',
    'update private.logs set size = size - 1',
  ])
    await backend.sql(statement)
  await backend.sql('set session_replication_role = origin')
  return lost as { size: number; root: string }
}

async function signKnowingTheChain() {
  const chain = await openChain(
    endpoints.map(({ url }) => url),
    chainId,
  )
  const unknown = await findUnknownAnchor(service, chain, address.toLowerCase(), 'test.example/log')
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([transaction()])])
  await signLog(service, { privateKey: backend.logKey, origin: 'test.example/log' }, null, unknown)
  return { chain, unknown }
}

test('detects a rollback from the anchor alone, signs nothing until an operator accepts the rollback, then anchors again', async () => {
  await sign()
  await runUntilAnchored()
  const written = await readChain()
  const lost = await restoreBackup()
  await evm.mine(40)
  await expect(signKnowingTheChain()).rejects.toThrow(RolledBack)
  // A run that cannot read the chain signs nothing either.
  await expect(sign()).rejects.toThrow(RolledBack)
  const { data } = await service.api.from('ledger_status').select('rolled_back_size').single()
  expect(data?.rolled_back_size).toBe(lost.size)

  await service.api.rpc('accept_restore', { log: 'ledger', reason: 'The disk failed.' }).throwOnError()
  const { chain, unknown } = await signKnowingTheChain()
  expect(unknown).toEqual(lost)
  const { sent } = await anchorLog(service, chain, key, { ...limits, dayMost: 100 }, unknown)
  expect(sent).toMatch(/^0x/)
  await runUntilAnchored()
  const after = await readChain()
  expect(after).toHaveLength(written.length + 1)
  expect(new Set(after).size).toBe(after.length)
})

test('signs nothing if the chain has an unknown anchor and no endpoint serves the state of its block', async () => {
  await sign()
  await runUntilAnchored()
  await restoreBackup()
  await evm.mine(5)
  for (const endpoint of endpoints) endpoint.fault = 'refuses old state'
  await expect(signKnowingTheChain()).rejects.toThrow('serve the state in which the last was sent')
  for (const endpoint of endpoints) endpoint.fault = 'none'
  await expect(signKnowingTheChain()).rejects.toThrow(RolledBack)
  await service.api.rpc('accept_restore', { log: 'ledger', reason: 'Again.' }).throwOnError()
  const { chain, unknown } = await signKnowingTheChain()
  await anchorLog(service, chain, key, { ...limits, dayMost: 100 }, unknown)
  await runUntilAnchored()
})

// A real node cannot lower a balance.
test.skipIf(isRealNode)(
  'reports a key that has run out of gas, and continues after the key has gas again',
  async () => {
    await evm.control.setBalance({ address, value: 1n })
    await sign()
    expect((await run(undefined, { dayMost: 100 })).fault).toContain('needs gas')
    await evm.control.setBalance({ address, value: 10n ** 18n })
    await runUntilAnchored()
  },
)

test('reports a nonce that another transaction used', async () => {
  await evm.mine(4)
  await run(undefined, { dayMost: 100 })
  await sign()
  await evm.spend(privateKeyToAccount(key), 2)
  expect((await run(undefined, { dayMost: 100 })).fault).toContain('use its key for anchors only')
})
