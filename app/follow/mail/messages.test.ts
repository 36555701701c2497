import { globSync, readFileSync } from 'node:fs'
import { parse } from 'node-html-parser'
import { expect, test } from 'vitest'
import { createEnglish, createLanguage, loadLanguage } from '../../platform/locales/language.ts'
import { allLocales, type Locale } from '../../platform/locales/locales.ts'
import { type Fact, factRow, type MailRow } from './facts.ts'
import { writeMail } from './messages.ts'
import type { Mail } from './send.server.ts'

const english = createEnglish()
const site = 'https://goodblock.example'
const row: MailRow = {
  id: 1,
  key: 'key',
  address: 'ana@example.org',
  language: 'en',
  token: 'a'.repeat(64),
  topic: 'education',
  topics: ['cz-call', 'education'],
  titles: {},
  is_request: false,
  is_own: false,
  fact_id: 1,
  ask: null,
  coming: [],
}
const tokens = { token_amount: null, token_symbol: null, token_decimals: null }
const payment = {
  id: 7,
  occurred_at: '2025-11-03T10:00:00Z',
  usd: '900.00',
  note: '40 desks',
  recipient: null,
  ...tokens,
}
const month = {
  ...{ month: '2025-10', received_usd: '12300', paid_usd: '8100.5', left_usd: '4199.5' },
  ...{ disputed_count: 0, pending_count: 0, unvalued_count: 0 },
  ...{ compared_wallets: 3, different_wallets: 0, unknown_wallets: 0 },
}
const call = {
  ...{
    author: 'CZ',
    posted_at: '2025-11-03T10:00:00Z',
    text: 'They need help.\nNow.',
    url: 'https://news.example/1',
    action: 'Tents for 200 families',
  },
  ...{ transaction_id: 9, usd: '5000.00', ...tokens, shared_count: 0 },
}

const goalSlug = 'goal-qwertyui'
const titles = { [goalSlug]: 'A ramp' }
const goal = {
  ...{ goal: '7', slug: goalSlug, title: 'A ramp', reason: null, fault: null },
  ...{ ends_at: '2025-12-09T00:00:00Z', report_due_at: '2026-03-09T00:00:00Z', received_usd: '20' },
}

const facts: [name: string, fact: unknown, subject: string][] = [
  [
    'an update',
    {
      kind: 'update',
      topic: 'education',
      content: {
        text: 'Forty desks arrived at <Riverside>.\n\nThe pupils painted them.',
        links: `https://partner.example/report\nhttps://old.example/pictures/pools/education/${'0'.repeat(64)}.jpg#width=1200&height=800&alt=Pupils%20at%20desks`,
        published_at: '2025-11-03T10:00:00Z',
      },
    },
    'Education: Forty desks arrived at <Riverside>. The pupils painted them.',
  ],
  [
    'an update of a goal',
    {
      kind: 'update',
      topic: goalSlug,
      content: {
        text: 'The ramp is built.',
        links: 'https://ramp.example/photos',
        published_at: '2025-11-03T10:00:00Z',
      },
    },
    'News about the goal A ramp',
  ],
  [
    'spending',
    {
      kind: 'spending',
      topic: 'education',
      content: {
        payments: [payment, { ...payment, id: 8, usd: '220.40', note: null, recipient: 'Riverside Books' }],
        answers: [{ id: 5, note: 'Lamps', state: 'no' }],
      },
    },
    'Education spent $1,120.40: 40 desks, Riverside Books',
  ],
  [
    'spending without a value in dollars',
    {
      kind: 'spending',
      topic: 'education',
      content: {
        payments: [
          { ...payment, usd: null, note: null, token_amount: '2000', token_symbol: 'BNB', token_decimals: 3 },
        ],
        answers: [],
      },
    },
    'Education spent 2 BNB',
  ],
  ['a call', { kind: 'call', topic: 'cz-call', content: call }, '$5,000.00 paid: Tents for 200 families'],
  [
    'a call that is a post on X',
    { kind: 'call', topic: 'cz-call', content: { ...call, text: null, url: 'https://x.com/cz/status/1' } },
    '$5,000.00 paid: Tents for 200 families',
  ],
  [
    'a month',
    { kind: 'month', topic: 'month', content: month },
    'Oct 2025: $12,300 in, $8,100.50 out, $4,199.50 left',
  ],
]

/**
 * The elements and properties that Gmail, Apple Mail and Outlook support, according to caniemail.com. Outlook
 * for Windows ignores three of these properties: max-width (a table with a width surrounds the column),
 * word-break, and the padding of a link (its cell has the same padding).
 */
const elements = ['body', 'table', 'tr', 'td', 'h1', 'p', 'ul', 'li', 'a', 'img']
const properties = [
  ...[
    'font-family',
    'font-size',
    'font-weight',
    'line-height',
    'color',
    'background-color',
    'text-decoration',
  ],
  ...['margin', 'padding', 'padding-left', 'mso-padding-alt', 'border', 'border-left', 'display'],
  ...['width', 'max-width', 'height', 'word-break'],
]

const words = (text: string) =>
  text
    .replace(/https?:\S+/g, '')
    .replace(/[>\-[\]:]/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .toSorted()

/** Expects the same words in both parts, and HTML that mail programs show, without pixels or scripts. */
function checkParts(mail: Mail): void {
  const html = parse(mail.html.slice(mail.html.indexOf('<body')))
  const images = html.querySelectorAll('img')
  const alternatives = images.map((image) => image.getAttribute('alt')).join(' ')
  expect(words(`${html.structuredText} ${alternatives}`)).toEqual(words(mail.text))
  expect(mail.html).not.toMatch(/<script|<link|<form|http:/)
  for (const image of images) {
    expect(image.getAttribute('src')).toMatch(/^https:\/\/goodblock\.example\/pictures\//)
    expect(Number(image.getAttribute('width'))).toBeGreaterThan(100)
  }
  for (const element of html.querySelectorAll('*')) {
    expect(elements).toContain(element.rawTagName)
    const style = element.getAttribute('style')?.split(';') ?? []
    for (const property of style) expect(properties).toContain(property.split(':')[0])
  }
}

test.each(facts)(
  'the email about %s has its subject, the same words in both parts, and the links to unfollow',
  (_, given, subject) => {
    const fact: Fact = factRow.parse(given)
    const mail = writeMail({ ...row, topic: fact.topic, titles }, fact, site, english)
    expect(mail.subject).toBe(subject)
    checkParts(mail)
    expect(mail.text).toContain(`${site}/follow/leave?token=${row.token}&topic=${fact.topic}\n`)
    expect(mail.text).toMatch(new RegExp(`${site}/follow/leave\\?token=${row.token}&topic=all\n`))
    expect(mail.headers).toEqual({
      'List-Unsubscribe': `<${site}/follow/leave?token=${row.token}&topic=${fact.topic}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
  },
)

test.each([
  ['returned', 'Your goal needs a change: A ramp', `/dashboard/goals/7`],
  ['rejected', 'Your goal was not approved: A ramp', `/dashboard/goals/7`],
  ['open', 'Your goal is open: A ramp', `/giveback/${goalSlug}`],
  ['gift', 'The first gift arrived: A ramp', `/giveback/${goalSlug}`],
  ['ended', 'Your goal has ended: A ramp', `/dashboard/goals/7`],
  ['report-due', 'Your final report is due on 9 Mar 2026: A ramp', `/dashboard/goals/7`],
  ['report-overdue', 'Your final report is overdue: A ramp', `/dashboard/goals/7`],
])('the email to a member about their own goal (%s) has no links to unfollow', (event, subject, path) => {
  const reason = event === 'returned' || event === 'rejected' ? 'Say <how> wide it is.' : null
  const content = { ...goal, event, reason }
  const fact = factRow.parse({ kind: 'goal', topic: goalSlug, content })
  const mail = writeMail({ ...row, topic: goalSlug, token: null, is_own: true }, fact, site, english)
  expect(mail.subject).toBe(subject)
  checkParts(mail)
  expect(mail.text).toContain(`See your goal\n${site}${path}\n`)
  expect(mail.text.includes(`> ${reason}`)).toBe(reason !== null)
  expect(mail.text).not.toContain('/leave')
  expect(mail.headers).toEqual({})
})

test('the email to an operator about an order that was taken names who took it, and has no links to unfollow', () => {
  const content = {
    ...{ number: 7, by: 'mara', expires_at: '2027-03-05T10:00:00Z' },
    ...{ token_amount: '12500000', token_symbol: 'USDX', token_decimals: 6 },
  }
  const fact = factRow.parse({ kind: 'taken', topic: 'orders', content })
  const mail = writeMail({ ...row, topic: 'orders', token: null, is_own: true }, fact, site, english)
  expect(mail.subject).toBe('mara took order 7 a day ago and has not paid it')
  checkParts(mail)
  expect(mail.text).toContain('The order of 12.5 USDX is paid by hand, because mara took it.')
  expect(mail.text).toContain(`Open payments\n${site}/operator/payments\n`)
  expect(mail.text).not.toContain('/leave')
  expect(mail.headers).toEqual({})
})

test('the email to an operator about a wallet whose keys changed says what was and what is, with what others may spend', () => {
  const spender = `0x${'5'.repeat(40)}`
  const may = (amount: string) => ({ symbol: 'USDX', decimals: 6, spender, amount })
  const safe = { control: 'safe', keys: 3, threshold: 2, modules: 0, allowances: [] as object[] | null }
  const textOf = (former: object, now: object) => {
    const content = {
      wallet: `0x${'7'.repeat(40)}`,
      former: { ...safe, ...former },
      now: { ...safe, ...now },
    }
    const fact = factRow.parse({ kind: 'custody', topic: 'custody', content })
    const mail = writeMail({ ...row, topic: 'custody', token: null, is_own: true }, fact, site, english)
    expect(mail.subject).toBe('Who can move the money of a wallet changed')
    checkParts(mail)
    expect(mail.text).toContain(`See our wallets\n${site}/transparency/wallets\n`)
    return mail.text.replace(/\s+/g, ' ')
  }
  expect(
    textOf({}, { threshold: 1, modules: 1, allowances: [may('1500000'), may(`${2n ** 256n - 1n}`)] }),
  ).toContain(
    `Before: 2 of 3 keys, modules: 0. Others may spend nothing without the keys. Now: 1 of 3 keys, modules: 1. Others may spend without the keys: 1.5 USDX (${spender}), USDX without a limit (${spender}).`,
  )
  expect(textOf({ control: 'key', threshold: null }, { control: 'contract', allowances: null })).toContain(
    'Before: one key. Others may spend nothing without the keys. Now: a contract that is not known to us. What others may spend was not read.',
  )
})

const matched = 'Every transaction and every balance matched the blockchain.'

test.each([
  [{}, matched],
  [
    { disputed_count: 1, pending_count: 2, different_wallets: 1 },
    '1 transaction of this month does not match the blockchain. The balance of 1 wallet differs from the ledger. 2 transactions of this month are not verified yet.',
  ],
  [{ compared_wallets: 0 }, 'No balance was compared with the blockchain.'],
  [
    { unknown_wallets: 2 },
    'The balances of 2 wallets were not fully compared with the blockchain after the end of the month.',
  ],
  [
    { unvalued_count: 1 },
    `${matched} 1 transaction of this month has no dollar value, so no sum includes it.`,
  ],
])(
  'the email about a month states which wallets did not match or were not compared: %j',
  (found, sentence) => {
    const fact = factRow.parse({ kind: 'month', topic: 'month', content: { ...month, ...found } })
    const { text } = writeMail({ ...row, topic: 'month' }, fact, site, english)
    expect(text).toContain(`\n${sentence}\n`)
    if (!sentence.includes(matched)) expect(text).not.toContain('matched')
  },
)

test('an email announces the payments of its topic, with their time, before the links to stop emails', () => {
  const fact = factRow.parse({ kind: 'call', topic: 'cz-call', content: call })
  const due = { due_at: new Date('2025-12-03T14:00:00Z'), token_symbol: 'USDT', token_decimals: 0 }
  const coming = [
    { ...due, id: 4, recipient: 'Clear Water Group', token_amount: '500' },
    { ...due, id: 5, recipient: null, token_amount: '20' },
  ]
  const { text } = writeMail({ ...row, topic: 'cz-call', coming }, fact, site, english)
  expect(text).toContain('Coming payments, unless an operator stops them:')
  expect(text).toContain('500 USDT to Clear Water Group will be paid on 3 Dec 2025, 14:00 UTC')
  expect(text).toContain('20 USDT will be paid on 3 Dec 2025, 14:00 UTC')
  expect(text).toContain(`${site}/transparency/orders#order-4`)
  expect(text.indexOf('#order-5')).toBeLessThan(text.indexOf('Stop emails'))
})

/** What web mail takes from the body, which is all that it keeps of a document. */
const cuts: [what: string, taken: (body: string) => string][] = [
  ['keeps the body alone', (body) => body.replace(/<style[\s\S]*?<\/style>/g, '')],
  ['takes the styles away', (body) => body.replace(/ style="[^"]*"| class="[^"]*"/g, '')],
  [
    'takes the attributes of direction and alignment away',
    (body) => body.replace(/ (?:dir|align|lang)="[^"]*"/g, ''),
  ],
]

test.each(cuts)('every email in Arabic runs from right to left in web mail that %s', async (_, cut) => {
  await loadLanguage(allLocales.get('ar') as Locale)
  const arabic = createLanguage('ar')
  const written = facts.map(([, fact]) => {
    const read = factRow.parse(fact)
    return writeMail({ ...row, topic: read.topic, language: 'ar' }, read, site, arabic).html
  })
  const asked = writeMail(
    { ...row, is_request: true, fact_id: null, language: 'ar' },
    null,
    site,
    arabic,
  ).html
  const kept = writeMail({ ...row, topic: null, fact_id: null, language: 'ar' }, null, site, arabic).html
  const authMails = globSync('supabase/templates/*.html').map((path) =>
    // The words for Arabic, as the auth service chooses them.
    readFileSync(path, 'utf8').replace(
      /\{\{ if eq [\s\S]*?"ar" \}\}([\s\S]*?)\{\{ else \}\}[\s\S]*?\{\{ end \}\}/g,
      '$1',
    ),
  )
  expect(authMails.length).toBeGreaterThan(4)
  for (const document of [...written, asked, kept, ...authMails]) {
    const [, inner = ''] = /<body[^>]*>([\s\S]*)<\/body>/.exec(document) ?? []
    const found = parse(cut(inner)).querySelectorAll('h1, p, a, li, td')
    const texts = found.filter((element) => /[\u0600-\u06ff]/.test(element.textContent))
    expect(texts.length).toBeGreaterThan(2)
    for (const text of texts) {
      let direction = ''
      for (let at: typeof text | null = text; at && !direction; at = at.parentNode)
        direction =
          [at.getAttribute('dir'), at.getAttribute('style')].join().match(/\brtl\b|\bauto\b/)?.[0] ?? ''
      expect(direction, text.outerHTML.slice(0, 200)).not.toBe('')
    }
  }
  const english = createEnglish()
  expect(writeMail(row, factRow.parse(facts[0]?.[1]), site, english).html).not.toMatch(/\brtl\b/)
})

test('the email about a statement mentions another statement with the same payment', () => {
  const fact = factRow.parse({ kind: 'call', topic: 'cz-call', content: { ...call, shared_count: 1 } })
  const { text } = writeMail({ ...row, topic: 'cz-call' }, fact, site, english)
  expect(text).toContain('This payment is shared with another call. The ledger counts it once.')
})

test('the email about a statement that is a post on X contains the URL of the post and no quote', () => {
  const content = { ...call, text: null, url: 'https://x.com/cz/status/1' }
  const fact = factRow.parse({ kind: 'call', topic: 'cz-call', content })
  const { text, html } = writeMail({ ...row, topic: 'cz-call' }, fact, site, english)
  expect(text).toMatch(/CZ wrote on 3 Nov 2025:\n\n- https:\/\/x\.com\/cz\/status\/1\n/)
  expect(html).toContain('href="https://x.com/cz/status/1"')
})

test('the email for a follow request has only the link that confirms the request; the email that asks a follower whether to continue lists every topic', () => {
  const request = writeMail({ ...row, is_request: true, fact_id: null }, null, site, english)
  expect(request.text).toContain(`${site}/follow/confirm?token=${row.token}&topic=education`)
  expect(request.text).not.toContain('/leave')
  expect(request.headers).toEqual({})
  checkParts(request)
  const question = writeMail({ ...row, topic: null, fact_id: null }, null, site, english)
  expect(question.subject).toBe('Keep following CZ Call and Education?')
  expect(question.text).toContain(`${site}/follow/keep?token=${row.token}`)
  expect(question.headers).toEqual({
    'List-Unsubscribe': `<${site}/follow/leave?token=${row.token}&topic=all>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  checkParts(question)
})

test('a recipient is asked with the link of the answer in the text only: the header has another token', () => {
  const ask = {
    ...{ never: 'f'.repeat(64), id: 7, occurred_at: new Date('2025-10-10T10:00:00Z'), amount_usd: 64_550 },
    ...{ note: 'Lamps', by: 'mara', second: 'tomas', ...tokens },
  }
  const mail = writeMail({ ...row, ask, topic: null, fact_id: null, topics: [] }, null, site, english)
  expect(mail.subject).toBe('Did you receive $645.50 for Lamps on 10 Oct 2025?')
  expect(mail.text).toContain(`${site}/arrived?token=${row.token}`)
  expect(mail.text).toContain('mara and tomas of Goodblock entered your address')
  expect(mail.headers).toEqual({
    'List-Unsubscribe': `<${site}/arrived/never?token=${ask.never}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  expect(JSON.stringify(mail.headers)).not.toContain(row.token)
})

test('an email about spending says what recipients said of earlier payments', () => {
  const fact = factRow.parse(facts.find(([name]) => name === 'spending')?.[1])
  const { text } = writeMail(row, fact, site, english)
  expect(text).toContain("Lamps: The recipient says it didn't arrive")
})
