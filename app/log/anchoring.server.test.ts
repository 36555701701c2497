import { generatePrivateKey } from 'viem/accounts'
import { expect, test, vi } from 'vitest'
import type { Chain } from '../chain/rpc.ts'
import { createService } from '../platform/server/service.server.ts'
import { anchorLog } from './anchoring.server.ts'

const root = Buffer.alloc(32, 7).toString('base64')
const note = `test.example/log\n5\n${root}\n\n— test.example/log c2lnbmF0dXJl\n`
const limits = { minSeconds: 0, dayMost: 3, confirmations: 2 }
const sentLongAgo = {
  id: 1,
  raw: '0x01',
  tx_hash: '0x02',
  gas_price: '1',
  status: 'sent',
  signed_at: '2020-01-01T00:00:00Z',
}
const anchor = { id: 1, size: 5, root, nonce: 0, recorded_at: '2020-01-01T00:00:00Z' }
const open = { ...anchor, transactions: [sentLongAgo] }

/** A database with these responses. `run` runs anchorLog on it; `sent`: the bytes sent to the chain. */
function setUp(checkpoints: object[], openAnchor: object | null) {
  const answers: Record<string, unknown> = {
    'rpc/anchor_state': { open: openAnchor, latest: null, day_count: 0, next_nonce: null },
    newest_checkpoints: checkpoints,
    published_checkpoints: checkpoints,
    'rpc/record_anchor_check': true,
    'rpc/store_anchor': 1,
    'rpc/store_anchor_transaction': true,
  }
  const stored = vi.fn()
  const service = createService('https://project.example', 'secret', async (input, init) => {
    const name = new URL(`${input}`).pathname.replace('/rest/v1/', '')
    if (name.startsWith('rpc/store_')) stored(init?.body)
    return Response.json(answers[name])
  })
  const sent: string[] = []
  const chain = {
    id: 56,
    head: 100,
    receipt: async () => null,
    nonce: async () => 0,
    gasPrice: async () => 100n,
    balance: async () => 10n ** 18n,
    send: async (raw: string) => ({ accepted: sent.push(raw), refused: null }),
  } as Partial<Chain> as Chain
  return { sent, stored, run: () => anchorLog(service, chain, generatePrivateKey(), limits) }
}

const textOf = (raw = '0x') => Buffer.from(raw.slice(2), 'hex').toString('latin1')

test.each([
  ['new', null],
  ['replaced', open],
])('the data of a %s transaction is the text of the checkpoint', async (_, openAnchor) => {
  const { sent, run } = setUp([{ size: 5, root, note }], openAnchor)
  await run()
  expect(sent).toHaveLength(1)
  expect(textOf(sent[0])).toContain(`test.example/log\n5\n${root}\n`)
  expect(textOf(sent[0])).not.toContain('signature')
})

test.each([
  ['the checkpoint has no note', [{ size: 5, root, note: null }], null],
  [
    'the checkpoint has the note of another checkpoint',
    [{ size: 5, root, note: note.replace('5', '6') }],
    null,
  ],
  ['the checkpoint of a transaction to be replaced has no note', [{ size: 5, root, note: null }], open],
  ['the checkpoint of a transaction to be replaced is missing', [], open],
])('no transaction is signed, stored or sent if %s', async (_, checkpoints, openAnchor) => {
  const { sent, stored, run } = setUp(checkpoints, openAnchor)
  await expect(run()).rejects.toThrow(/checkpoint/)
  expect(sent).toEqual([])
  expect(stored).not.toHaveBeenCalled()
})
