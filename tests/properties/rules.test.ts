import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseProfileEdit } from '../../app/account/routes/dashboard/profile-edit.server.ts'
import { filterSearch, parseFilter } from '../../app/ledger/filter.ts'
import { cursorOf, parsePosition } from '../../app/ledger/keyset.server.ts'
import { parseNewPassword } from '../../app/members/auth/account.server.ts'
import { authNotices } from '../../app/members/auth/auth-notices.server.ts'
import { parseCredentials } from '../../app/members/auth/credentials.server.ts'
import { parseAnswer, parseChange, readEnrolment } from '../../app/members/auth/factor-form.server.ts'
import { readPendingEmail, savePendingEmail } from '../../app/members/auth/pending-email.server.ts'
import {
  parseFragment,
  readPendingSession,
  savePendingSession,
} from '../../app/members/auth/pending-session.server.ts'
import { parseSession, readSession, writeSession } from '../../app/members/auth/session.server.ts'
import { parseCode, parseLink } from '../../app/members/auth/verification.server.ts'
import { keepDraft, readDraft } from '../../app/members/profile/draft.server.ts'
import { readForm } from '../../app/platform/forms/form.server.ts'
import { readNotice } from '../../app/platform/forms/notice.server.ts'
import { createEnglish } from '../../app/platform/locales/language.ts'
import { formatDollars, toCents } from '../../app/platform/money.ts'
import { moneyColumn, timestampColumn } from '../../app/platform/server/columns.server.ts'
import { CookieJar } from '../../app/platform/server/cookies.server.ts'
import { createLog } from '../../app/platform/server/log.server.ts'
import { home, safeRedirect, withReturnTo } from '../../app/platform/server/redirect.ts'
import { checksumAddress, walletFault } from '../../app/wallet/address.ts'
import { messageFault, writeMessage } from '../../app/wallet/message.server.ts'
import { anyText, count, holds, typed } from '../support/cases.ts'

const site = 'https://goodblock.example'
const runs = count(1_000, 5_000)

function jar(cookie = ''): CookieJar {
  return new CookieJar(cookie, { secure: false })
}

/** Returns a browser's cookie jar after a response with these Set-Cookie lines. */
function carried(lines: string[]): CookieJar {
  return jar(
    lines
      .filter((line) => !line.includes('; Max-Age=0;'))
      .map((line) => line.split('; ')[0])
      .join('; '),
  )
}

const addressPieces = [
  '/',
  '\\',
  '//',
  '/\\',
  '.',
  '..',
  '%5c',
  '%2f',
  '%2e',
  '%0d%0a',
  '\n',
  '\t',
  '\0',
  '@',
]
  .concat([
    ':',
    '?',
    '#',
    ';',
    ' ',
    'ü',
    '\u3002',
    '．',
    'https:',
    'https:evil.example',
    'javascript:',
    'data:',
  ])
  .concat([
    'user:pass@',
    'evil.example',
    'goodblock.example',
    'auth',
    'dashboard',
    'redirectTo=',
    '\u202e',
    '[::1]',
  ])
const asked = fc.oneof(
  fc.array(fc.constantFrom(...addressPieces), { maxLength: 7 }).map((all) => all.join('')),
  fc.array(fc.constantFrom(...addressPieces), { maxLength: 7 }).map((all) => `/${all.join('')}`),
  anyText,
  fc.webUrl(),
)

test('for any return path, a redirect stays on this site and its URL is one line', async () => {
  const property = fc.property(asked, (path) => {
    const target = safeRedirect(path, site)
    const url = new URL(target, site)
    expect(url.origin).toBe(site)
    expect(url.username + url.password).toBe('')
    expect(target).toMatch(/^\/(?![/\\])[!-~]*$/)
    expect(target === home || !/^\/auth(?:\/(?!new-password$)|\?|$)/.test(target)).toBe(true)
    // A second check returns the same path, even if the path was a parameter of a different page in between.
    expect(safeRedirect(target, site)).toBe(target)
    const behind = new URL(withReturnTo('/auth', target), site)
    expect(safeRedirect(behind.searchParams.get('redirectTo'), site)).toBe(target)
  })
  const named = ['//x', '/\\x', '\\\\x', 'https:x', '/%5cx', '/%0d%0aX: y', '/@x', 'data:,x', 'javascript:x']
  await holds(
    'redirects',
    runs * 2,
    property,
    named.map((path) => [path]),
  )
})

test('money is unchanged after it is formatted and parsed again, and any text is parsed to the cent or rejected', async () => {
  const cents = fc.integer({ min: -9e14, max: 9e14 })
  await holds(
    'money, there and back',
    runs,
    fc.property(cents, (amount) => {
      const shown = formatDollars(amount)
      expect(shown).toMatch(/^−?\$\d{1,3}(,\d{3})*(\.\d\d)?$/)
      expect(toCents(shown.replace('−', '-').replace(/[$,]/g, ''))).toBe(amount)
    }),
  )
  await holds(
    'money, any text',
    runs,
    fc.property(fc.oneof(anyText, fc.double().map(String), fc.bigInt().map(String)), (text) => {
      const read = moneyColumn.safeParse(text)
      if (!read.success) return
      expect(Number.isSafeInteger(read.data)).toBe(true)
      expect(Object.is(read.data, -0)).toBe(false)
      expect(formatDollars(read.data)).toMatch(/^−?\$[\d,]+(\.\d\d)?$/)
    }),
  )
})

test('a cursor in a URL is exact to the microsecond, and any other text is rejected', async () => {
  const moment = fc.integer({ min: 0, max: 4_102_444_800_000 })
  const micros = fc.integer({ min: 0, max: 999 })
  await holds(
    'cursors, there and back',
    runs,
    fc.property(moment, micros, fc.nat(), fc.boolean(), (ms, rest, id, older) => {
      const iso = new Date(ms).toISOString().slice(0, -1) + String(rest).padStart(3, '0')
      for (const time of [`${iso}Z`, `${iso.replace('T', ' ')}+00`]) {
        const params = new URLSearchParams({ [older ? 'before' : 'after']: cursorOf(time, id) })
        const side = older ? 'older' : 'newer'
        expect(parsePosition(params)).toEqual({ position: { side, at: `${iso}Z`, id }, valid: true })
      }
    }),
  )
  const digits = fc.stringMatching(/^\d{1,18}-\d{1,18}$/)
  await holds(
    'cursors, any text',
    runs,
    fc.property(fc.oneof(anyText, digits), fc.oneof(anyText, digits), (before, after) => {
      const { position } = parsePosition(new URLSearchParams({ before, after }))
      if (!position) return
      expect(position.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      expect(Number.isSafeInteger(position.id)).toBe(true)
      expect(timestampColumn.safeParse(position.at).success).toBe(true)
    }),
  )
})

test('a filter from any URL is valid for the ledger, and is unchanged after it is written to a URL and read again', async () => {
  const day = fc.stringMatching(/^[12]\d{3}-[01]\d-[0-3]\d$/)
  const value = fc.oneof(
    anyText,
    day,
    fc.constantFrom('donation', 'tax', 'education', 'constructor', '__proto__'),
  )
  const names = fc.constantFrom('type', 'pool', 'from', 'to', 'before', 'x')
  await holds(
    'filters',
    runs,
    fc.property(fc.array(fc.tuple(names, value), { maxLength: 8 }), (pairs) => {
      const { filter, ignored } = parseFilter(new URLSearchParams(pairs))
      for (const { page, file } of ignored) expect(page + file).toMatch(/^[ -~]+$/)
      expect(filterSearch(filter)).toMatch(/^(\?[a-z0-9=&-]+)?$/)
      expect(parseFilter(new URLSearchParams(filterSearch(filter)))).toEqual({ filter, ignored: [] })
    }),
  )
})

test('a cookie stores any JSON or reports that it cannot, and sets no other cookie', async () => {
  await holds(
    'cookies, there and back',
    runs,
    fc.property(fc.oneof(fc.jsonValue(), anyText), (value) => {
      const cookies = jar()
      const kept = cookies.setJson('x', value, { maxAge: 60 })
      const lines = cookies.commit()
      expect(lines).toHaveLength(kept ? 1 : 0)
      if (!kept) return
      expect(lines[0]).toMatch(/^x=[!-:<-~]*; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax$/)
      expect(carried(lines).getJson('x')).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

const junk = fc.oneof(
  anyText.map((text) => text.replace(/[^ -~]/g, '')),
  typed.map(encodeURIComponent),
  fc.jsonValue().map((value) => encodeURIComponent(JSON.stringify(value))),
  fc.jsonValue().map((value) => `base64-${Buffer.from(JSON.stringify(value)).toString('base64url')}`),
  fc.base64String().map((text) => `base64-${text}`),
)
const ourCookies = [
  'notice',
  'draft',
  'pending-email',
  'pending-session',
  'wallet',
  'recovery',
  'x',
  '__proto__',
]
const key = 'sb-project-auth-token'
const cookieNames = [...ourCookies, key, `${key}.0`, `${key}.1`, `${key}.7`, `${key}-code-verifier`]

test('reads no session, notice or draft from arbitrary cookies, and never throws', async () => {
  const pairs = fc.array(fc.tuple(fc.constantFrom(...cookieNames), junk), { maxLength: 8 })
  const property = fc.asyncProperty(pairs, async (all) => {
    const cookies = jar(all.map(([name, value]) => `${name}=${value}`).join('; '))
    expect(await readSession(cookies, key)).toBeNull()
    const notice = await readNotice(new Request(site), cookies, async () => authNotices)
    if (notice) expect(Object.values(authNotices)).toContain(notice)
    expect(readDraft(cookies, 'member')).toBeNull()
    expect(readPendingSession(cookies)).toBeNull()
    const pending = readPendingEmail(cookies)
    if (pending) expect(typeof pending.email).toBe('string')
    expect(messageFault({ SITE_URL: site, WALLET_CHAIN_ID: 56 }, cookies, 'x', 0)).toBe('message')
    cookies.commit()
  })
  await holds('cookies, made up', runs, property)
})

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = fc.record({ sub: fc.uuid(), exp: fc.integer({ min: 0, max: 4e9 }), email: anyText })

test('a session is unchanged after it is written to any number of cookies and read again, whichever cookies were set before', async () => {
  // The client library loses characters beyond U+1FFFF, but only in user metadata, which no code here reads.
  const notes = fc.oneof(
    typed.map((text) => text.replace(/[\ud840-\udbff]./g, '')),
    fc.string({ minLength: 3_000, maxLength: 9_000 }),
  )
  const property = fc.asyncProperty(claims, notes, fc.nat({ max: 9 }), async (said, note, chunks) => {
    const access_token = `${part({ alg: 'ES256' })}.${part(said)}.AAAA`
    const session = parseSession({ access_token, refresh_token: 'r', user: { note: note } })
    if (!session) throw new Error('no session')
    const before = Array.from({ length: chunks }, (_, at) => `${key}.${at}=old`)
    const cookies = jar([`${key}=old`, ...before].join('; '))
    writeSession(cookies, key, session)
    expect(await readSession(cookies, key)).toEqual(session)
    const next = carried(cookies.commit())
    expect(await readSession(next, key)).toEqual(session)
    expect(next.all().every(({ value }) => value.length < 4_000)).toBe(true)
  })
  await holds('sessions, there and back', count(300, 1_000), property)
})

test('accepts only a response of the token endpoint as a session', async () => {
  const token = fc.oneof(
    anyText,
    fc.tuple(fc.jsonValue(), fc.jsonValue()).map(([head, body]) => `${part(head)}.${part(body)}.x`),
    fc.array(fc.base64String(), { minLength: 3, maxLength: 3 }).map((parts) => parts.join('.')),
  )
  const answer = fc.oneof(fc.jsonValue(), fc.record({ access_token: token, refresh_token: fc.jsonValue() }))
  await holds(
    'sessions, made up',
    runs,
    fc.property(answer, (said) => {
      const session = parseSession(said)
      if (session) expect(typeof session.expires_at).toBe('number')
    }),
  )
})

test('a wallet message is accepted only once, and only if it is unchanged', async () => {
  const wallet = fc.stringMatching(/^0x[0-9a-fA-F]{40}$/)
  const instant = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 })
  const nonce = fc.uuid().map((id) => id.replaceAll('-', ''))
  const chain = fc.integer({ min: 1, max: 1e6 })
  const where = { SITE_URL: site, WALLET_CHAIN_ID: 56 }
  await holds(
    'wallet messages',
    count(500, 1_000),
    fc.property(wallet, instant, nonce, chain, anyText, fc.nat(), (address, now, id, other, text, at) => {
      const message = writeMessage(where, address, id, now)
      const given = () => jar(`wallet=${id}.${now}`)
      if (other !== 56)
        expect(messageFault({ ...where, WALLET_CHAIN_ID: other }, given(), message, now)).toBe('chain')
      expect(messageFault(where, given(), message, now + 300_000)).toBe('expired')
      expect(messageFault(where, given(), text, now)).toBe('message')
      const cut = at % message.length
      const changed = `${message.slice(0, cut)}\u202e${message.slice(cut)}`
      expect(messageFault(where, given(), changed, now)).not.toBeNull()
      const cookies = given()
      // An earlier input may have had the same nonce. At most one of two correct tries succeeds.
      const first = messageFault(where, cookies, message, now)
      expect([null, 'replayed']).toContain(first)
      expect(messageFault(where, given(), message, now)).toBe('replayed')
    }),
  )
})

test('a wallet address is accepted with its checksum or without a checksum, and never with a wrong checksum', async () => {
  const wallet = fc.stringMatching(/^0x[0-9a-fA-F]{40}$/)
  await holds(
    'wallet addresses',
    count(500, 1_000),
    fc.property(fc.oneof(wallet, anyText), wallet, (address, good) => {
      const fault = walletFault(address)
      if (fault === null) expect([address.toLowerCase(), checksumAddress(address)]).toContain(address)
      expect(walletFault(checksumAddress(good))).toBeNull()
      expect(walletFault(good.toLowerCase())).toBeNull()
    }),
  )
})

const fieldNames = [
  'intent',
  'email',
  'password',
  'username',
  'member',
  'walletAddress',
  'code',
  'name',
  'factorId',
]
  .concat([
    'currentPassword',
    'newPassword',
    'token_hash',
    'type',
    'purpose',
    'access_token',
    'refresh_token',
  ])
  .concat(['title', 'category', 'targetAmount', 'description', 'image', 'proof', 'secret', 'uri', 'qr'])
const strangeNames = [
  '__proto__',
  'constructor',
  'toString',
  'then',
  '__intent__',
  '__state__',
  '',
  'a[0].b',
].concat([
  'email.x',
  'email[]',
  'username[0]',
  'username[99999999]',
  'code.toString',
  '__proto__[x]',
  '[',
  'a..b',
])
const fieldName = fc.oneof(fc.constantFrom(...fieldNames), fc.constantFrom(...strangeNames), typed)
const intents = ['sign-in', 'sign-up', 'enrol', 'verify', 'remove', 'update-profile']
const fieldValue = fc.oneof(
  typed,
  fc.constantFrom(...intents),
  fc.emailAddress(),
  fc.stringMatching(/^\d{6}$/),
)
const commands = ['insert', 'remove', 'reorder', 'update', 'reset', 'validate'].map((type) =>
  JSON.stringify({ type, payload: { name: 'email', index: 9, from: 1, to: 99, value: { a: 1 } } }),
)
const fields = fc.array(
  fc.tuple(fieldName, fc.oneof(fieldValue, fc.constantFrom(...commands), fc.constant(null))),
  { maxLength: 12 },
)

test('every form field is read as text, and every rule accepts or refuses any value without an exception', async () => {
  const { i18n } = createEnglish()
  const property = fc.asyncProperty(fields, async (sent) => {
    const body = new FormData()
    for (const [name, value] of sent) body.append(name, value ?? new File(['text'], 'a.txt'))
    const form = await readForm(new Request(site, { method: 'POST', body }))
    for (const [name, value] of form) {
      expect(typeof value).toBe('string')
      expect(form.getAll(name)).toHaveLength(1)
    }
    const rules = [parseCredentials, parseNewPassword, parseAnswer, parseChange, parseCode, parseProfileEdit]
    for (const parse of rules) {
      const submission = parse(form, i18n)
      if (submission.status === 'success') continue
      // The reply returns the entered values: every field by its name, unchanged.
      const values = submission.reply().initialValue ?? {}
      for (const [name, value] of form) if (value) expect(values[name], name).toBe(value)
      expect(Object.values(submission.error ?? {}).flat().length).toBeGreaterThan(0)
    }
    const profile = parseProfileEdit(form, i18n)
    if (profile.status === 'success') {
      const { username, walletAddress } = profile.value
      expect([...username].length).toBeLessThanOrEqual(100)
      expect(username.trim()).toBe(username)
      expect(username).not.toContain('\0')
      expect(walletAddress ?? `0x${'0'.repeat(40)}`).toMatch(/^0x[0-9a-fA-F]{40}$/)
    }
    for (const parse of [parseLink, parseFragment]) parse(form)
    await readEnrolment(form)
    const cookies = jar()
    keepDraft(cookies, form)
    cookies.commit()
  })
  await holds('forms', runs, property)
})

test('a value for the next page is stored completely or not at all, in one cookie', async () => {
  const property = fc.asyncProperty(typed, typed, fc.uuid(), async (email, redirectTo, member) => {
    const cookies = jar()
    savePendingEmail(cookies, { email, purpose: 'sign-in', redirectTo })
    const form = new FormData()
    const profile = { member, username: email, walletAddress: redirectTo }
    for (const [name, value] of Object.entries(profile)) form.set(name, value)
    keepDraft(cookies, form)
    savePendingSession(cookies, { access_token: email, refresh_token: redirectTo, expires_at: 0 })
    const lines = cookies.commit()
    const next = carried(lines)
    const pending = readPendingEmail(next)
    if (pending) expect([redirectTo, null]).toContain(pending.redirectTo)
    if (pending) expect(pending.email).toBe(email)
    expect(readDraft(carried(lines), 'another member')).toBeNull()
    const draft = readDraft(next, member)
    // FormData replaces lone surrogates, so the test compares with the values of the form.
    if (draft) expect({ ...draft }).toEqual({ ...profile, ...pick(form, ['username', 'walletAddress']) })
  })
  await holds('kept for the next page', runs, property)
})

function pick(form: FormData, names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, String(form.get(name))]))
}

/** `written` is `text`, or the beginning of a long `text` and an ellipsis. */
function expectCut(written: string, text: string) {
  if (text.length <= 80) expect(written).toBe(text)
  if (written !== text) {
    expect(written.at(-1)).toBe('…')
    expect(text.startsWith(written.slice(0, -1))).toBe(true)
  }
}

test('a log line is one short line of plain characters with the given fields', async () => {
  const lines: string[] = []
  const { warn } = console
  console.warn = (line: string) => lines.push(line)
  try {
    const property = fc.property(anyText, anyText, (id, value) => {
      lines.length = 0
      createLog(id).warn('an.event', { value })
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatch(/^[ -~]*$/)
      const { requestId, value: written, ...rest } = JSON.parse(lines[0] as string)
      expect(rest).toEqual({ level: 'warn', event: 'an.event' })
      expectCut(requestId, id)
      expectCut(written, value)
      expect(lines[0]?.length).toBeLessThan(2_200)
    })
    await holds('log lines', runs, property)
  } finally {
    console.warn = warn
  }
})
