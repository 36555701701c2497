import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvent } from '../../app/follow/mail/event.ts'
import { parseDraft } from '../../app/goals/draft.server.ts'
import { outsideFault, parseLinks } from '../../app/goals/member-text.server.ts'
import { parseFilter } from '../../app/ledger/filter.ts'
import { parsePosition } from '../../app/ledger/keyset.server.ts'
import { parseNote } from '../../app/log/note.ts'
import { parseCredentials } from '../../app/members/auth/credentials.server.ts'
import { readAddress } from '../../app/platform/forms/address.ts'
import { readCode } from '../../app/platform/forms/code.ts'
import { readHash } from '../../app/platform/forms/hash.ts'
import { readName } from '../../app/platform/forms/name.ts'
import { readNumber } from '../../app/platform/forms/number.ts'
import { tidyText } from '../../app/platform/forms/text.ts'
import { createEnglish } from '../../app/platform/locales/language.ts'
import { CookieJar } from '../../app/platform/server/cookies.server.ts'
import { toPlainText } from '../../app/platform/server/plain-text.ts'
import { sitePath } from '../../app/platform/server/redirect.ts'
import { parseDocument } from '../../app/statements/listening/feed.server.ts'
import { textOfHtml, timeOf } from '../../app/statements/listening/post.ts'
import { wordMatcher } from '../../app/statements/listening/words.ts'
import { count, holds } from '../support/cases.ts'

const language = createEnglish()
const { i18n } = language
const matches = wordMatcher(['charity', 'donate'])
const formOf = (fields: Record<string, string>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}
const feed = (type: string, write: (text: string) => string) => (text: string) =>
  parseDocument(write(text), type, 'https://news.example/feed', matches)

/** The parsers of texts from outside: forms, URLs, cookies, feeds, mails and witnesses. */
const parsers: Record<string, (text: string) => unknown> = {
  'a number': (text) => readNumber(text, 'USDT'),
  'a hash': readHash,
  'an address': readAddress,
  'a code': (text) => readCode(text, 6),
  'a name': readName,
  'the text of a member': (text) => outsideFault(tidyText(text)),
  'the links of a goal': (text) => parseLinks(text, i18n),
  'a goal': (text) =>
    parseDraft(formOf({ title: text, plan: text, story: text, target: text, days: text }), language),
  'the fields of a sign-in': (text) => parseCredentials(formOf({ email: text, password: text }), i18n),
  'a path of the site': (text) => sitePath(`/${text}`, 'https://goodblock.example'),
  'a filter': (text) => parseFilter(new URLSearchParams({ q: text, type: text, from: text })),
  'a cursor': (text) => parsePosition(new URLSearchParams({ before: text })),
  'the Cookie header': (text) => new CookieJar(text, { secure: true }),
  'a feed in XML': feed('application/rss+xml', (text) => `<rss><channel><item><title>${text}`),
  'all fields of a feed in XML': feed(
    'application/rss+xml',
    (text) =>
      `<rss><channel><item><title>${text}</title><author>${text}</author><pubDate>1:00 ${text}</pubDate><description>${text}`,
  ),
  'a feed in JSON': feed('application/feed+json', (text) =>
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      items: [{ id: text, content_html: text }],
    }),
  ),
  'the date of a post': timeOf,
  'the HTML of a post': textOfHtml,
  'the words of a post': matches,
  'the note of a witness': parseNote,
  'an event of the mail service': (text) => readEvent(new TextEncoder().encode(`{"type":"${text}"`)),
  'a message of the auth service': toPlainText,
}

const pieces = [' ', '\t', '\n', '\u2028', '<', '>', '(', ')', '&', ';', '"', "'", ',', '.', '-', '/', '@']
pieces.push(
  '0',
  '1',
  '١',
  'a',
  'Z',
  'z(',
  '1:00 Z',
  '0x',
  '$',
  '%20',
  '%',
  '=',
  '?',
  '#',
  ':',
  '\\',
  '[',
  ']',
)
pieces.push('http://', 'a.', '<a', '</', '<![CDATA[', '&amp;', '\u200d', '\u{1f469}', '— a b\n', 'for ', '*')

/** A short text, and a text that repeats it. */
const shape = fc.record({
  start: fc.constantFrom('', '1', '$', '0x', 'a', '<', '— ', 'https://'),
  repeated: fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('')),
  end: fc.constantFrom('', 'y', '!', '\u2028y', '>'),
})

/** The processor time of this thread for a text of about `length` characters, in milliseconds. */
function workOf(parse: (text: string) => unknown, { start, repeated, end }: Shape, length: number): number {
  const text = start + repeated.repeat(Math.ceil(length / repeated.length)) + end
  const before = process.threadCpuUsage()
  try {
    parse(text)
  } catch {
    // Many of these texts are refused.
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
interface Shape {
  start: string
  repeated: string
  end: string
}

const length = 8_000
/** In milliseconds. A text of 64,000 characters takes a parser of linear time less than this. */
const least = 60

function expectLinear(parse: (text: string) => unknown, one: Shape): void {
  const long = workOf(parse, one, 8 * length)
  if (long < least) return
  // Measured again three times: the first time includes the compiler and the garbage collector.
  const again = [1, 2, 3].map(() => [workOf(parse, one, length), workOf(parse, one, 8 * length)] as const)
  const short = Math.min(...again.map(([time]) => time))
  const longest = Math.min(...again.map(([, time]) => time))
  // Linear time grows eightfold, quadratic time 64-fold.
  expect(longest).toBeLessThan(Math.max(least, 24 * short))
}

/** Pieces that a pattern or a parser with two neighbours for one character reads slowly. */
const slow = [
  ' ',
  '\u2028',
  ' \u2028',
  '1',
  '$ ',
  ',',
  '0x',
  '<',
  '<a "',
  '<b ">" ',
  '(aaa',
  '1:00 Z(',
  '&',
  '\ufdfa',
]

test.each(Object.keys(parsers))(
  '%s: no text needs more work than in proportion to its length',
  async (name) => {
    const parse = parsers[name] as (text: string) => unknown
    for (const repeated of slow) expectLinear(parse, { start: '1', repeated, end: 'y\u2028y' })
    await holds(
      name,
      count(40, 100_000),
      fc.property(shape, (one) => expectLinear(parse, one)),
    )
  },
  count(180_000, 3_600_000),
)
