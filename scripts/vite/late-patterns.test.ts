import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { withLatePatterns } from './late-patterns.ts'

test('a pattern with properties of Unicode is built when its line runs, with the same matches', () => {
  const script = String.raw`(text) => [text.replace(/["\\\p{Cc}]+/gu, '-'), /\d/.test(text), text.match(/\p{Lu}/u)[0]]`
  const built = withLatePatterns(script)
  expect(built.match(/new RegExp/g)).toHaveLength(2)
  expect(built).toContain(String.raw`/\d/.test`)
  const run = (source: string) => runInThisContext(source)('Ab "\\\n1') as unknown
  expect(run(built)).toEqual(run(script))
})
