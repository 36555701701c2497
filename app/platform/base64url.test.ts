import { stringFromBase64URL } from '@supabase/ssr'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase64Url, encodeBase64Url } from './base64url.ts'

test('this encoder, this decoder and the client library agree with Node about any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const encoded = Buffer.from(text).toString('base64url')
      expect(encodeBase64Url(text)).toBe(encoded)
      expect(decodeBase64Url(encoded)).toBe(text)
      expect(stringFromBase64URL(encoded)).toBe(text)
    }),
  )
})

test('text that is not base64url, and bytes that are not UTF-8, are refused', () => {
  const notUtf8 = Buffer.from([0xff, 0xef]).toString('base64url')
  for (const encoded of ['a+b/', 'YQ==', 'Y Q', 'a', 'ä', notUtf8])
    expect(() => decodeBase64Url(encoded), encoded).toThrow()
})
