import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { signHead } from './head.server.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
const hash = 'ab'.repeat(32)

test('a head is signed over its text, with its time in milliseconds, and brings its public key', async () => {
  const head = await signHead(secret, 17, hash, new Date('2026-01-02T03:04:05.6Z'))
  expect(head).toEqual({
    format: 'goodblock-head-1',
    seq: 17,
    hash,
    signed_at: '2026-01-02T03:04:05.600Z',
    public_key: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
    signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
  })
  const spki = Buffer.from(
    `302a300506032b6570032100${Buffer.from(head.public_key, 'base64').toString('hex')}`,
    'hex',
  )
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  const holds = (text: string) => verify(null, Buffer.from(text), key, Buffer.from(head.signature, 'base64'))
  const text = `goodblock-head-1\nseq 17\nhash ${hash}\nsigned_at 2026-01-02T03:04:05.600Z\n`
  expect(holds(text)).toBe(true)
  expect(holds(text.replace('17', '18'))).toBe(false)
})

test.each(['', 'not base64!', btoa('not a key')])(
  '%j is no key, and the fault does not quote it',
  async (key) => {
    await expect(signHead(key, 1, hash, new Date())).rejects.toThrow(
      /^LEDGER_HEAD_KEY is not an Ed25519 private key \(PKCS8 DER in base64\)$/,
    )
  },
)
