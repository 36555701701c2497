import { parseWithZod } from '@conform-to/zod/v4'
import { msg } from '@lingui/core/macro'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createEnglish } from '../locales/language.ts'
import { text } from './text.ts'

const language = createEnglish()
const rule = { label: 'The reason', shortest: 3, longest: 1_000 }

function read(typed: string | undefined, type: z.ZodMiniType<string>) {
  const form = new FormData()
  if (typed !== undefined) form.set('reason', typed)
  const submission = parseWithZod(form, { schema: z.object({ reason: type }) })
  return submission.status === 'success' ? submission.value : submission.error?.reason
}

test.each([
  [undefined, 'The reason is missing.'],
  [' \r\n ', 'The reason is missing.'],
  ['ab', 'The reason must have at least 3 characters.'],
  ['a'.repeat(1_001), 'The reason has 1,001 characters. Use at most 1,000.'],
  ['abc\u202e', 'The reason has a control or direction character. Type it again by hand.'],
  ['two\nlines', 'The reason has a control or direction character. Type it again by hand.'],
])('the text %j is refused: %s', (typed, sentence) => {
  expect(read(typed, text(rule, language))).toEqual([sentence])
})

test('a text is trimmed and tidied, and an optional text may be empty', () => {
  expect(read(' two\r\nlines ', text({ ...rule, hasLines: true }, language))).toEqual({
    reason: 'two\nlines',
  })
  expect(read('one\ttwo\0', text(rule, language))).toEqual({ reason: 'one two' })
  expect(read(undefined, text({ label: 'Links', longest: 9 }, language))).toEqual({ reason: '' })
})

test('a form may say the faults of a text in its own words', () => {
  const words = { missing: msg`Say why.`, long: (length: string) => msg`Too long: ${length}.` }
  const type = text({ ...rule, words }, language)
  expect(read('', type)).toEqual(['Say why.'])
  expect(read('a'.repeat(2_000), type)).toEqual(['Too long: 2,000.'])
  expect(read('ab', type)).toEqual(['The reason must have at least 3 characters.'])
})
