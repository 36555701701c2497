import { expect, test } from 'vitest'
import { toPlainText } from './plain-text.ts'

test.each([
  ['Only invited addresses can sign up.', 'Only invited addresses can sign up.'],
  ['  two\n lines\tand\u0000 nul ', 'two lines and nul'],
  ['abc\u202Edcba', 'abcdcba'],
  ['zero\u200Bwidth\uFEFF', 'zerowidth'],
  ['\u2066isolate\u2069', 'isolate'],
  ['lone \ud800 surrogate', 'lone  surrogate'],
  ['<b>bold</b>', '<b>bold</b>'],
])('the text %j becomes %j', (text, plain) => expect(toPlainText(text)).toBe(plain))

test.each([undefined, null, 5, {}, '', '  \n', '\u202E', '{}', '{"a":1}', '[]'])('%j is not text', (text) =>
  expect(toPlainText(text)).toBeNull(),
)

test('a text is cut after 200 characters, never inside a character', () => {
  const plain = toPlainText('😀'.repeat(500)) ?? ''
  expect([...plain]).toHaveLength(200)
  expect(plain.endsWith('😀…')).toBe(true)
})
