import { describe, expect, test } from 'vitest'
import { actSamples } from '../../tests/support/acts.ts'
import { shownValue } from '../acts/act-values'
import { fieldsOfAct, parseAct, typedOf } from '../acts/schemas'
import { createEnglish } from '../platform/locales/language'
import { type ActKind, actKinds, actWords, kindOf } from './act-kinds'

const language = createEnglish()

const formOf = (values: Record<string, string | null>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) form.set(name, value ?? '')
  return form
}

/** The accepted values of an act, or the messages of its wrong fields. */
const parse = (kind: ActKind, values: Record<string, string | null>) => {
  const submission = parseAct(kindOf(kind), formOf(values), language)
  return submission.status === 'success' ? submission.value : { errors: submission.error }
}

const statement = {
  link: ' https://x.com/1 ',
  text: 'Give\r\nnow 👩‍👩‍👧',
  author: 'CZ',
  posted: '2025-03-01T12:00',
  action: 'We gave',
}

test.each(Object.keys(actKinds) as ActKind[])(
  'the schema of kind %s accepts a valid value of each field, and accepts its own result as input',
  (kind) => {
    expect(Object.keys(actSamples[kind])).toEqual(fieldsOfAct(kindOf(kind)).map(({ name }) => name))
    const once = parse(kind, actSamples[kind])
    if ('errors' in once) throw new Error(JSON.stringify(once))
    expect(parse(kind, { ...once.values, reason: once.reason })).toEqual(once)
  },
)

test('entered values become values that the database accepts', () => {
  expect(parse('statement', { ...statement, tx: `0x${'AB'.repeat(32)}`, reason: ' ' })).toEqual({
    values: {
      link: 'https://x.com/1',
      text: 'Give\nnow 👩‍👩‍👧',
      author: 'CZ',
      posted: '2025-03-01T12:00:00.000Z',
      action: 'We gave',
      tx: `0x${'ab'.repeat(32)}`,
    },
    reason: null,
  })
  const typed = { dated: '2025-03-01 12:00:00+00', links: 'https://a.b/c https://a.b/d' }
  expect(parse('update', { ...actSamples.update, ...typed })).toMatchObject({
    values: { dated: '2025-03-01T12:00:00.000Z', links: 'https://a.b/c\nhttps://a.b/d' },
  })
})

describe('an error message describes each invalid field', () => {
  const cases: [ActKind, Record<string, string>, field: string, says: string][] = [
    ['statement', { link: '' }, 'link', 'Link is missing.'],
    ['statement', { link: 'http://x.com' }, 'link', 'starts with https://'],
    ['statement', { text: 'a'.repeat(5001) }, 'text', 'has 5,001 characters. Use at most 5,000.'],
    ['statement', { text: 'sk\u202eooB' }, 'text', 'direction character'],
    ['statement', { author: 'A\nB' }, 'author', 'direction character'],
    ['statement', { posted: 'yesterday' }, 'posted', 'must be a UTC time'],
    ['statement', { tx: '0x12' }, 'tx', '64 characters'],
    ['confirmation', { how: 'short' }, 'how', 'at least 10 characters'],
    ['update', { pool: 'treasury' }, 'pool', 'must be one of: education,'],
    ['update', { links: 'https://a.b ftp://a.b' }, 'links', 'start with https://'],
    ['update', { helping_source: '' }, 'helping_source', 'together'],
    ['purpose', { type: 'fun' }, 'type', 'must be one of'],
    ['value', { rate: '0.0' }, 'rate', 'more than zero'],
    ['name', { name: 'treasury' }, 'name', 'one of our own wallets'],
    ['name', { address: '0x12' }, 'address', 'must start with 0x'],
    ['withdrawal', { reason: '' }, 'reason', 'Reason is missing.'],
    ['withdrawal', { reason: 'a'.repeat(501) }, 'reason', 'at most 500'],
    ['operator', { handle: 'Al' }, 'handle', 'at least 3'],
    ['operator', { handle: 'Alice' }, 'handle', '3 to 30'],
    ['split-vote', { days: '7d' }, 'days', 'must be a number'],
    ['split-vote', { least: '20 0 0 0 0' }, 'least', 'one for each share'],
    ['split-vote', { least: '20 20 20 20 20 20' }, 'least', 'at most 100'],
    ['split-vote', { most: '20 20 20 20 10 5' }, 'most', 'at least 100'],
    ['split-vote', { least: '20 0 0 44 0 10' }, 'most', 'at least the least one'],
    ['operator', { email: 'alice' }, 'email', 'name@example.org'],
  ]
  test.each(cases)('%s with %j', (kind, changes, field, says) => {
    expect(parse(kind, { ...actSamples[kind], ...changes })).toEqual({
      errors: { [field]: [expect.stringContaining(says)] },
    })
  })
})

test('entered values stay unchanged, except that characters that PostgreSQL cannot store and unrelated fields are removed', () => {
  const typed = formOf({ link: 'a\0b\ud800', intent: 'save', reason: '' })
  expect(typedOf(actKinds.statement, typed)).toEqual({ values: { link: 'ab\ufffd' }, reason: null })
})

test('the record uses different words for a correction', () => {
  const words = [actWords('statement', 0), actWords('statement', 2), actWords('value', 2)]
  expect(words.map((each) => language.i18n._(each))).toEqual([
    'Published a statement',
    'Corrected a statement',
    'Set the value of a payment',
  ])
})

test('each act about a goal, and each act that needs two operators, has a description of its effect', () => {
  const kinds = (Object.keys(actKinds) as ActKind[]).filter(
    (kind) => kindOf(kind).isAboutGoal || kindOf(kind).people === 2,
  )
  expect(kinds.filter((kind) => !kindOf(kind).effect)).toEqual([])
})

test('the reason field of each act states who can read the reason', () => {
  const hints = (Object.keys(actKinds) as ActKind[]).map((kind) => fieldsOfAct(kindOf(kind)).at(-1)?.hint)
  expect(hints).not.toContain(undefined)
})

test('a page shows a choice by its label, a time in UTC, and any other value unchanged', () => {
  const [shown, of] = [[] as string[], fieldsOfAct(actKinds.update)]
  for (const [name, value] of Object.entries({
    ...{ pool: 'humanitarian-relief', dated: '2025-10-29T00:00:00.000Z', text: 'Books', helping: '12' },
  })) {
    const field = of.find((each) => each.name === name)
    if (field) shown.push(shownValue(field, value, language).text)
  }
  expect(shown).toEqual(['Humanitarian Relief Foundation', '29 Oct 2025, 00:00 UTC', 'Books', '12'])
})
