import { TOTP } from 'otpauth'
import { afterAll, expect, test } from 'vitest'
import { readMails } from '../support/mails.ts'
import { startSiteWithBackend } from '../support/site.ts'
import { makeStale, tokensOf } from '../support/stale-session.ts'
import { documentOf, type Page, toastOf, Visitor } from '../support/visitor.ts'

const site = await startSiteWithBackend()
afterAll(() => site.close())

const password = 'a good password'
const factorPage = '/dashboard/account/factor'
let members = 0

async function signUp() {
  const email = `member-${++members}@example.com`
  const visitor = new Visitor(site.url)
  const page = await visitor.post('/auth', { intent: 'sign-up', email, password, username: 'Ada' })
  expect(page.location).toBe('/dashboard')
  const [row] = await site.backend.sql<{ id: string }>('select id from auth.users where email = $1', [email])
  return { visitor, email, id: row?.id ?? '' }
}

/** Returns a second browser with the same cookies. */
function copyOf({ jar }: Visitor): Visitor {
  const copy = new Visitor(site.url)
  for (const [name, value] of jar) copy.jar.set(name, value)
  return copy
}

const fieldsOf = (page: Page) =>
  Object.fromEntries(
    documentOf(page)
      .querySelectorAll('main form input[type=hidden]')
      .map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
  )

/** Adds a second factor on its page: its id, and the code of the current or a later time step. */
async function addFactor(visitor: Visitor) {
  const fields = fieldsOf(await visitor.post(factorPage, { intent: 'enrol', name: 'My phone' }))
  const totp = new TOTP({ secret: fields.secret, digits: 6, period: 30 })
  const codeOf = (step: number) => totp.generate({ timestamp: Date.now() + step * 30_000 })
  const page = await visitor.post(factorPage, { ...fields, code: codeOf(0) })
  expect(page.location).toBe(factorPage)
  return { factorId: fields.factorId ?? '', codeOf }
}

const isAlive = async (visitor: Visitor) => {
  const { access_token } = tokensOf(visitor)
  const headers = { apikey: site.backend.publishableKey, Authorization: `Bearer ${access_token}` }
  return (await fetch(`${site.backend.url}/auth/v1/user`, { headers })).ok
}

const factorPath = (returnTo: string) => `/auth/factor?redirectTo=${encodeURIComponent(returnTo)}`
const account = '/dashboard/account'
const profile = '/dashboard?edit=profile'

/** Every member page, and the path to which the second-factor page leads back. */
const pages = [
  '/dashboard',
  account,
  factorPage,
  `${account}/data`,
  `${account}/delete`,
  '/auth/new-password',
]

const posts: [string, Record<string, string>, string][] = [
  [account, { intent: 'end-others' }, account],
  [account, { intent: 'change-email', email: 'thief@example.com' }, account],
  [account, { intent: 'change-password', currentPassword: password, newPassword: 'pwned-123456' }, account],
  ['/dashboard', { intent: 'update-profile', username: 'Mallory', walletAddress: '' }, profile],
  ['/dashboard/picture', { intent: 'remove-picture' }, profile],
  ['/dashboard/wallets', { intent: 'revoke', address: `0x${'1'.repeat(40)}` }, '/dashboard'],
  [factorPage, { intent: 'enrol', name: 'Mine' }, factorPage],
  [`${account}/delete`, { currentPassword: password }, `${account}/delete`],
]

async function expectOnlyTheChallenge(visitor: Visitor, id: string): Promise<void> {
  for (const path of pages) expect((await copyOf(visitor).get(path)).location, path).toBe(factorPath(path))
  for (const [path, fields, returnTo] of posts) {
    const page = await copyOf(visitor).post(path, { ...fields, member: id })
    expect(page.location, `${path} ${fields.intent}`).toBe(factorPath(returnTo))
  }
  const message = await copyOf(visitor).get(`/dashboard/wallets?address=0x${'1'.repeat(40)}`)
  expect(message.location).toBe(factorPath('/dashboard'))
}

test('cookies that were set between the password and the code give no access after the code is entered', async () => {
  const { visitor: other, email, id } = await signUp()
  const { factorId, codeOf } = await addFactor(other)
  const visitor = new Visitor(site.url)
  await visitor.post('/auth', { intent: 'sign-in', email, password })
  const stolen = copyOf(visitor)
  await visitor.post('/auth/factor', { factorId, code: codeOf(1) })
  // The worker remembers a confirmed session, whose id the code does not change.
  for (const path of ['/dashboard', account]) expect((await visitor.get(path)).status, path).toBe(200)
  await expectOnlyTheChallenge(stolen, id)
  expect(await isAlive(other)).toBe(true)
  expect((await visitor.get(account)).status).toBe(200)
})

test('cookies that were set before the first factor was added give no access afterwards', async () => {
  const { visitor, id } = await signUp()
  const stolen = copyOf(visitor)
  expect((await stolen.get('/dashboard')).status).toBe(200)
  await addFactor(visitor)
  await expectOnlyTheChallenge(stolen, id)
})

test('one code of an authenticator app signs in once', async () => {
  const { visitor, email } = await signUp()
  const { factorId, codeOf } = await addFactor(visitor)
  const [first, second] = [new Visitor(site.url), new Visitor(site.url)]
  for (const one of [first, second]) await one.post('/auth', { intent: 'sign-in', email, password })
  const code = codeOf(1)
  const answers = await Promise.all(
    [first, second, first].map((one) => one.post('/auth/factor', { factorId, code })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400, 400])
  const refused = answers.find(({ status }) => status === 400)
  expect(refused?.html).toContain('This code was entered before. Please wait for the next one in your app.')
  // The code that added the factor is used too.
  const third = new Visitor(site.url)
  await third.post('/auth', { intent: 'sign-in', email, password })
  expect((await third.post('/auth/factor', { factorId, code: codeOf(0) })).status).toBe(400)
})

test('ending the other sessions requires a code that was entered in the last ten minutes', async () => {
  const { visitor, email, id } = await signUp()
  const { factorId, codeOf } = await addFactor(visitor)
  const other = new Visitor(site.url)
  await other.post('/auth', { intent: 'sign-in', email, password })
  await makeStale(site, visitor, id)
  expect((await visitor.get(account)).status).toBe(200)
  const early = await visitor.post(account, { intent: 'end-others' })
  expect(early.location).toBe(factorPath(account))
  expect(await isAlive(other)).toBe(true)
  await visitor.post('/auth/factor', { factorId, code: codeOf(1) })
  const ended = await visitor.post(account, { intent: 'end-others' })
  expect(ended.location).toBe(account)
  expect(await isAlive(other)).toBe(false)
})

test('a notice appears only after the code is entered, and the page for the code says that the email address has changed', async () => {
  const { visitor, email, id } = await signUp()
  const { factorId, codeOf } = await addFactor(visitor)
  const changed = `new-${email}`
  await visitor.post(account, { intent: 'change-email', member: id, email: changed })
  const [mail] = await readMails(site.backend.mailUrl, changed)
  const link = new URL(/https?:\/\/\S+token_hash=\S+/.exec(mail?.text ?? '')?.[0] ?? site.url)
  // Scanners of mails open each link first, in several browsers: https://github.com/uptimepage/uptimepage/issues/92,
  // https://github.com/emdash-cms/emdash/issues/3298
  for (const method of ['HEAD', 'GET', 'GET'])
    expect((await fetch(link, { method, redirect: 'manual' })).status).toBeLessThan(400)
  const confirmed = await visitor.post('/auth/confirm', Object.fromEntries(link.searchParams))
  expect(confirmed.location).toBe(account)
  // The browser follows both redirects, so the first of them must not use up the notice.
  expect((await visitor.get(account)).location).toBe(factorPath(account))
  const challenge = await visitor.get(factorPath(account))
  expect(toastOf(challenge)).toBeNull()
  const text = documentOf(challenge).querySelector('main')?.text
  expect(text).toContain('Your email is changed, and we signed you in with the new one.')
  const [notice] = challenge.headers.getSetCookie().filter((line) => line.startsWith('notice='))
  expect(notice).toContain('Max-Age=600;')
  expect((await visitor.post(factorPath(account), { factorId, code: codeOf(1) })).location).toBe(account)
  expect(toastOf(await visitor.get(account))).toBe('Success Email changed successfully')
  expect(visitor.jar.has('notice')).toBe(false)
})

test('the toast about the sign-in appears after the code is entered, and the page for the code does not mention the email address', async () => {
  const { visitor, email } = await signUp()
  const { factorId, codeOf } = await addFactor(visitor)
  const other = new Visitor(site.url)
  await other.post('/auth', { intent: 'sign-in', email, password })
  await other.get('/dashboard')
  const challenge = await other.get(factorPath('/dashboard'))
  expect(documentOf(challenge).querySelector('main')?.text).not.toContain('email')
  await other.post(factorPath('/dashboard'), { factorId, code: codeOf(1) })
  expect(toastOf(await other.get('/dashboard'))).toBe('Welcome back! You have successfully signed in.')
})

// https://github.com/cogniahq/Cognia/pull/67, https://github.com/nomadkaraoke/karaoke-gen/pull/870
test('two quick taps on the button of a mailed link sign in, and another browser cannot use the link again', async () => {
  const { email } = await signUp()
  const visitor = new Visitor(site.url)
  await visitor.post('/auth/forgot', { email })
  const [mail] = await readMails(site.backend.mailUrl, email)
  const link = new URL(/https?:\/\/\S+token_hash=\S+/.exec(mail?.text ?? '')?.[0] ?? site.url)
  const fields = Object.fromEntries(link.searchParams)
  const second = copyOf(visitor)
  const pages = await Promise.all([visitor, second].map((tap) => tap.post('/auth/confirm', fields)))
  expect(pages.map(({ location }) => location)).toEqual(['/auth/new-password', '/auth/new-password'])
  expect(await isAlive(second)).toBe(true)
  const other = await new Visitor(site.url).post('/auth/confirm', fields, { 'User-Agent': 'another browser' })
  expect([other.status, other.html.includes('Email link is invalid or has expired')]).toEqual([400, true])
  // The same browser with its new session is not asked again, and the link is used.
  expect((await second.post('/auth/confirm', fields)).status).toBe(400)
})
