import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { startSiteWithBackend } from '../support/site.ts'
import { makeStale } from '../support/stale-session.ts'
import { isSignedIn, toastOf, Visitor } from '../support/visitor.ts'

const site = await startSiteWithBackend()
afterAll(() => site.close())

const password = 'a good password'
const deletePath = '/dashboard/account/delete'

async function signUp(email: string): Promise<Visitor> {
  const visitor = new Visitor(site.url)
  const page = await visitor.post('/auth', { intent: 'sign-up', email, password, username: 'Ada' })
  expect(page.location).toBe('/dashboard')
  return visitor
}

const idOf = async (email: string) =>
  (await site.backend.sql<{ id: string }>('select id from auth.users where email = $1', [email]))[0]?.id

test('exports what the site stores about the member, and only to the member', async () => {
  const visitor = await signUp('export@example.com')
  const id = await idOf('export@example.com')
  await site.backend.sql(
    `insert into public.fundme_pools (user_id, title, current_amount, goal_amount)
     select $1, 'Pool ' || n, 12.34, null from generate_series(1, 1203) as n`,
    [id],
  )
  await (await signUp('other@example.com')).get('/dashboard')
  // Two operators entered both as recipients of payments.
  const wallets = ['export', 'other'].map(
    (name) => `0x${createHash('sha256').update(name).digest('hex').slice(24)}`,
  )
  await site.backend.sql(
    `with act as (
       insert into public.operator_acts (kind, subject, state, "by", final_at, number)
       select 'contact', $1, 'done', null, now(), 1 + coalesce(max(number), 0) from public.operator_acts returning id
     )
     insert into private.contacts (wallet, address, language, is_person, act)
     select wallet, address, 'ar', true, act.id from act, unnest($2::text[], $3::text[]) as one (wallet, address)`,
    [wallets[0], wallets, ['export@example.com', 'other@example.com']],
  )
  const page = await visitor.get('/dashboard/account/data')
  expect(page.status).toBe(200)
  expect(page.headers.get('Content-Disposition')).toBe('attachment; filename="goodblock-my-data.json"')
  expect(page.headers.get('Cache-Control')).toBe('private, no-store')
  const file = JSON.parse(page.html)
  expect(file.account).toMatchObject({ id, email: 'export@example.com', secondFactors: [] })
  expect(file.profile).toMatchObject({ username: 'Ada', walletAddress: '' })
  expect(file.recipientOf).toEqual([
    { wallet: wallets[0], language: 'ar', is_person: true, since: expect.any(String) },
  ])
  expect(file.pools).toHaveLength(1_203)
  expect(file.pools[0]).toMatchObject({ currentAmountUsd: 12.34, goalAmountUsd: null })
  expect(page.html).not.toContain('other@example.com')
  expect(page.html).not.toMatch(/\$2[ab]\$|refresh_token|access_token/)
  expect((await new Visitor(site.url).get('/dashboard/account/data')).location).toMatch(/^\/auth\?/)

  // The dashboard shows the pools page by page.
  const pages = await Promise.all([1, 2, 25].map((n) => visitor.get(`/dashboard?page=${n}`)))
  const titles = pages.map(({ html }) => html.match(/>Pool \d+</g)?.length)
  expect(titles).toEqual([50, 50, 3])
  expect(pages[0]?.html).toContain('href="/dashboard?page=2#pools-title"')
  expect(pages[2]?.html).not.toContain('page=26')
})

test('deletes the account of a member who has just signed in', async () => {
  const visitor = await signUp('fresh@example.com')
  const page = await visitor.get(deletePath)
  expect(page.status).toBe(200)
  expect(page.html).not.toContain('name="currentPassword"')
  const done = await visitor.post(deletePath, { member: (await idOf('fresh@example.com')) as string })
  expect([done.status, done.location]).toEqual([303, '/'])
  expect([...visitor.jar.keys()]).toEqual(['notice'])
  const home = await visitor.get('/')
  expect(toastOf(home)).toMatch(/^Account deleted/)
  expect(isSignedIn(home)).toBe(false)
  expect(await idOf('fresh@example.com')).toBeUndefined()
  const again = await new Visitor(site.url).post('/auth', {
    intent: 'sign-in',
    email: 'fresh@example.com',
    password,
  })
  expect(toastOf(again)).toBe('Error Invalid login credentials')
})

test('asks a member who signed in more than ten minutes ago for the password', async () => {
  const visitor = await signUp('stale@example.com')
  const id = (await idOf('stale@example.com')) as string
  await makeStale(site, visitor, id)
  expect((await visitor.get(deletePath)).html).toContain('name="currentPassword"')
  for (const wrong of ['', 'a wrong password']) {
    const refused = await visitor.post(deletePath, { member: id, currentPassword: wrong })
    expect(refused.status).toBe(400)
    expect(await idOf('stale@example.com')).toBe(id)
  }
  const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
  const fields = { member: id, currentPassword: password }
  expect((await visitor.post(deletePath, fields, foreign)).status).toBe(403)
  expect((await visitor.post(deletePath, fields)).location).toBe('/')
  expect(await idOf('stale@example.com')).toBeUndefined()
})

test('a form that one member opened neither deletes the account of another member nor changes the email of that account', async () => {
  const first = await signUp('first@example.com')
  const member = /name="member" value="([^"]+)"/.exec((await first.get(deletePath)).html)?.[1] as string
  expect(member).toBe(await idOf('first@example.com'))
  // The other member has just signed in with the same browser, so the site asks for no password.
  const second = await signUp('second@example.com')
  for (const fields of [{ member }, { member, currentPassword: password }, {}] as Record<string, string>[])
    expect((await second.post(deletePath, fields)).location).toBe(deletePath)
  const change = { intent: 'change-email', email: 'changed@example.com' }
  for (const fields of [{ ...change, member }, change] as Record<string, string>[])
    expect((await second.post('/dashboard/account', fields)).location).toBe('/dashboard/account')
  expect(await idOf('changed@example.com')).toBeUndefined()
  expect(await idOf('second@example.com')).toBeDefined()
  expect(await idOf('first@example.com')).toBe(member)
})
