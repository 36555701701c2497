import { createRequire } from 'node:module'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { photograph } from '../support/photograph.ts'
import { startSiteWithBackend } from '../support/site.ts'
import { signUp } from '../support/temporary-backend.ts'
import { documentOf, type Page, sessionCookie, Visitor } from '../support/visitor.ts'

// The image library of miniflare makes the input.
const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
const sharp = fromMiniflare('sharp') as typeof import('sharp').default

const site = await startSiteWithBackend({ variables: { FUNDME_OPEN: '1', DEMO: '1' } })
afterAll(() => site.close())

async function newMember(name: string) {
  const { client, id } = await signUp(site.backend, `${name}@example.org`)
  const { data } = await client.auth.getSession()
  return { id, visitor: new Visitor(site.url).carry(sessionCookie, data.session ?? {}) }
}
const { id: member, visitor } = await newMember('member')

const wordsOf = (page: Page) =>
  documentOf(page).querySelector('main')?.structuredText.replace(/\s+/g, ' ') ?? ''
/** Returns the values of a page's form, by field. */
const fieldsOf = (page: Page) =>
  Object.fromEntries(
    documentOf(page)
      .querySelectorAll('main form input[type=hidden], main form input[type=text], main form textarea')
      .map((field) => [field.getAttribute('name') ?? '', field.getAttribute('value') ?? field.textContent]),
  )

async function begin(who = visitor): Promise<string> {
  const { location } = await who.get('/dashboard/goals/new')
  return location?.replace('?new', '') ?? ''
}

/** Proves a new wallet through the form of a goal. Returns the wallet and the page after the proof. */
async function proveWallet(who: Visitor, goal: string) {
  const account = privateKeyToAccount(generatePrivateKey())
  const { html } = await who.get(`/dashboard/wallets?address=${account.address}`)
  const { message } = JSON.parse(html) as { message: string }
  const fields = { message, signature: await account.signMessage({ message }) }
  const Referer = `${site.url}/dashboard?goal=${goal.split('/').at(-1)}`
  const { location } = await who.post('/dashboard/wallets', fields, { Referer })
  return { wallet: account.address.toLowerCase(), location }
}

const whole = {
  title: 'School coats',
  byline: 'A school',
  category: 'School',
  target: '$1,200',
  days: '14',
  plan: '1,000, coats for 40 children\n150.50; shoes\n49.50 the bus',
  story: 'It is cold in the school, and many children have no coat at all.',
  links: 'https://school.example/coats',
  picture_text: '',
}

async function sendPicture(who: Visitor, path: string, fields: Record<string, string>) {
  const bytes = await photograph(300, 200)
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('picture', new File([new Uint8Array(bytes)], 'coats.jpg', { type: 'image/jpeg' }))
  return who.send(path, { method: 'POST', body: form, headers: { Origin: site.url } })
}

test('an unfinished draft is saved, and values that cannot be stored are refused but stay in the form', async () => {
  const goal = await begin()
  const blank = await visitor.get(`${goal}?new`)
  expect([blank.status, (await visitor.get(goal)).status]).toEqual([200, 404])
  expect(wordsOf(blank)).toContain('A FundMe pool collects money for one goal.')
  expect(fieldsOf(blank)).toMatchObject({ member, version: '', title: '' })
  expect((await visitor.post(`${goal}?new`, { member, title: 'School coats' })).location).toBe(`${goal}#save`)
  expect(fieldsOf(await visitor.get(goal))).toMatchObject({ version: '0', title: 'School coats' })

  const wrong = [
    ['target', 'a lot', 'The target must be an amount like 1200 or 1200.50.'],
    ['days', 'ten', 'Days must be a number from 7 to 30.'],
    ['title', 'x'.repeat(101), 'The title has 101 characters. Use at most 100.'],
    [
      'story',
      `Send it to 0x${'a'.repeat(40)}`,
      'Leave wallet addresses, account and telephone numbers out: the page shows the proven wallet.',
    ],
    [
      'story',
      'See https://elsewhere.example',
      'Leave links, email addresses and @names out of this text (there is a field for links), and write a space after each full stop.',
    ],
    ['byline', 'A \u202eschool', 'The name of who asks has a control or direction character.'],
    ['links', 'http://school.example', 'Each link must start with https:// and be on a line of its own.'],
    ['plan', '1, a\n'.repeat(13), 'The plan has 13 lines. Use at most 12.'],
  ] as const
  for (const [field, text, sentence] of wrong) {
    const page = await visitor.post(goal, { member, version: '0', ...whole, [field]: text })
    expect([field, page.status, wordsOf(page)]).toEqual([field, 400, expect.stringContaining(sentence)])
    expect(fieldsOf(page)).toMatchObject({ version: '0', story: whole.story, [field]: text })
    const invalid = documentOf(page).querySelector('[aria-invalid=true]')
    expect(invalid?.getAttribute('name')).toBe(field)
  }
  const three = await visitor.post(goal, {
    member,
    version: '0',
    ...whole,
    days: 'ten',
    story: 'See www.elsewhere.example',
    target: 'a lot',
  })
  expect(three.html).toContain('<title>Error: Your goal · Goodblock</title>')
  const faulty = documentOf(three).querySelectorAll('[aria-invalid=true]')
  expect(faulty.map((each) => each.getAttribute('name'))).toEqual(['target', 'days', 'story'])
  expect(faulty.map((each) => each.hasAttribute('autofocus'))).toEqual([true, false, false])
  expect(documentOf(three).querySelector('[role=alert]')?.text).toContain('must be an amount like 1200')

  const saved = await visitor.post(goal, { member, version: '0', ...whole, target: '1200.5', next: 'check' })
  expect(saved.location).toBe(`${goal}/check`)
  const check = wordsOf(await visitor.get(`${goal}/check`))
  expect(check).toContain('The plan adds up to $1,200. The target is $1,200.50.')
  expect(check).toContain('Prove a new wallet, or choose one that you have proven.')
  expect(check).not.toContain('Submit for review')
  expect(wordsOf(await visitor.get('/dashboard'))).toContain('School coats')
  // The sentence about the stored plan is not about another plan in a refused form.
  const sum = 'The plan adds up to'
  const { plan: stored = '' } = fieldsOf(await visitor.get(goal))
  const refuse = (plan: string) => visitor.post(goal, { member, version: '1', ...whole, plan, days: 'ten' })
  expect(wordsOf(await refuse(stored))).toContain(sum)
  expect(wordsOf(await refuse('1200.50, coats'))).not.toContain(sum)

  const stale = await visitor.post(goal, { member, version: '0', ...whole, title: 'Winter coats' })
  expect([stale.status, wordsOf(stale)]).toEqual([
    409,
    expect.stringContaining('Which one do you want to keep?'),
  ])
  expect(wordsOf(stale)).toContain('Winter coats')
  expect(stale.html).toContain('<title>Error: Your goal')
  expect(fieldsOf(stale)).toMatchObject({ version: '1', title: 'Winter coats', target: '$1,200' })
  const kept = await visitor.post(goal, fieldsOf(stale))
  expect(kept.location).toBe(`${goal}#save`)
  expect(fieldsOf(await visitor.get(goal))).toMatchObject({ version: '2', title: 'Winter coats' })

  await visitor.post(goal, { member, intent: 'delete' })
  expect((await visitor.get(goal)).status).toBe(404)
})

test('a form that is sent after the session ended, or by another member, can be sent again', async () => {
  const goal = await begin()
  const stranger = await newMember('stranger')
  for (const who of [new Visitor(site.url), stranger.visitor]) {
    const page = await who.post(`${goal}?new`, { member, ...whole })
    expect(page.status).toBe(401)
    expect(fieldsOf(page)).toMatchObject({ title: whole.title, story: whole.story })
  }
  expect((await visitor.post(`${goal}?new`, { member, title: 'Mine' })).status).toBe(303)
  expect((await stranger.visitor.get(goal)).status).toBe(404)
  const taken = await stranger.visitor.post(goal, { member: stranger.id, title: 'Theirs' })
  expect([taken.status, fieldsOf(taken).title]).toEqual([409, 'Theirs'])
  await visitor.post(goal, { member, intent: 'delete' })
})

test('a member can have at most three drafts', async () => {
  const { id, visitor: busy } = await newMember('busy')
  expect(wordsOf(await busy.get(`${await begin(busy)}?new`))).toContain(
    'You can have one goal at a time, and up to 3 drafts.',
  )
  for (let count = 0; count < 3; count++)
    expect((await busy.post(`${await begin(busy)}?new`, { member: id })).status).toBe(303)
  const fourth = await busy.post(`${await begin(busy)}?new`, { member: id, title: 'Too many' })
  expect([fourth.status, fieldsOf(fourth).title]).toEqual([409, 'Too many'])
  expect(wordsOf(fourth)).toContain('You have 3 drafts.')
})

test('a goal passes each stage from the proof of its wallet to its final report', async () => {
  const goal = await begin()
  const id = goal.split('/').at(-1) ?? ''
  const toWallets = await visitor.post(`${goal}?new`, { member, ...whole, next: 'wallets' })
  expect(toWallets.location).toBe(`/dashboard?goal=${id}#wallets`)
  expect(wordsOf(await visitor.get(`/dashboard?goal=${id}`))).toContain('Back to your goal')
  const { wallet, location } = await proveWallet(visitor, goal)
  expect(location?.toLowerCase()).toBe(`${goal}?wallet=${wallet}#wallet`)

  const described = { ...whole, picture_text: 'Forty coats', wallet }
  const withPicture = await sendPicture(visitor, goal, { member, version: '0', ...described })
  expect([withPicture.status, wordsOf(withPicture)]).toEqual([303, ''])
  const [, picture = ''] = /src="(\/pictures\/goals\/[^"]+)"/.exec((await visitor.get(goal)).html) ?? []
  const own = await visitor.send(picture, {})
  expect([own.status, own.headers.get('Cache-Control')]).toEqual([200, 'private, no-store'])
  const shown = Buffer.from(
    await (
      await fetch(site.url + picture, {
        headers: { Cookie: [...visitor.jar].map((pair) => pair.join('=')).join('; ') },
      })
    ).arrayBuffer(),
  )
  // The last pattern is the start of a JPEG, such as the photograph's thumbnail.
  expect(shown.toString('latin1')).not.toMatch(/secret|exif|GPS|\xff\xd8\xff/i)
  const { exif, orientation, ...kept } = await sharp(shown).metadata()
  expect(kept).toMatchObject({ format: 'webp', width: 200, height: 300 })
  expect([exif, orientation]).toEqual([undefined, undefined])
  expect((await new Visitor(site.url).send(picture, {})).status).toBe(404)

  const check = await visitor.get(`${goal}/check`)
  expect(wordsOf(check)).toContain('Submit for review')
  const { version = '' } = fieldsOf(check)
  const unticked = await visitor.post(`${goal}/check`, { member, version, may: 'yes' })
  expect([unticked.status, wordsOf(unticked)]).toEqual([400, expect.stringContaining('Tick the three boxes')])
  // A fragment in the address would take the place of the focus in a browser without JavaScript.
  expect(check.html).toContain(`action="${goal}/check"`)
  const focused = documentOf(unticked).querySelectorAll('[autofocus]')
  expect(focused.map((each) => each.getAttribute('name'))).toEqual(['public'])
  expect(focused[0]?.getAttribute('aria-describedby')).toBe('submit-error')
  expect(wordsOf(check).toLowerCase()).toContain(wallet)
  expect(wordsOf(check)).not.toContain(wallet)
  const ticked = { member, version, may: 'yes', public: 'yes', report: 'yes' }
  expect((await visitor.post(`${goal}/check`, { ...ticked, version: '0' })).status).toBe(409)
  const submitted = await visitor.post(`${goal}/check`, ticked)
  expect(submitted.location).toBe(goal)
  expect((await visitor.get(goal)).html).toContain(
    'Fund pool submitted for review! Token holders will vote on it. Voting is not open yet: two operators decide now.',
  )

  const late = await visitor.post(goal, { member, version, ...whole, title: 'Too late' })
  expect([late.status, wordsOf(late)]).toEqual([409, expect.stringContaining('no longer a draft')])
  const second = await begin()
  await visitor.post(`${second}?new`, { member, ...whole, wallet })
  const blocked = await visitor.get(`${second}/check`)
  expect(wordsOf(blocked)).toContain(
    "You can't submit this yet: your goal School coats must be completed first.",
  )
  expect(wordsOf(blocked)).toContain(
    'This wallet belongs to another goal. Make a new account in your wallet app and prove it.',
  )
  expect((await visitor.post(`${second}/check`, { ...ticked, version: '0' })).status).toBe(400)

  const submitAgain = async () => {
    const { version = '' } = fieldsOf(await visitor.get(`${goal}/check`))
    return visitor.post(`${goal}/check`, { ...ticked, version })
  }
  expect((await visitor.post(goal, { member, intent: 'take-back' })).location).toBe(goal)
  expect((await submitAgain()).location).toBe(goal)
  await site.backend.sql(`select private.move_goal($1, 'returned', 'schedule', code => 'holds')`, [id])
  expect(wordsOf(await visitor.get(goal))).toContain('Something has arrived at the wallet already.')
  expect((await submitAgain()).location).toBe(goal)
  const openGoal = (frozen: boolean) =>
    site.backend.sql(`select private.move_goal($1, 'open', 'operator', $2)`, [id, frozen])
  await openGoal(false)
  await openGoal(true)
  const frozen = wordsOf(await visitor.get(goal))
  expect(frozen).toContain('Operators froze this goal')
  expect(frozen).not.toContain('Open until')
  await openGoal(false)

  const open = await visitor.get(goal)
  expect(wordsOf(open)).toContain('Open until')
  expect(wordsOf(open)).toContain('$0 of $1,200 arrived.')
  const anyone = await new Visitor(site.url).send(picture, {})
  expect([anyone.status, anyone.headers.get('Cache-Control')]).toEqual([200, 'public, max-age=30'])
  const update = { member, intent: 'update', text: 'Ten coats came.', links: '', picture_text: 'Ten coats' }
  const noWords = await sendPicture(visitor, goal, { ...update, picture_text: '' })
  expect([noWords.status, fieldsOf(noWords).text]).toEqual([400, 'Ten coats came.'])
  expect((await sendPicture(visitor, goal, update)).location).toBe(goal)
  const [row] = await site.backend.sql<{ links: string }>(
    'select links from public.published_updates where pool_slug like $1',
    ['goal-%'],
  )
  expect(row?.links).toMatch(
    new RegExp(`^https://[^/]+/pictures/goals/${id}/[0-9a-f]{64}\\.webp#width=200&height=300`),
  )

  const short = await visitor.post(goal, { member, intent: 'end', reason: 'Enough' })
  expect([short.status, fieldsOf(short).reason]).toEqual([400, 'Enough'])
  expect(
    (await visitor.post(goal, { member, intent: 'end', reason: 'We have enough coats.' })).location,
  ).toBe(goal)
  expect((await visitor.post(goal, { ...update, text: 'All is bought.', report: 'yes' })).location).toBe(goal)
  expect(wordsOf(await visitor.get(goal))).toContain('Your final report is published.')
  const endedBefore = (days: number) =>
    site.backend.sql(`update public.goals set ended_at = now() - $2 * interval '1 day' where id = $1`, [
      id,
      days,
    ])
  await endedBefore(100)
  expect(wordsOf(await visitor.get(goal))).toContain('Your final report is published.')
  await endedBefore(0)
  expect((await visitor.post(goal, { ...update, text: 'A third one.' })).status).toBe(303)
  const fourth = await visitor.post(goal, { ...update, text: 'A fourth one.' })
  expect([fourth.status, fieldsOf(fourth).text]).toEqual([409, 'A fourth one.'])
})

test('the export has goals and complaints; the deletion of the account keeps only what was published', async () => {
  const leaver = await newMember('leaver')
  const goals: string[] = []
  for (const title of ['Published roof', 'Secret draft']) {
    const goal = await begin(leaver.visitor)
    const { wallet } = await proveWallet(leaver.visitor, goal)
    const fields = { member: leaver.id, ...whole, title, picture_text: `The ${title}`, wallet }
    expect((await leaver.visitor.post(`${goal}?new`, fields)).status).toBe(303)
    expect((await sendPicture(leaver.visitor, goal, { ...fields, version: '0' })).status).toBe(303)
    goals.push(goal.split('/').at(-1) ?? '')
  }
  const [published, draft] = goals
  await site.backend.sql(`update public.goals set slug = 'goal-roofroof' where id = $1`, [published])
  await site.backend.sql(`select private.move_goal($1, 'submitted', 'member')`, [published])
  await site.backend.sql(`select private.move_goal($1, 'open', 'operator')`, [published])
  await site.backend.sql(
    `insert into public.goal_complaints (goal, member, reason, text)
     select id, $1, 'other', 'A complaint about coats' from public.goals where stage = 'ended' limit 1`,
    [leaver.id],
  )
  const update = 'Goodblock pays the second half of the roof.'
  const sent = { member: leaver.id, intent: 'update', text: update, links: 'https://example.org/roof' }
  expect((await leaver.visitor.post(`/dashboard/goals/${published}`, sent)).status).toBe(303)
  const waits = wordsOf(await leaver.visitor.get(`/dashboard/goals/${published}`))
  expect(waits).toContain('Your update waits for an operator')
  expect(waits).toContain(update)
  const file = JSON.parse((await leaver.visitor.get('/dashboard/account/data')).html)
  expect(file.complaints).toMatchObject([{ text: 'A complaint about coats', outcome: null }])
  expect(file.goals).toMatchObject([
    { id: draft, title: 'Secret draft', plan: [{ amountUsd: 1000, what: 'coats for 40 children' }, {}, {}] },
    { id: published, title: 'Published roof', targetUsd: 1200, receivedUsd: 0, waitingUpdate: update },
  ])
  expect(file.goals[1]).toMatchObject({ waitingLinks: ['https://example.org/roof'] })

  const page = '/dashboard/account/delete'
  expect(wordsOf(await leaver.visitor.get(page))).toContain(
    'An open goal ends with “The member deleted their account.”',
  )
  expect((await leaver.visitor.post(page, { member: leaver.id })).location).toBe('/')
  const kept = await site.backend.sql<object>(
    `select id, member, stage, ended_by from public.goals where id in ($1, $2)`,
    [published, draft],
  )
  expect(kept).toEqual([{ id: published, member: null, stage: 'ended', ended_by: 'deletion' }])
  const [left] = await site.backend.sql<{ count: number; text: string }>(
    `select (select count(*)::integer from public.goal_complaints where text like '%about coats') as count,
       (select string_agg(published_goals::text, ' ') from public.published_goals) as text`,
  )
  expect(left).toMatchObject({ count: 0, text: expect.stringContaining('Published roof') })
  // The scheduled work removes the picture of the draft, and keeps the picture of the published goal.
  await site.backend.sql(`update storage.objects set created_at = now() - interval '2 hours'`)
  const orphans = await site.backend.sql<{ name: string }>('select public.orphaned_goal_pictures() as name')
  expect(orphans.map(({ name }) => name.split('/')[0])).toEqual([draft])
})

test('the legal pages and About mention goals', async () => {
  const anyone = new Visitor(site.url)
  const expected = {
    '/terms': 'no one can stop it, return it or refund it',
    '/privacy': 'If you ask for money, or report a goal',
    '/risk': "not that the story is true. We count what arrives. We can't see what the member does with it,",
    '/about': 'See the goals',
  }
  for (const [path, sentence] of Object.entries(expected))
    expect([path, wordsOf(await anyone.get(path))]).toEqual([path, expect.stringContaining(sentence)])
})
