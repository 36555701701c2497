import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { count, holds, marker, typed } from '../support/cases.ts'
import { addGoal } from '../support/goals.ts'
import { addOperator } from '../support/operators.ts'
import { type SiteWithBackend, startSiteWithBackend } from '../support/site.ts'
import { sessionCookie, Visitor } from '../support/visitor.ts'
import { openTestVote } from '../support/votes.ts'
import { type Form, forms, parameters, places } from './surface.ts'
import { type Answer, type Sent, send } from './wire.ts'

/** A marker in every value that no log line may have: passwords, entered values, queries, cookies. */
const secret = 'k7h'
/** The number of parallel requests; each lane has its own member. */
const lanes = 4

let site: SiteWithBackend
beforeAll(async () => {
  // With a wallet configured, /donate has its three steps.
  const wallet = `0x${'a'.repeat(40)}`
  const chain = {
    CHAIN_RPC_URLS: 'https://rpc.example/none https://rpc.example/two',
    TOKEN_ADDRESS: wallet,
    ...{ CHAIN_START_BLOCK: '1', CHAIN_TOKENS: `USDT:${wallet}:18:usd BNB:native:18` },
  }
  site = await startSiteWithBackend({
    mail: true,
    variables: { TREASURY_WALLET: wallet, FUNDME_OPEN: '1', ...chain },
  })
  await addGoal(site.backend, { slug: 'goal-zzzzzzzz' })
  await openTestVote(site.backend, 'goal-zzzzzzzz')
})
afterAll(() => site.close())

interface Member {
  id: string
  cookies: string
}

let members = 0
async function newMember(): Promise<Member> {
  const visitor = new Visitor(site.url)
  const email = `${secret}-${++members}@example.com`
  const fields = { intent: 'sign-up', email, password: `${secret} password`, username: 'Member' }
  const { location } = await visitor.post('/auth?mode=sign-up', fields, {
    'CF-Connecting-IP': `10.9.${members >> 8}.${members & 255}`,
  })
  expect(location).toBe('/dashboard')
  const { html } = await visitor.get('/dashboard?edit=profile')
  const id = /name="member" value="([^"]+)"/.exec(html)?.[1] as string
  visitor.jar.delete('notice')
  const cookies = [...visitor.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  return { id, cookies: `${cookies}; recovery=${id}` }
}

async function newOperator(at: number): Promise<string> {
  const { client } = await addOperator(site.backend, `operator-${at}`)
  const { data } = await client.auth.getSession()
  const { jar } = new Visitor(site.url).carry(sessionCookie, data.session ?? {})
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}

/** A request, with the properties that the test expects. */
interface Case {
  sent: Sent
  /** Whether a member's cookies are sent before the cookies of `sent`. */
  member: boolean
  /** Whether an operator's cookies are sent before the cookies of `sent`. */
  operator?: boolean
  /** Whether the body begins with the id of the lane's member. */
  authored?: boolean
  /** The values that a rejected form must keep. */
  kept?: Record<string, string>
}

const bytes = (text: string) => Buffer.from(text).toString('latin1')
/** Converts text to the bytes of a header line, and omits CR, LF and NUL. */
const line = (text: string) => bytes(text).replace(/[\r\n\0]/g, '')
const query = (value: string) => encodeURIComponent(value).replaceAll('%20', '+')

const broken = fc.constantFrom('%', '%zz', '%ff', '%C0%AF', '%ED%A0%80', '%u0041', '%00', '\xff\xfe', '\xc3')
const odd = fc.oneof(typed.map(line), typed.map(query), broken, fc.string({ maxLength: 20 }).map(line))

const cookieNames = [
  'notice',
  'draft',
  'pending-email',
  'pending-session',
  'wallet',
  'recovery',
  'x',
  '__proto__',
  sessionCookie,
]
  .concat([0, 1, 2, 9].map((chunk) => `${sessionCookie}.${chunk}`))
  .concat([`${sessionCookie}-code-verifier`, `${sessionCookie}.x`, ''])
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value))
const token = fc.tuple(json, json, fc.constantFrom('', 'AAAA', '.')).map(([head, body, end]) =>
  [head, body]
    .map((part) => Buffer.from(part).toString('base64url'))
    .concat(end)
    .join('.'),
)
const session = fc
  .tuple(token, typed)
  .map(([access_token, refresh_token]) => JSON.stringify({ access_token, refresh_token, expires_at: 1 }))
const cookieValue = fc.oneof(
  odd,
  fc.constantFrom('signed-in', 'constructor', 'null', '""', '{}', '[]', 'base64-', 'base64-e30', '%7B%7D'),
  fc.oneof(json, session).map((text) => `base64-${Buffer.from(text).toString('base64url')}`),
  fc.oneof(json, session).map(query),
  typed.map((email) => query(JSON.stringify({ email, purpose: 'sign-in', redirectTo: email }))),
)
const cookies = fc
  .array(fc.tuple(fc.constantFrom(...cookieNames), cookieValue), { minLength: 1, maxLength: 5 })
  .map((all) => all.map(([name, value]) => `${name}=${value}${value.length % 2 ? '' : secret}`).join('; '))

const headerNames = ['Accept', 'Accept-Language', 'Origin', 'Sec-Fetch-Site', 'Sec-Fetch-Dest', 'Sec-Purpose']
  .concat([
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'Forwarded',
    'CF-Ray',
    'If-None-Match',
    'If-Modified-Since',
  ])
  .concat([
    'Range',
    'Referer',
    'User-Agent',
    'Authorization',
    'Content-Type',
    'X-HTTP-Method-Override',
    'apikey',
  ])
  .concat([
    'X-Remix-Revalidate',
    'X-Request-Id',
    'Content-Encoding',
    'Expect',
    'Upgrade',
    'Early-Data',
    'Via',
  ])
const header = fc.tuple(
  fc.constantFrom(...headerNames),
  fc.oneof(
    odd,
    fc.constantFrom('*', '*/*', 'document', 'same-origin', 'cross-site', 'null', 'gzip', 'bytes=0-', 'W/"x"'),
  ),
)
const method = fc.oneof(
  { weight: 6, arbitrary: fc.constant('GET') },
  { weight: 2, arbitrary: fc.constant('POST') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'get', 'FROB'),
  },
)

const parameter = fc.oneof(fc.constantFrom(...parameters), typed)
const value = fc.oneof(
  typed,
  fc.constantFrom(
    'sign-up',
    'mail',
    'profile',
    'donation',
    '2026-02-30',
    '1-1',
    '9999999999999999-1',
    '//evil.example',
  ),
)
const search = fc
  .array(fc.tuple(parameter, fc.oneof(value.map(query), broken)), { maxLength: 5 })
  .map((pairs) => pairs.map(([name, text]) => `${query(name)}=${text}`).join('&'))
  .chain((pairs) => fc.constantFrom('', `?${pairs}`, `?${pairs}`, `?${pairs}&x=${secret}`))

const place = fc
  .constantFrom(
    ...places.map(({ path }) => path),
    '/__manifest',
    '/csp-report',
    '/assets/x.js',
    '/auth/v1/verify',
  )
  .chain((path) => typed.map((text) => path.replace(/:\w+|\*/, () => query(text).slice(0, 2_000) || 'x')))
const suffix = fc.constantFrom(
  '',
  '',
  '',
  '.data',
  '/',
  '//',
  '/.',
  '%2f',
  ';x',
  '%00',
  '/_.data',
  '.DATA',
  '/%',
  '/%ff',
)
const rawPath = fc
  .array(
    fc.oneof(
      broken,
      odd,
      fc.constantFrom('/', '//', '/..', '/.', ';', '\\', '/auth', '/dashboard', '.data', ':', '@'),
    ),
    { maxLength: 6 },
  )
  .map((parts) => `/${parts.join('')}`.replace(/[ \t?#]/g, ''))

// A malformed host never reaches the worker, because the local runtime responds with its own 500.
const host = fc.oneof(
  fc.constantFrom('evil.example', '[::1]', 'EVIL.example:1', 'xn--nxasmq6b', '127.1', '0x7f.1:80'),
  fc.stringMatching(/^[a-z][a-z0-9-]{0,20}(\.[a-z]{1,9}){0,3}(:[1-9]\d{0,3})?$/),
)

/** Any request without a body to any URL, signed out or as a member. */
const request: fc.Arbitrary<Case> = fc
  .record({
    method,
    path: fc.oneof({ weight: 3, arbitrary: fc.tuple(place, suffix).map((parts) => parts.join('')) }, rawPath),
    search,
    headers: fc.array(header, { maxLength: 4 }),
    cookies: fc.oneof(fc.constant(null), cookies),
    host: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, host),
    member: fc.integer({ min: 0, max: 2 }).map((drawn) => drawn === 0),
  })
  .map(({ method, path, search, headers, cookies, host, member }) => ({
    member: member && !cookies && !path.startsWith('/auth/sign-out'),
    sent: {
      method,
      target: `${path}${search}`.slice(0, 12_000),
      headers: cookies ? [...headers, ['Cookie', cookies]] : headers,
      body: '',
      ...(host !== null && { host }),
    },
  }))

/** Reports to /csp-report, in the forms that browsers and attackers send. */
const report: fc.Arbitrary<Case> = fc
  .tuple(
    fc.constantFrom(
      'application/csp-report',
      'application/reports+json',
      'application/json',
      'text/plain',
      '',
    ),
    fc.constantFrom('script-src', 'script-src-elem', 'style-src'),
    fc.oneof(
      typed,
      fc.webUrl().map((url) => `${url}/${secret}?${secret}`),
    ),
    fc.jsonValue(),
    fc.constantFrom<(name: string, value: unknown) => unknown>(
      (name, value) => ({ 'csp-report': { 'effective-directive': name, 'blocked-uri': value } }),
      (name, value) => [{ type: 'csp-violation', body: { effectiveDirective: name, blockedURL: value } }],
      (name, value) => [{ body: { effectiveDirective: value, blockedURL: name } }, null, value],
    ),
    fc.boolean(),
  )
  .map(([type, name, text, other, wrap, broken]) => {
    const body = bytes(JSON.stringify(wrap(name, broken ? other : text)))
    return {
      member: false,
      sent: {
        method: 'POST',
        target: '/csp-report',
        headers: type ? [['Content-Type', type]] : [],
        body: broken ? body.slice(1) : body,
      },
    }
  })

/** The encodings of a body, and the ways to corrupt it. */
type Writing =
  | 'url'
  | 'multipart'
  | 'raw'
  | 'broken'
  | 'file'
  | 'cut'
  | 'boundary'
  | 'json'
  | 'text'
  | 'empty'
  | 'utf-16'
const writings: Writing[] = [
  'url',
  'url',
  'url',
  'multipart',
  'raw',
  'broken',
  'file',
  'cut',
  'boundary',
  'json',
]
writings.push('text', 'empty', 'utf-16')

const strangeNames = [
  '__proto__',
  'constructor',
  'toString',
  '__intent__',
  '__state__',
  '',
  'a[0].b',
  'email.x',
  'email[]',
]
strangeNames.push(
  'username[99999999]',
  'code.toString',
  '__proto__[x]',
  '[',
  'a..b',
  'then',
  'a.'.repeat(2_000),
)
const extra = fc.tuple(
  fc.oneof(fc.constantFrom(...strangeNames), typed).map((name) => name || '-'),
  typed,
)
const uuid = 'a0000000-0000-4000-8000-000000000000'
/** There are many email addresses, because each has a rate limit. */
const address = fc.nat().map((number) => `${secret}-${number}@b.example`)
/** Values that pass or almost pass the field's validation, so that the code after it runs. */
const plausible: Record<string, string[]> = {
  email: ['ä@b.example', `${secret}+'"@b.example`],
  password: [`${secret} password`, `${secret}\0password`, `${secret}${'👩'.repeat(40)}`],
  username: ['Änne', '👩👩👩', '\u202eabc', 'a'.repeat(101)],
  walletAddress: [`0x${'a'.repeat(40)}`, `0x${'A'.repeat(40)}`, '0x'],
  code: ['123456', '123 456', '١٢٣٤٥٦'],
  name: ['Phone', '\u202ePhone', 'Pho\0ne'],
  type: ['email', 'recovery', 'email_change', 'signup'],
  token_hash: ['cafe', 'ca\0fe', "' or 1=1--"],
  factorId: [uuid],
  challengeId: [uuid],
  access_token: ['e30.e30.x', `${btoa('{"alg":"HS256"}')}.${btoa('{"exp":4e9,"iat":4e9,"sub":"x"}')}.AA`],
  refresh_token: [`${secret}\0`, 'x'],
  signature: [`0x${'0'.repeat(130)}`],
  newPassword: [`${secret} another`],
  currentPassword: [`${secret} password`, `${secret}\0`],
  kind: ['goal-freeze', 'goal-annulment', 'complaint-dismissal'],
  reason: ['scam', 'A reason of more than ten letters.'],
  speaks: ['yes'],
  version: ['0', '1'],
  title: ['School coats', 'a'.repeat(101)],
  target: ['1200', '$1,200.50', '99999999'],
  days: ['14', '0', '999'],
  plan: ['1200, coats', '1, a\n2; b\n3', '$1,000 - coats\n200.50 shoes'],
  story: ['It is cold, and forty children have no coat.', `0x${'A'.repeat(40)}`],
  text: ['The coats that were bought have arrived.'],
  links: ['https://b.example/a', 'https://b.example/\nhttps://b.example/b'],
  wallet: [`0x${'a'.repeat(40)}`],
  next: ['check', 'wallets'],
  may: ['yes'],
  public: ['yes'],
  report: ['yes'],
}

const formRequest: fc.Arbitrary<Case> = fc
  .constantFrom(...Object.values(forms).flat())
  .chain((form) =>
    fc.record({
      form: fc.constant(form),
      values: fc.tuple(
        ...[...form.kept, ...form.dropped].map((name) =>
          fc.oneof(
            { weight: 2, arbitrary: typed },
            fc.constantFrom('', ' ', ...(plausible[name] ?? [])),
            ...(name === 'email' ? [address] : []),
          ),
        ),
      ),
      intent: fc.constantFrom<'own' | 'none' | 'twice' | 'other'>(
        'own',
        'own',
        'own',
        'none',
        'twice',
        'other',
      ),
      other: fc.oneof(typed, fc.constantFrom('sign-in', 'update-profile', 'enrol', 'constructor')),
      repeated: fc.boolean(),
      extras: fc.array(extra, { maxLength: 3 }),
      writing: fc.constantFrom(...writings),
      spoil: broken,
      headers: fc.array(header, { maxLength: 1 }),
      waiting: fc.oneof(fc.constant(null), address),
      /** Whether the framework's script sends the form, to the URL with `.data`, or the browser. */
      data: fc.constantFrom(false, false, false, true),
      origin: fc.boolean(),
    }),
  )
  .map(
    ({ form, values, intent, other, repeated, extras, writing, spoil, headers, waiting, data, origin }) => {
      const names = [...form.kept, ...form.dropped]
      const own = names.map((name, at): [string, string] => {
        const text = values[at] ?? ''
        return [name, /password/i.test(name) && text.length % 3 ? `${text}${secret}` : text]
      })
      const intents: [string, string][] = {
        own: form.intent === null ? [] : [form.intent],
        none: [],
        twice: [other, form.intent ?? other],
        other: [other],
      }[intent].map((value) => ['intent', value])
      const again = repeated ? names.map((name): [string, string] => [name, 'a second one']) : []
      const { body, type, cut, exact } = write([...intents, ...own, ...again, ...extras], writing, spoil)
      const cookie: [string, string][] = waiting
        ? [
            [
              'Cookie',
              `pending-email=${query(JSON.stringify({ email: waiting, purpose: 'recovery', redirectTo: null }))}`,
            ],
          ]
        : []
      const odd = headers.filter(([name]) => !/^(Origin|Sec-Fetch-Site|Content-Type)$/.test(name))
      return {
        member: form.members ?? false,
        operator: form.operators ?? false,
        authored: Boolean(form.authored && exact),
        sent: {
          method: 'POST',
          target: data ? form.action.replace(/$|(?=\?)/, '.data') : form.action,
          headers: [
            ...(origin ? sameOrigin : []),
            ...(type ? [['Content-Type', type] as [string, string]] : []),
            ...cookie,
            ...odd,
          ],
          body,
          ...(cut !== undefined && { cut }),
        },
        ...(exact &&
          !data &&
          ['own', 'none'].includes(intent) &&
          keeps(form, intent) && {
            kept: Object.fromEntries(own.filter(([name]) => form.kept.includes(name))),
          }),
      }
    },
  )

/** A browser's headers with a form of this site. `*`: the site's origin, not known yet. */
const sameOrigin: Sent['headers'] = [
  ['Origin', '*'],
  ['Sec-Fetch-Site', 'same-origin'],
]

/** Returns whether a rejected form is kept: if several forms share a URL, only with a valid intent. */
function keeps({ action }: Form, intent: string): boolean {
  return intent === 'own' || !action.startsWith('/dashboard/account')
}

function write(fields: [string, string][], writing: Writing, spoil: string) {
  const url = fields.map(([name, value]) => `${query(name)}=${query(value)}`).join('&')
  const form = 'application/x-www-form-urlencoded'
  const multipart = (boundary: string, file?: number) => {
    const parts = fields.map(([name, value], at) => {
      const named = `name="${
        bytes(name)
          .replace(/"/g, '%22')
          .replace(/[^ -[\]-\xff]/g, '') || '-'
      }"`
      const how = at === file ? '; filename="a.html"\r\nContent-Type: text/html' : ''
      return `--${boundary}\r\nContent-Disposition: form-data; ${named}${how}\r\n\r\n${bytes(value)}\r\n`
    })
    return `${parts.join('')}--${boundary}--\r\n`
  }
  const type = 'multipart/form-data; boundary=b7d2c1'
  switch (writing) {
    case 'url':
      return { type: form, body: url, exact: true }
    case 'multipart':
      return { type, body: multipart('b7d2c1'), exact: true }
    case 'raw':
      return { type: form, body: fields.map(([name, value]) => `${bytes(name)}=${bytes(value)}`).join('&') }
    case 'broken':
      return { type: `${form}; charset=iso-8859-1`, body: url.replaceAll('&', `${spoil}&`) + spoil }
    case 'file':
      return { type, body: multipart('b7d2c1', fields.length - 1) + spoil }
    case 'cut':
      return { type, body: multipart('b7d2c1'), cut: Math.floor(url.length / 2) }
    case 'boundary':
      return { type: 'multipart/form-data; boundary="b7d2', body: multipart('other') }
    case 'json':
      return { type: 'application/json', body: bytes(JSON.stringify(Object.fromEntries(fields))) }
    case 'text':
      return { type: `text/plain; charset=${spoil}`, body: url }
    case 'empty':
      return { type: '', body: '' }
    case 'utf-16':
      return { type: `${form}; charset=utf-16`, body: Buffer.from(url, 'utf16le').toString('latin1') }
  }
}

/** Inputs that once failed. */
const failed: Case[] = ['/%5C', '/cz-call/%ff', '/%09/.', '/.DATA?_data='].flatMap((target) =>
  ['GET', 'POST'].map((method) => ({ member: false, sent: { method, target, headers: [], body: '' } })),
)
failed.push({
  member: false,
  sent: { method: 'HEAD', target: '/contact.data', headers: [['Origin', '%zz']], body: '' },
})

const statuses: Record<string, number> = {}

/** Sends a case, signed out or as its lane's member, and returns the violations of the response. */
async function faultsOf({ sent, member, operator, authored, kept }: Case, lane: Lane): Promise<string[]> {
  const own: Sent['headers'] = [
    ['CF-Connecting-IP', `10.${lane.at}.${(lane.asked >> 8) & 255}.${lane.asked++ & 255}`],
  ]
  let { body } = sent
  if (member) {
    lane.member ??= await newMember()
    own.push(['Cookie', lane.member.cookies])
    if (authored || (kept && /^\/dashboard(\?|\/account$)/.test(sent.target))) {
      // The site reads these forms only with the id of the signed-in member.
      const member = /^multipart/.test(sent.headers.find(([name]) => name === 'Content-Type')?.[1] ?? '')
        ? `--b7d2c1\r\nContent-Disposition: form-data; name="member"\r\n\r\n${lane.member.id}\r\n`
        : `member=${lane.member.id}&`
      body = member + body
    }
  }
  if (operator) {
    lane.operator ??= await newOperator(lane.at)
    own.push(['Cookie', lane.operator])
  }
  for (const [name, value] of sent.headers)
    own.push([name, name === 'Origin' && value === '*' ? site.url : value])
  const answer = await send(site.url, { ...sent, body, headers: own })
  const key = `${answer?.status ?? 'none'}`
  statuses[key] = (statuses[key] ?? 0) + 1
  if (!answer) return sent.cut === undefined ? ['closed without an answer'] : []
  if (
    member &&
    answer.headers.some(([name, value]) => name === 'set-cookie' && value.startsWith(`${sessionCookie}=;`))
  )
    lane.member = undefined
  return [...faultsOfAnswer(answer), ...(kept && answer.status === 400 ? lostInput(answer, kept) : [])]
}

function faultsOfAnswer({ status, headers, body }: Answer): string[] {
  const faults: string[] = []
  const of = (name: string) => headers.find(([own]) => own === name)?.[1]
  // A cached page has no request id.
  const ours = of('x-request-id') !== undefined || /desc=hit/.test(of('server-timing') ?? '')
  // Malformed HTTP never reaches the worker: the runtime rejects it.
  if (status >= 500 && (ours || status !== 501)) faults.push(`status ${status}`)
  if (!ours && status < 400 && !of('content-type')?.match(/javascript|css|image/) && status !== 304)
    faults.push(`status ${status} is not expected`)
  if (headers.some(([name]) => name.includes(marker))) faults.push('a header was made up')
  const location = of('location')
  if (location !== undefined && new URL(location, site.url).origin !== site.url)
    faults.push(`leads to ${location}`)
  const type = of('content-type') ?? ''
  if (ours && of('x-content-type-options') !== 'nosniff') faults.push('may be sniffed')
  if (body.includes(secret) && /password/.test(body)) {
    const shown = body.match(/type="password"[^>]*value="[^"]*k7h/)
    if (shown) faults.push('a password came back')
  }
  if (!/^(text\/html|$)/.test(type)) return faults
  if (new RegExp(`<[/!-]*${marker}|(href|src|action)="\\s*(javascript|data):[^"]*${marker}`, 'i').test(body))
    faults.push('markup came back')
  const text = body.replace(/<script[^>]*>[^<]*<\/script>/g, '')
  if (new RegExp(`["']${marker}=`).test(text)) faults.push('a quote came back')
  return faults
}

function lostInput({ body }: Answer, kept: Record<string, string>): string[] {
  const inputs = [...body.matchAll(/<input\b[^>]*>/g)].map(([input]) => ({
    name: / name="([^"]*)"/.exec(input)?.[1],
    value: decode(/ value="([^"]*)"/.exec(input)?.[1] ?? ''),
  }))
  for (const [, name, text = ''] of body.matchAll(/<textarea\b[^>]* name="([^"]*)"[^>]*>([^<]*)</g))
    inputs.push({ name, value: decode(text.replace(/^\n/, '')) })
  return Object.entries(kept).flatMap(([name, value]) => {
    const input = inputs.find((one) => one.name === name)
    if (!value) return []
    if (!input) return [`no field ${name}`]
    return input.value === value ? [] : [`${name} came back as ${JSON.stringify(input.value)}`]
  })
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
function decode(text: string): string {
  return text.replace(/&([#\w]+);/g, (whole, name) => entities[name] ?? whole)
}

interface Lane {
  at: number
  asked: number
  member: Member | undefined
  /** The cookies of an operator, if the lane has one. */
  operator?: string
}

/** Runs several lanes in parallel, each with a part of the inputs. */
async function hold(name: string, cases: fc.Arbitrary<Case>, inputs: number, seen: Case[] = []) {
  const work = Array.from({ length: lanes }, (_, at) => {
    const lane: Lane = { at, asked: 0, member: undefined }
    const property = fc.asyncProperty(cases, async (one) => {
      expect(await faultsOf(one, lane)).toEqual([])
    })
    const examples = at === 0 ? seen.map((one): [Case] => [one]) : []
    return holds(`${name}, lane ${at + 1}`, Math.ceil(inputs / lanes), property, examples, at)
  })
  await Promise.all(work)
}

test('the list of forms has exactly the routes with an action', () => {
  const taking = places.filter(({ file }) => {
    const text = readFileSync(new URL(`../../app/${file}`, import.meta.url), 'utf8')
    return /^export (async function|function|const) action\b/m.test(text)
  })
  expect(Object.keys(forms).toSorted()).toEqual(taking.map(({ path }) => path).toSorted())
})

test(
  'any request to any URL gets a response without internal errors, and input is never rendered as markup',
  async () => {
    await hold('requests', request, count(600, 19_000), failed)
  },
  count(240_000, 3_600_000),
)

test(
  'any policy report gets a response',
  async () => {
    await hold('reports', report, count(60, 1_000))
  },
  count(240_000, 3_600_000),
)

test(
  'any body sent to any form gets a response that keeps the entered values',
  async () => {
    await hold('forms sent', formRequest, count(400, 12_000))
  },
  count(240_000, 3_600_000),
)

test('every log line is one event without a secret', () => {
  console.log('answers:', statuses)
  expect(site.log.length).toBeGreaterThan(500)
  for (const said of site.log) {
    if (/^backend error \w+( [a-z_]+)? request [0-9a-f-]{36}$/.test(said)) continue
    expect(said).toMatch(/^\{[ -~]*\}$/)
    const { level, event, requestId } = JSON.parse(said)
    expect(level).toMatch(/^(info|warn|error)$/)
    expect(event).toMatch(/^[a-z-]+(\.[a-z-]+)?$/)
    expect(event).not.toBe('forged')
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(said).not.toContain(secret)
  }
  // The rate limits reject a small part, so that most requests reach the code behind them.
  const all = Object.values(statuses).reduce((sum, some) => sum + some, 0)
  expect((statuses[429] ?? 0) / all).toBeLessThan(0.1)
})

/** Characters whose repetition has made a pattern slow, here or in a package. */
const slow = [
  ' ',
  '\u2028',
  '1',
  '<',
  '(',
  '&',
  '.',
  ',',
  'a',
  '\n',
  '1 \u2028',
  '$ ',
  '٣',
  '0x',
  '%20',
  '@a.',
]

test(
  'any form answers fields that are as long as a form may be',
  async () => {
    const lane: Lane = { at: 9, asked: 0, member: undefined }
    const all = Object.values(forms).flat()
    for (const [at, form] of all.entries()) {
      const names = [...form.kept, ...form.dropped]
      // In `npm test` each form gets two of the texts, another form the next two.
      const texts = count(0, 1) ? slow : [slow[at % slow.length], slow[(at + 7) % slow.length]]
      for (const text of texts as string[]) {
        const size = Math.floor(240_000 / Math.max(1, names.length))
        const long = text.repeat(Math.ceil(size / encodeURIComponent(text).length))
        const fields = names.map((name): [string, string] => [name, `1${long}y\u2028y`])
        const { body, type } = write([['intent', form.intent ?? ''], ...fields], 'url', '')
        const faults = await faultsOf(
          {
            member: form.members ?? false,
            operator: form.operators ?? false,
            authored: form.authored ?? false,
            sent: {
              method: 'POST',
              target: form.action,
              headers: [...sameOrigin, ['Content-Type', type ?? '']],
              body,
            },
          },
          lane,
        )
        expect({ action: form.action, text, faults }).toEqual({ action: form.action, text, faults: [] })
      }
    }
  },
  count(240_000, 3_600_000),
)
