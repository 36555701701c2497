import { expect, test } from 'vitest'
import { listWords } from './list.ts'

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b, or c'],
])('the list %j becomes %j', (items, text) => {
  expect(listWords(items, 'or')).toBe(text)
})
