import { msg, plural } from '@lingui/core/macro'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { expect, test } from 'vitest'
import { englishFormats, withPoint } from '~/platform/locales/formats'
import { I18n } from '~/platform/locales/i18n'
import { intlFormats } from '~/platform/locales/intl-formats'
import { createLanguage, loadLanguage } from '~/platform/locales/language'
import { allLocales, type Locale, publishedLocales } from '~/platform/locales/locales'
import { splitPrefix } from '~/platform/locales/paths'
import { openGraphOf } from '~/platform/locales/public-pages'
import { isTranslated, pathIn } from '~/platform/locales/translated-pages'

const locale = (code: string) => allLocales.get(code) as Locale

test.each([...['/', '/about', '/voting/education', '/donate/find', '/follow/confirm', '/transparency/12-3']])(
  'the page %s exists in every language',
  (path) => expect(isTranslated(path)).toBe(true),
)

test.each([
  ...['/auth', '/dashboard/goals/new', '/operator', '/giveback/x/problem', '/nothing', '/transparency.csv'],
  ...['/transparency/log/checkpoint', '/transparency/1/proof', '/healthz', '/voting/'],
])('the path %s exists in one language', (path) => expect(isTranslated(path)).toBe(false))

test.each([
  ['/', '/tr', '/tr'],
  ['/about', '/tr/about', '/tr/about'],
  ['/voting#donations', '/tr/voting#donations', '/tr/voting#donations'],
  ['/?x=1#y', '/tr?x=1#y', '/tr?x=1#y'],
  ['/transparency/1-2?a=b', '/tr/transparency/1-2?a=b', '/tr/transparency/1-2?a=b'],
  ['/transparency.csv', '/transparency.csv', '/transparency.csv'],
  ['/transparency/log/checkpoint', '/transparency/log/checkpoint', '/transparency/log/checkpoint'],
  ['/auth', '/auth?lang=tr', '/auth'],
  ['/dashboard?edit=1#p', '/dashboard?edit=1&lang=tr#p', '/dashboard?edit=1#p'],
  ['https://bscscan.com/tx/1', 'https://bscscan.com/tx/1', 'https://bscscan.com/tx/1'],
])('the link %s becomes %s on a Turkish page, and %s on a private page', (path, prefixed, own) => {
  expect(pathIn(locale('tr'), path, true)).toBe(prefixed)
  expect(pathIn(locale('tr'), path, false)).toBe(own)
  expect(pathIn(locale('en'), path, false)).toBe(path)
})

test.each([
  ['/tr', '/'],
  ['/tr/', '//'],
  ['/tr/about', '/about'],
  ['/TR/about', null],
  ['/es', null],
  ['/en/about', null],
  ['//tr/', null],
  ['/trabout', null],
])('the path %s without its language prefix is %s', (path, pathname) => {
  expect(splitPrefix(path, [locale('en'), locale('tr')])?.pathname ?? null).toBe(pathname)
})

test('every published language has an og:locale', () => {
  for (const code of publishedLocales)
    expect(openGraphOf(locale(code))).toMatch(new RegExp(`^${code}_[A-Z]{2}$`))
})

test('a message contains its values, the right plural form and numbers in the format of its language', () => {
  const message = (count: number, name: string) =>
    msg({ message: `${name} sent ${plural({ count }, { one: '# gift', other: '# gifts' })}` })
  const i18n = new I18n('en', null, englishFormats.count)
  expect(i18n._(message(1, 'A'))).toBe('A sent 1 gift')
  expect(i18n._(message(1204, '#'))).toBe('# sent 1,204 gifts')
  expect(i18n._('Goodblock')).toBe('Goodblock')
  const arabic = '{count, plural, zero {0} one {1} two {2} few {few} many {many #} other {other}}'
  const catalog = { [message(1, 'A').id]: compileMessage(arabic) }
  const ar = new I18n('ar', catalog, intlFormats(locale('ar')).count)
  expect([0, 1, 2, 3, 11, 100].map((count) => ar._(message(count, 'A')))).toEqual([
    '0',
    '1',
    '2',
    'few',
    'many 11',
    'other',
  ])
  expect(ar.lacks('unknown')).toBe(true)
})

test('a pseudo-locale shows longer messages in brackets, with unchanged values', async () => {
  await loadLanguage(locale('en-XA'))
  const name = 'Goodblock'
  const shown = createLanguage('en-XA').i18n._(msg`Hello ${name}, welcome`)
  expect(shown).toMatch(/^\[\S+ Goodblock, \P{ASCII}.*\]$/u)
  expect(shown.length).toBeGreaterThan('Hello Goodblock, welcome'.length * 1.2)
})

test('formats token amounts with the separators of each language', () => {
  const written = ['en', 'zh', 'tr', 'es', 'ar'].map((code) => {
    const { tokens, typedTokens } = code === 'en' ? englishFormats : intlFormats(locale(code))
    const amount = { amount: -1_234_500_000_000_000_001n, symbol: 'BNB', decimals: 15 }
    return [tokens(amount), tokens(amount, 0), typedTokens(amount)].map((text) =>
      text.replaceAll('\u200e', ''),
    )
  })
  const english = ['−1,234.5 BNB', '−1,234 BNB', '−1234.500000000000001 BNB']
  const others = ['−1.234,5 BNB', '−1.234 BNB', '−1234,500000000000001 BNB']
  expect(written).toEqual([english, english, others, others, english])
})

test('writes the digits of a rate with the decimal point of each language', () => {
  const written = ['en', 'zh', 'tr', 'es', 'ar'].map((code) =>
    withPoint('567.93004', code === 'en' ? englishFormats : intlFormats(locale(code))),
  )
  expect(written).toEqual(['567.93004', '567.93004', '567,93004', '567,93004', '567.93004'])
})

test('formats numbers, money and dates for each language, with the digits 0 to 9', () => {
  const written = ['en', 'zh', 'tr', 'es', 'ar'].map((code) => {
    const { count, dollars, exactDollars, monthName, monthDay, day, instant, words } =
      code === 'en' ? englishFormats : intlFormats(locale(code))
    const date = new Date('2026-11-20T22:59:00Z')
    const texts = [
      count(1234),
      dollars(850_000),
      exactDollars(-123_450),
      monthName(date),
      monthDay(date),
      day(date),
      instant(date),
    ]
    return [...texts, words(['a', 'b'], 'and')].map((text) =>
      text.replace(/[\u200e\u200f]/g, '').replace(/\u00a0/g, ' '),
    )
  })
  expect(written).toEqual([
    ['1,234', '$8,500', '−$1,234.50', 'Nov', '20 Nov', '20 Nov 2026', '20 Nov 2026, 22:59 UTC', 'a and b'],
    [
      '1,234',
      '$8,500',
      '−$1,234.50',
      '11月',
      '11月20日',
      '2026年11月20日',
      '2026年11月20日 22:59 UTC',
      'a 和 b',
    ],
    ['1.234', '$8.500', '−$1.234,50', 'Kas', '20 Kas', '20 Kas 2026', '20 Kas 2026 22:59 UTC', 'a ve b'],
    ['1.234', '8.500 $', '−1.234,50 $', 'nov', '20 nov', '20 nov 2026', '20 nov 2026, 22:59 UTC', 'a y b'],
    [
      '1,234',
      '$8,500',
      '−$1,234.50',
      'نوفمبر',
      '20 نوفمبر',
      '20 نوفمبر 2026',
      '20 نوفمبر 2026، 22:59 UTC',
      'a وb',
    ],
  ])
})

test.each([...allLocales.keys()])('a share has the same digits in %s as in English', (code) => {
  for (const share of [0.67, 36.1, 2.09, 100])
    expect(intlFormats(locale(code)).percent(share).replaceAll(/\D/g, '')).toBe(
      englishFormats.percent(share).replaceAll(/\D/g, ''),
    )
})
