import { expect, test } from 'vitest'
import { createEnglish } from '../platform/locales/language'
import { parseDraft } from './draft.server'

const parse = (fields: Record<string, string>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const submission = parseDraft(form, createEnglish())
  return submission.status === 'success' ? submission.value : Object.keys(submission.error ?? {})
}

test('reads each line of a plan as an amount and a text, in any common notation', () => {
  const plan =
    '400, coats for 20 children\r\n $1,150.5 - shoes\n20 hats\n\n49.50\nthe bus\n5kg rice\n7: $2 tickets\n30，外套\n١٢، معاطف'
  expect(parse({ plan })).toMatchObject({
    plan: [
      { amount: '400', what: 'coats for 20 children' },
      { amount: '1150.50', what: 'shoes' },
      { amount: '20', what: 'hats' },
      { amount: '49.50', what: '' },
      { amount: null, what: 'the bus' },
      { amount: null, what: '5kg rice' },
      { amount: '7', what: '$2 tickets' },
      { amount: '30', what: '外套' },
      { amount: '12', what: 'معاطف' },
    ],
  })
  expect(parse({ plan: '123456, coats' })).toEqual(['plan'])
})

// The pattern of a line had cubic time: 4,000 spaces took nine seconds, and 250 kB would have taken days.
test.each([4_000, 250_000])('reads a plan of %s characters in time proportional to its length', (length) => {
  const startedAt = performance.now()
  for (const character of [' ', '\u2028', '1', '١', ',', '.', '$', '–', '\n', 'y', '\u2028 ', '1\n', '$ '])
    for (const [start, end] of [
      ['1', 'y\u2028y'],
      ['$', 'y'],
      ['', ''],
    ])
      for (const field of ['plan', 'target', 'days', 'links', 'story', 'title', 'wallet'])
        parse({ [field]: start + character.repeat(length / character.length) + end })
  expect(performance.now() - startedAt).toBeLessThan(8_000)
})

test('reads the longest plan, and no amount that ends within a word', () => {
  const line = `$ 99,999.99 – ${'💙'.repeat(200)}`
  expect(parse({ plan: Array(12).fill(line).join('\n') })).toMatchObject({
    plan: Array(12).fill({ amount: '99999.99', what: '💙'.repeat(200) }),
  })
  expect(parse({ plan: '5,000x hats\n12 $: hats\n12$\n,5 hats' })).toMatchObject({
    plan: [
      { amount: null, what: '5,000x hats' },
      { amount: '12', what: 'hats' },
      { amount: '12', what: '' },
      { amount: null, what: ',5 hats' },
    ],
  })
})

test('accepts an empty draft, and stores amounts, links and the wallet in a standard form', () => {
  expect(parse({})).toMatchObject({
    title: '',
    target_usd: null,
    days: null,
    plan: [],
    links: '',
    wallet: null,
  })
  expect(
    parse({
      title: ' Coats\t',
      target: '$ 1,200.5',
      links: 'https://école.example/a b\nHTTPS://two.example',
      wallet: `0x${'Ab'.repeat(20)}`,
    }),
  ).toEqual(['links'])
  expect(
    parse({
      title: ' Coats\t',
      target: '$ 1,200.5',
      links: 'https://école.example/a  HTTPS://two.example',
      wallet: `0x${'Ab'.repeat(20)}`,
    }),
  ).toMatchObject({
    title: 'Coats',
    target_usd: 1200.5,
    links: 'https://xn--cole-9oa.example/a\nhttps://two.example/',
    wallet: `0x${'ab'.repeat(20)}`,
  })
  for (const target of ['1.200.50', '-5', '1e3', '100000'])
    expect([target, parse({ target })]).toEqual([target, ['target']])
})

test.each([
  ['25.000', 25_000],
  ['1.200,50', 1200.5],
  ['1200,5', 1200.5],
  ['1,200.50', 1200.5],
  ['1.200.000', null],
  ['١٢٠٠', 1200],
  ['１２００', 1200],
  ['1,20,0', null],
  ['0x50', null],
])('reads the target %s as %s', (target, dollars) => {
  expect(parse({ target })).toMatchObject(dollars === null ? ['target'] : { target_usd: dollars })
})
