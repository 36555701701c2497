import { expect, test } from 'vitest'
import { plural } from './plural.ts'

test.each([
  [0, '0 payments'],
  [1, '1 payment'],
  [2, '2 payments'],
  [1204, '1,204 payments'],
])('the count %i is written as %s', (count, text) => {
  expect(plural(count, { one: '# payment', other: '# payments' })).toBe(text)
})
