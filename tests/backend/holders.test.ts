import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countHolders } from '../../app/ledger/job/holder-job.server.ts'
import { readConfig } from '../../app/platform/server/env.server.ts'
import { newLog } from '../support/log.ts'
import { startTemporary, type TemporaryBackend } from '../support/temporary-backend.ts'

const token = `0x${'Aa'.repeat(20)}`
let backend: TemporaryBackend
let answer: unknown
const methods: string[] = []
const server = createServer(async (request, response) => {
  const { method, params } = JSON.parse(Buffer.concat(await request.toArray()).toString())
  methods.push(`${method} ${params}`)
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...(answer as object) }))
})
beforeAll(async () => {
  backend = await startTemporary()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.close()
  await backend?.close()
})

async function count(of: unknown, { isDue = true } = {}) {
  answer = of
  if (isDue) await backend.sql("update private.token_holders set asked_at = now() - interval '1 hour'")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/a-secret-key`
  const config = readConfig({
    SITE_URL: 'http://127.0.0.1:8787',
    SUPABASE_URL: backend.url,
    SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
    SUPABASE_SECRET_KEY: backend.secretKey,
    TOKEN_ADDRESS: token,
    TREASURY_WALLET: token,
    CHAIN_RPC_URLS: `http://127.0.0.1:1/dead ${url}`,
    CHAIN_START_BLOCK: '1',
    CHAIN_TOKENS: 'BNB:native:18',
  })
  await countHolders(config, fetch, newLog())
  return backend.sql('select token, holders::int, host from public.published_holders')
}

test('reads the number of holders from the first endpoint that returns the number, and keeps the last number between reads and after an invalid response', async () => {
  const counted = (holders: number) => [{ token: token.toLowerCase(), holders, host: '127.0.0.1' }]
  expect(await count({ error: { code: -32601, message: 'no such method' } })).toEqual([])
  expect(await count({ result: '0x1f4' })).toEqual(counted(500))
  expect(methods.at(-1)).toBe(`nr_getTokenHolderCount ${token.toLowerCase()}`)
  expect(await count({ result: { result: '0x1F5' } })).toEqual(counted(501))
  for (const bad of [null, '0x0', '500', 500, {}, { result: null }, `0x${'f'.repeat(20)}`, '<html>'])
    expect(await count({ result: bad })).toEqual(counted(501))
  const asked = methods.length
  expect(await count({ result: '0x1' }, { isDue: false })).toEqual(counted(501))
  expect(methods).toHaveLength(asked)
})
