import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from './sha256'

test('the hash equals that of Node, for each length up to three blocks and random bytes', () => {
  for (let length = 0; length < 200; length++) {
    for (const bytes of [Buffer.alloc(length, 0xff), randomBytes(length)]) {
      const expected = createHash('sha256').update(bytes).digest('hex')
      expect(Buffer.from(sha256(bytes)).toString('hex'), bytes.toString('hex')).toBe(expected)
    }
  }
})
