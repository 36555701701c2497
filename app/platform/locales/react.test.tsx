import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createEnglish } from './language'
import { allLocales } from './locales'
import { Gap, LanguageContext, Sentence } from './react'

/** The page in English, but in the text direction of the language `code`. */
function inDirectionOf(code: string, page: ReactNode): string {
  const locale = allLocales.get(code) ?? createEnglish().locale
  return renderToStaticMarkup(
    <LanguageContext.Provider value={{ ...createEnglish(), locale }}>{page}</LanguageContext.Provider>,
  )
}

const [name, site, hash] = ['Goodblock', 'https://site.example', `0x${'1'.repeat(64)}`]
const page = (
  <Trans>
    {name} takes {5}%. See{' '}
    <b>
      {site}/donate/{hash}
    </b>
    .
  </Trans>
)

test('isolates the names and the code in a sentence, in right-to-left text only', () => {
  expect(inDirectionOf('en', page)).toBe(`Goodblock takes 5%. See <b>${site}/donate/${hash}</b>.`)
  expect(inDirectionOf('ar', page)).toBe(
    `<bdi>Goodblock</bdi> takes 5%. See <b><bdi dir="ltr">${site}/donate/${hash}</bdi></b>.`,
  )
})

test.each([
  ['In UTC, like 2025-11-20T18:30:00Z.', '2025-11-20T18:30:00Z'],
  ['Each starts with https://.', 'https://'],
  ['Add a filter, like ?type=donation.', '?type=donation'],
  ['Read /transparency/log/vkey first', '/transparency/log/vkey'],
  ['BNB of 0x1a2b…3c4d; next', '0x1a2b…3c4d'],
  ['$794.13 for 1 BNB.', '1 BNB'],
  ['Up to 10 MB.', '10 MB'],
  ['3 to 30 of a–z', 'a–z'],
])("in the text '%s' the code '%s' is isolated", (text, code) =>
  expect(inDirectionOf('ar', <Sentence>{text}</Sentence>)).toBe(
    text.replace(code, `<bdi dir="ltr">${code}</bdi>`),
  ),
)

test.each(['20 Nov 2026, 22:59 UTC', 'in and/or out', 'Is it 5/6?', 'Really?yes'])(
  "the text '%s' contains no code",
  (text) => expect(inDirectionOf('ar', <Sentence>{text}</Sentence>)).toBe(text),
)

test.each([
  ['en', 'One. Two.'],
  ['zh', 'One.Two.'],
])('in the language %s, two sentences become %s', (code, text) => {
  const sentences = (
    <>
      One.
      <Gap />
      Two.
    </>
  )
  expect(inDirectionOf(code, sentences)).toBe(text)
})
