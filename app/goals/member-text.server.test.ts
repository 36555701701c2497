import { expect, test } from 'vitest'
import { honestTexts, refusedTexts } from '../../tests/support/member-texts.ts'
import { outsideFault, seenLength } from './member-text.server'

test.each(refusedTexts)('the form refuses %j', (text, fault) => {
  expect(outsideFault(text)).toBe(fault)
  expect(outsideFault(`Please. ${text}, thank you`)).toBe(fault)
})

test.each(honestTexts)('the form accepts %j', (text) => {
  expect(outsideFault(text)).toBeNull()
})

test('a text of invisible characters has no length', () => {
  for (const blank of ['\u3164\u3164\u3164', '\u2800\u2800', '\u200b\u200d \ufe0f', '...', ' '])
    expect(seenLength(blank)).toBe(0)
  expect(seenLength('校服 a')).toBe(3)
})
