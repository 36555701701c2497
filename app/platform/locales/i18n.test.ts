import { expect, test } from 'vitest'
import { I18n } from './i18n'

test.each([
  ['en', ['One.', 'Two.'], 'One. Two.'],
  ['zh-Hans', ['一。', '二。'], '一。二。'],
])('in the language %s, the sentences %j become %s', (tag, sentences, text) => {
  expect(new I18n(tag, tag === 'en' ? null : {}, String).join(sentences)).toBe(text)
})
