import { parse } from 'node-html-parser'
import { afterAll, expect, test } from 'vitest'
import { toPictureLink } from '../../app/ledger/update-picture.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { addGift, addGoal, moveGoal, openVariables } from '../support/goals.ts'
import { act, addOperator } from '../support/operators.ts'
import { brokenFormsIn } from '../support/plain-forms.ts'
import { startSite, warmUp } from '../support/site.ts'
import { signUp, startTemporary } from '../support/temporary-backend.ts'
import { type Page, sessionCookie, Visitor } from '../support/visitor.ts'

const backend = await startTemporary()
afterAll(() => backend.close())
await warmUp(backend)
const proxy = await startFaultProxy(backend.url)
afterAll(() => proxy.close())
const variables = { ...openVariables, SUPABASE_SECRET_KEY: backend.secretKey }
const keys = { url: proxy.url, publishableKey: backend.publishableKey }
const issuer = { SUPABASE_JWT_ISSUER: `${backend.url}/auth/v1`, PAGE_CACHE: 'off' }
const site = await startSite(keys, { ...variables, ...issuer })
afterAll(() => site.close())
/** A site on the same database, with FundMe closed. */
const closed = await startSite(keys, { ...variables, ...issuer, FUNDME_OPEN: '0' })
afterAll(() => closed.close())

const visitor = new Visitor(site.url)
const textOf = ({ html }: Page) =>
  parse(html).querySelector('main')?.structuredText.replace(/\s+/g, ' ') ?? ''
const read = async (path: string) => {
  const page = await visitor.get(path)
  return { ...page, text: textOf(page), isIndexed: !page.html.includes('content="noindex"') }
}
/** Returns the slugs of the goals that a page lists, in the page's order. */
const listed = ({ html }: Page) => [...html.matchAll(/data-key="(goal-[a-z]{8})"/g)].map(([, slug]) => slug)

test('if the site has no goals, the goals page says so and links to the form', async () => {
  const page = await read('/giveback')
  expect(page.text).toContain('No goals yet.')
  expect(page.text).toContain('Total Funded $0')
  expect(page.text).toContain('Dreams Realized 0')
  expect(page.html).toContain('href="/dashboard/goals/new"')
  expect(page.text).not.toContain('Coming Soon')
})

test('the list has the open goals with the earliest end first, then the ended and the frozen goals, and is paged by a cursor', async () => {
  const goals = []
  for (let days = 20; days > 7; days--)
    goals.push(await addGoal(backend, { days, title: `Goal of ${days} days` }))
  const [latest, , ended] = goals
  if (!latest || !ended) throw new Error('no goals')
  await moveGoal(backend, ended, 'ended', { mover: 'schedule' })
  const open = goals.filter((goal) => goal !== ended).map(({ slug }) => slug)
  const first = await read('/giveback')
  expect(listed(first)).toEqual(open.toReversed())
  const [, next = ''] = /href="(\/giveback\?after=[^"]+)"/.exec(first.html) ?? []
  expect(next).not.toBe('')
  expect(listed(await read(next))).toEqual([ended.slug])
  const soonest = goals.at(-1)
  if (!soonest) throw new Error('no goals')
  await moveGoal(backend, soonest, 'open', { frozen: true })
  const later = await read('/giveback')
  expect(listed(later)).toEqual([...open.toReversed().slice(1), ended.slug])
  const sections = parse(later.html).querySelectorAll('#goals section')
  expect(sections.map((section) => section.querySelector('h2')?.text)).toEqual(['Open goals', 'Other goals'])
  expect(sections.map((section) => section.querySelectorAll('li').length)).toEqual([11, 1])
  expect(sections[0]?.text).toContain('days left')
  const [, last = ''] = /href="(\/giveback\?after=ended[^"]+)"/.exec(later.html) ?? []
  const rest = await read(last)
  expect(listed(rest)).toEqual([soonest.slug])
  expect(rest.text).toContain('It takes no gifts now.')
  expect(parse(rest.html).querySelector('#goals section')?.text).not.toContain('left')
  expect((await read('/giveback?after=nonsense')).text).toContain("That page doesn't exist.")
  expect((await read('/giveback?after=frozen-4102444800000000-aaaaaaaa')).text).toContain(
    "That's everything.",
  )
})

test('the list shows what a completed goal bought, in the words and with the picture of its final report', async () => {
  const goal = await addGoal(backend, { title: 'A roof for the school' })
  const waiting = await addGoal(backend, { title: 'A new door' })
  const pictureLink = toPictureLink('https://site.example', {
    ...{ path: '/drawings/scenes/roof.svg', width: 480, height: 270, alt: 'A roof of tiles' },
  })
  const write = (slug: string, text: string, links?: string) =>
    backend.sql('select public.append_update($1)', [
      JSON.stringify({ pool_slug: slug, published_at: new Date(), text, links }),
    ])
  for (const { slug } of [goal, waiting]) {
    await write(slug, 'The first day of work.')
    await write(slug, 'The roof is tight: it rained for a week.', pictureLink)
    await backend.sql('update public.goals set report_number = 2 where slug = $1', [slug])
  }
  await moveGoal(backend, waiting, 'ended', { mover: 'schedule' })
  await moveGoal(backend, goal, 'ended', { mover: 'schedule' })
  await moveGoal(backend, goal, 'completed')
  const page = await read('/giveback?after=open-4102444800000000-aaaaaaaa')
  expect(listed(page).slice(0, 2)).toEqual([goal.slug, waiting.slug])
  const sections = parse(page.html).querySelectorAll('#goals section')
  expect(sections.map((section) => section.querySelector('h2')?.text)).toEqual([
    ...['What goals bought', 'Other goals'],
  ])
  const [bought, others] = sections
  expect(bought?.querySelector('blockquote')?.text).toBe('The roof is tight: it rained for a week.')
  expect(bought?.querySelector('img')?.getAttribute('alt')).toBe('A roof of tiles')
  expect(bought?.text).toContain('$0 received')
  expect(bought?.querySelector('progress')).toBeNull()
  expect(others?.text).not.toContain('it rained')
})

test('the page of a goal shows its progress, each row, its wallet and what we checked', async () => {
  const goal = await addGoal(backend)
  const gift = await addGift(backend, goal)
  await addGift(backend, goal, { amount_usd: 5.5 })
  await addGift(backend, goal, { amount_usd: 7, status: 'pending' })
  await addGift(backend, goal, { amount_usd: null, rate_source: null })
  await addGift(backend, goal, {
    ...{ type: 'dream', direction: 'out', account: 'treasury', pool_slug: null, amount_usd: 100 },
  })
  const page = await read(`/giveback/${goal.slug}`)
  expect(page.status).toBe(200)
  expect(page.isIndexed).toBe(true)
  expect(page.text).toContain('$125.50 of $1,000')
  expect(page.text).toContain('12%')
  expect(page.text).toContain('left out: 1 is being verified and 1 has no dollar value yet')
  expect(page.text).toContain('30 days left')
  expect(page.text).toContain('By Riverside School')
  expect(page.text).toContain("We checked that the wallet is the member's. We did not check the story.")
  expect(page.text).toContain("We count what arrives. We can't see what the member does with it.")
  expect(page.text).toContain('BNB and other tokens are not counted.')
  expect(page.text).toContain('Voting opens when the token is live.')
  expect(page.text.toLowerCase()).toContain(goal.wallet)
  expect(page.html).toContain(`href="/transparency/${gift.id}"`)
  expect(page.html).toContain(`href="/donate?to=${goal.slug}"`)
  expect(page.html).toContain('rel="nofollow ugc noopener"')
  expect(page.text).toContain('From the treasury')
  expect(page.text).toContain('Approved and opened')
})

test('a goal that received less than 1% of its target is not shown as 0%', async () => {
  const goal = await addGoal(backend)
  const path = `/giveback/${goal.slug}`
  expect((await read(path)).text).toContain('$0 of $1,000 0%')
  await addGift(backend, goal, { amount_usd: 5 })
  expect((await read(path)).text).toContain('$5 of $1,000 less than 1%')
})

test('the page of a goal that received more than its target shows a percentage above 100 and a full bar, and says what that means', async () => {
  const goal = await addGoal(backend)
  const path = `/giveback/${goal.slug}`
  await addGift(backend, goal, { amount_usd: 999.99 })
  const before = (await read(path)).text
  expect(before).toContain('$999.99 of $1,000 99%')
  expect(before).not.toContain('The target is reached.')
  await addGift(backend, goal, { amount_usd: 87.51 })
  const page = await read(path)
  expect(page.text).toContain('$1,087.50 of $1,000 109%')
  expect(page.text).toContain('The target is reached. New gifts go to the same wallet.')
  expect(parse(page.html).querySelector('progress')?.getAttribute('value')).toBe('100')
  await moveGoal(backend, goal, 'ended', { mover: 'schedule' })
  const ended = (await read(path)).text
  expect(ended).toContain('The target is reached.')
  expect(ended).not.toContain('New gifts')
})

test('the page of an ended goal says whether its final report is due or is waiting for an operator', async () => {
  const goal = await addGoal(backend)
  await moveGoal(backend, goal, 'ended', { mover: 'schedule' })
  const path = `/giveback/${goal.slug}`
  const due = await read(path)
  expect(due.text).toContain('Its member has until')
  expect(due.text).toContain('No updates yet.')
  await backend.sql('select public.append_update($1)', [
    JSON.stringify({ pool_slug: goal.slug, published_at: new Date(), text: 'All coats are bought.' }),
  ])
  await backend.sql('update public.goals set report_number = 1 where id = $1', [goal.id])
  const waiting = await read(path)
  expect(waiting.text).toContain(
    'Its member published the final report. An operator has not accepted it yet.',
  )
  expect(waiting.text).toContain('All coats are bought.')
  expect(waiting.text).not.toContain('has until')
  expect(waiting.text).not.toContain('No updates yet.')
})

test('the pages of a frozen, an ended and an annulled goal show no wallet, and say why', async () => {
  const goal = await addGoal(backend, { title: 'A frozen goal' })
  await addGift(backend, goal)
  await act(backend, 'goal-freeze', goal.slug, { hide: 'yes' }, 'The picture is of another school.')
  const path = `/giveback/${goal.slug}`
  const gives = `/donate?to=${goal.slug}`
  const frozen = await read(path)
  expect(frozen.isIndexed).toBe(false)
  expect(frozen.html.toLowerCase()).not.toContain(goal.wallet)
  expect(frozen.html).not.toContain(gives)
  expect(frozen.text).not.toContain('A frozen goal')
  expect(frozen.text).toContain('Operators hid its text and its picture.')
  expect(frozen.text).toContain('The picture is of another school.')
  expect(frozen.text).toContain('$20 of $1,000')
  const refused = await read(gives)
  expect([refused.status, refused.text]).toEqual([200, expect.stringContaining('Operators froze this goal')])
  expect(refused.html.toLowerCase()).not.toContain(goal.wallet)
  await moveGoal(backend, goal, 'open')
  await moveGoal(backend, goal, 'ended', { mover: 'member', words: 'We have what we need.' })
  await addGift(backend, goal, { occurred_at: new Date(Date.now() + 1000).toISOString() })
  const ended = await read(path)
  expect(ended.html.toLowerCase()).not.toContain(goal.wallet)
  expect(ended.text).toContain('Its member ended this goal early')
  expect(ended.text).toContain('We have what we need.')
  expect(ended.text).toContain('arrived later')
  expect((await read(gives)).text).toContain('This goal takes no gifts any more.')
  await moveGoal(backend, goal, 'annulled')
  const annulled = await read(path)
  expect(annulled.isIndexed).toBe(false)
  expect(annulled.text).toContain('Only the owner of the wallet can send it back.')
})

test('the page of a goal and the list of acts link to the same entry, and the list shows the title of the goal', async () => {
  const goal = await addGoal(backend, { title: 'A bridge to the school' })
  await act(backend, 'goal-freeze', goal.slug, {}, 'We ask the school first.')
  const ofPage = parse((await read(`/giveback/${goal.slug}`)).html)
  const history = ofPage.querySelector('#history li')
  const ofActs = parse((await read('/transparency/acts')).html)
  const row = ofActs.querySelector('#act-list li')
  const proof = (part: typeof row) => {
    const link = part?.querySelector('a[href$="/proof"]')
    return [link?.text, link?.getAttribute('href')]
  }
  expect(proof(history)).toEqual([expect.stringMatching(/^Entry \d+$/), expect.any(String)])
  expect(proof(row)).toEqual(proof(history))
  const named = row?.querySelector(`a[href="/giveback/${goal.slug}"]`)
  expect(named?.text).toBe('A bridge to the school')
  await moveGoal(backend, goal, 'open', { frozen: true, hidden: true })
  const hidden = parse((await read('/transparency/acts')).html)
  expect(hidden.querySelector(`a[href="/giveback/${goal.slug}"]`)?.text).toBe(goal.slug)
})

test('Total Funded is the sum of the listed goals and the annulled goals, and its note states the annulled part', async () => {
  const cents = (text = '') => Math.round(Number(text.replaceAll(',', '')) * 100)
  let sum = 0
  let page = await read('/giveback')
  const [, total, annulled] =
    /Total Funded \$([\d,.]+) received by members' goals \(\$([\d,.]+) of it by goals that we later annulled\)/.exec(
      page.text,
    ) ?? []
  expect(cents(annulled)).toBeGreaterThan(0)
  for (;;) {
    for (const [, received] of page.text.matchAll(/\$([\d,.]+) of \$/g)) sum += cents(received)
    const next = parse(page.html).querySelector('a[rel=next]')?.getAttribute('href')
    if (!next) break
    page = await read(next)
  }
  expect(sum + cents(annulled)).toBe(cents(total))
})

test('no page says that voting is open today, with or without a token', async () => {
  const { slug } = await addGoal(backend)
  const paths = ['/', '/giveback', `/giveback/${slug}`, '/about', '/terms']
  const token = `0x${'e'.repeat(40)}`
  const withToken = await startSite(keys, { ...variables, ...issuer, TOKEN_ADDRESS: token })
  const sentences = [
    [site.url, 'Voting opens when the token is live.'],
    [withToken.url, 'Voting is not open yet.'],
  ] as const
  for (const [url, sentence] of sentences)
    for (const path of paths) {
      const text = textOf(await new Visitor(url).get(path))
      const claims = text.match(/Voting (opens|is)[^.]*\.|Winners get funded/g)
      expect([path, [...new Set(claims)]]).toEqual([path, [sentence]])
    }
  await withToken.close()
  expect(textOf(await new Visitor(closed.url).get('/'))).toContain('Voting opens with FundMe.')
})

test('while FundMe is open, the first step of a gift also links to the goals of members', async () => {
  const linkOf = ({ html }: Page) => parse(html).querySelector('main a[href="/giveback"]')?.text
  expect(linkOf(await visitor.get('/donate'))).toBe("Or give to a member's goal")
  expect(linkOf(await new Visitor(closed.url).get('/donate'))).toBeUndefined()
})

test('the page for giving to a goal first says whose wallet it is, and offers no coin', async () => {
  const goal = await addGoal(backend)
  const path = `/donate?to=${goal.slug}&token=USDT`
  const note =
    'This wallet belongs to a member, not to us. A gift is final: no one can stop it, return it or refund it.'
  const amounts = await read(path)
  expect(amounts.text).toContain(note)
  expect(amounts.text).toContain(`How much? ${note}`)
  expect(amounts.text).not.toContain('BNB')
  // With only one token, the page offers no choice.
  expect(amounts.html).not.toContain('aria-label="Token"')
  const paying = await read(`${path}&amount=20`)
  expect(paying.text).toContain(note)
  // Only the title comes before the note.
  expect(paying.text.indexOf(`Send 20 USDT ${note}`)).toBe(paying.text.indexOf('Send 20 USDT'))
  expect(paying.text.toLowerCase()).toContain(goal.wallet)
  expect(paying.html).toContain('data-cause="School coats"')
  const typed = await visitor.post(path, { amount: '35' })
  expect([typed.status, textOf(typed)]).toEqual([200, expect.stringContaining('Send 35 USDT')])
  const bad = await visitor.post(path, { amount: '1,000' })
  expect(bad.html).toMatch(/<title>Error: Give to .*<input[^>]*id="amount"[^>]*value="1,000"/s)
  expect([bad.status, bad.html]).toEqual([400, expect.stringContaining('value="1,000"')])
  expect((await read('/donate?to=goal-zzzzzzzz')).status).toBe(404)
  expect((await new Visitor(closed.url).get(path)).location).toBe('/donate?fault=cause')
})

test('rows, the history, feeds, the confirmation and the sitemap contain the name of the goal and link to the goal', async () => {
  const goal = await addGoal(backend, { title: 'A well for Mbeya' })
  const { id, tx_hash: hash } = await addGift(backend, goal)
  const link = `href="/giveback/${goal.slug}"`
  for (const path of [`/transparency/${id}`, `/transparency?pool=${goal.slug}`, `/donate/${hash}`]) {
    const page = await read(path)
    expect([path, page.html.includes(link), page.text.includes('A well for Mbeya')]).toEqual([
      path,
      true,
      true,
    ])
  }
  expect((await read(`/transparency?pool=${goal.slug}`)).text).toContain(
    '1 of 1 payment counted: $20.00 given to this goal.',
  )
  expect((await read('/transparency')).html).toContain('<option value="goal-gift">')
  expect((await read(`/donate/${hash}`)).text).toContain('Thank you.')
  const { html: feed } = await visitor.get(`/transparency.atom?pool=${goal.slug}`)
  expect(feed).toContain(`Goal: ${site.url}/giveback/${goal.slug}`)
  const { html: csv } = await visitor.get(`/transparency.csv?pool=${goal.slug}`)
  expect(csv.trim().split('\n')).toHaveLength(2)
  expect((await visitor.get('/sitemap.xml')).html).toContain(
    `<loc>${site.url}/tr/giveback/${goal.slug}</loc>`,
  )
  const other = new Visitor(closed.url)
  expect((await other.get(`/transparency.csv?pool=${goal.slug}`)).status).toBe(400)
  expect((await other.get('/sitemap.xml')).html).not.toContain(goal.slug)
  expect((await other.get(`/giveback/${goal.slug}`)).status).toBe(404)
  expect((await other.get(`/transparency/${id}`)).html).not.toContain(link)
})

test('a member reports a goal once; the form keeps the entered text after bad input, a lost session and a backend fault', async () => {
  const goal = await addGoal(backend)
  const path = `/giveback/${goal.slug}/problem`
  const outside = await read(path)
  expect(outside.html).toContain('href="/contact"')
  expect(outside.html).not.toContain('<textarea')
  const signIn = await read(`/auth?redirectTo=${encodeURIComponent(path)}`)
  expect(signIn.text).toContain('Your report comes next.')
  const { client, id } = await signUp(backend, 'reader@example.org')
  const { data } = await client.auth.getSession()
  const member = new Visitor(site.url).carry(sessionCookie, data.session ?? {})
  const fields = { member: id, reason: 'scam', text: 'This is the picture\r\nof another school.' }
  const send = (changes: Record<string, string> = {}, by = member) => by.post(path, { ...fields, ...changes })
  const short = await send({ text: 'short' })
  expect([short.status, short.html]).toEqual([400, expect.stringMatching(/<textarea[^>]*>short</)])
  expect(brokenFormsIn(short.html)).toEqual([])
  const both = await send({ reason: '', text: 'short' })
  expect(textOf(both)).toMatch(/Choose a reason\..*Write at least 10 characters\./s)
  expect(both.html).toContain('<title>Error: Report a problem · Goodblock</title>')
  expect(both.html.match(/autofocus/g)).toHaveLength(1)
  expect(both.html).toMatch(/<select [^>]*autofocus/)
  expect((await send({ text: `${fields.text}\u202e` })).html).toContain(
    'Leave out control and direction characters.',
  )
  expect(textOf(await send({ text: 'x'.repeat(1001) }))).toContain('These are 1,001.')
  const signedOut = await send({}, new Visitor(site.url))
  expect([signedOut.status, signedOut.html]).toEqual([401, expect.stringContaining('of another school.')])
  proxy.only = /rpc\/complain/
  proxy.fault = '503'
  const failed = await send()
  proxy.fault = 'none'
  proxy.only = null
  expect([failed.status, failed.html]).toEqual([503, expect.stringContaining('of another school.')])
  expect((await send()).location).toBe(`${path}?sent=1`)
  expect(textOf(await member.get(`${path}?sent=1`))).toMatch(/Thank you\..*so you get no answer\./)
  const again = await send()
  expect([again.status, textOf(again)]).toEqual([
    409,
    expect.stringContaining('You reported this goal already'),
  ])
  expect(again.html).toContain('<title>Error: Report a problem · Goodblock</title>')
  expect((await member.get(path)).html).toContain('<title>Report a problem · Goodblock</title>')
  const rows = await backend.sql('select reason, text from public.goal_complaints where goal = $1', [goal.id])
  expect(rows).toEqual([{ reason: 'scam', text: 'This is the picture\nof another school.' }])
  const own = await addGoal(backend, { member: id })
  const mine = await member.post(`/giveback/${own.slug}/problem`, fields)
  expect([mine.status, textOf(mine)]).toEqual([400, expect.stringContaining('This is your own goal.')])
  expect((await member.get('/giveback/goal-zzzzzzzz/problem')).status).toBe(404)
})

/** A browser of a new operator. */
async function openOperator(handle: string): Promise<Visitor> {
  const { client } = await addOperator(backend, handle)
  const { data } = await client.auth.getSession()
  return new Visitor(site.url).carry(sessionCookie, data.session ?? {})
}

test('the page of an allowance says that a site without a payer needs none', async () => {
  const cara = await openOperator('cara-pays')
  expect(textOf(await cara.get('/operator/payments/allowance'))).toContain('it has no PAYER_KEY')
})

test('before each press on each kind of act about a goal, both operators see all words, the picture, the wallet and its check; the second confirms what the first confirmed', async () => {
  const [ada, ben] = [await openOperator('ada-reads'), await openOperator('ben-reads')]
  const prepare = async (slug: string, kind: string, more: Record<string, string> = {}) => {
    const form = parse((await ada.get(`/operator/goals/${slug}`)).html)
      .querySelectorAll('#decide form')
      .find((each) => each.querySelector('[name=kind]')?.getAttribute('value') === kind)
    const hidden = form?.querySelectorAll('input[type=hidden]') ?? []
    const given = hidden.map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? ''])
    const saved = await ada.post(`/operator/goals/${slug}`, {
      ...{ ...Object.fromEntries(given), reason: 'We asked the school.' },
      ...more,
    })
    expect([kind, saved.status, textOf(saved)]).toEqual([kind, 303, ''])
    return saved.location ?? ''
  }
  const expectWhole = (page: Page, { title, wallet }: { title: string; wallet: string }) => {
    for (const words of [
      ...[title, 'Riverside School', 'Winter is cold, and forty children have no coat.', 'Coats', '$600'],
      ...['school.example.org/coats', 'Target $1,000', 'We asked the school.'],
    ])
      expect(textOf(page)).toContain(words)
    expect(page.html.toLowerCase()).toContain(wallet)
  }
  const goal = {
    title: 'Coats to read',
    ...(await addGoal(backend, { title: 'Coats to read', isSubmitted: true })),
  }
  for (const kind of ['goal-return', 'goal-rejection'])
    expectWhole(await ada.get(await prepare(goal.slug, kind)), goal)
  const approval = await prepare(goal.slug, 'goal-approval', { speaks: 'yes' })
  expectWhole(await ada.get(approval), goal)
  await ada.post(approval, { intent: 'submit' })
  const second = await ben.get(approval)
  expectWhole(second, goal)
  expect(second.html).toContain('alt="Forty hooks without a coat"')
  expect(textOf(second)).toContain('it has sent nothing, and it holds no accepted token. Checked')
  expect(textOf(second)).toContain('Does the proof show that they may speak for this name?')
  const unread = await ben.post(approval, { intent: 'confirm' })
  expect([unread.status, textOf(unread)]).toEqual([
    400,
    expect.stringContaining('Say that the proof shows it, or return the goal.'),
  ])
  expect((await ben.post(approval, { intent: 'confirm', speaks: 'yes' })).status).toBe(303)
  expect((await ben.get(approval)).html).toContain(`href="/giveback/${goal.slug}"`)

  for (const kind of ['goal-freeze', 'goal-annulment'])
    expectWhole(await ada.get(await prepare(goal.slug, kind)), goal)
  await moveGoal(backend, goal, 'open', { frozen: true, hidden: true })
  const release = await prepare(goal.slug, 'goal-release')
  await ada.post(release, { intent: 'submit' })
  expectWhole(await ben.get(release), goal)
})

test('a save makes one backend call in addition to the calls for the session', async () => {
  const { client, id } = await signUp(backend, 'writer@example.org')
  const { data } = await client.auth.getSession()
  const writer = new Visitor(site.url).carry(sessionCookie, data.session ?? {})
  const path = ((await writer.get('/dashboard/goals/new')).location ?? '').replace('?new', '')
  for (const version of ['', '0', '1']) {
    proxy.requests.length = 0
    const saved = await writer.post(path, {
      member: id,
      version,
      title: 'School coats',
      story: 'It is cold.',
    })
    expect([version, saved.location]).toEqual([version, `${path}#save`])
    const calls = proxy.requests.filter((request) => !request.includes('/auth/v1/'))
    expect([version, calls]).toEqual([version, [expect.stringContaining('/rest/v1/')]])
  }
})

// These tests come last, because the site's breaker is open after a fault.
test('while the backend does not respond, the pages of goals say that they cannot load the goals, and show no zero', async () => {
  const goal = await addGoal(backend)
  proxy.fault = '503'
  const list = await read('/giveback')
  const page = await read(`/giveback/${goal.slug}`)
  const paying = `/donate?to=${goal.slug}&token=USDT`
  const typed = await visitor.post(paying, { amount: '35' })
  const unread = await read(paying)
  proxy.fault = 'none'
  expect(list.text).toContain("We can't load the goals right now.")
  expect(list.text).toContain("Total Funded Can't load")
  expect([page.status, page.text]).toEqual([
    503,
    expect.stringContaining("We can't load this goal right now."),
  ])
  expect(page.isIndexed).toBe(false)
  expect([typed.status, typed.html]).toEqual([503, expect.stringContaining('value="35"')])
  expect([unread.status, unread.html.toLowerCase().includes(goal.wallet)]).toEqual([503, false])
})

test('the reads of a goal are sent together, so that the page of the goal waits for one round trip', async () => {
  const { slug } = await addGoal(backend)
  const path = `/giveback/${slug}`
  const reads = () => new Set(proxy.requests.filter((request) => request.includes('/rest/v1/')))
  proxy.requests.length = 0
  await visitor.get(path)
  const all = reads()
  // Each read is sent, although no read gets a response.
  proxy.requests.length = 0
  proxy.fault = 'hang'
  const waiting = visitor.get(path)
  await expect.poll(() => reads().size, { timeout: 5_000 }).toBe(all.size)
  proxy.fault = 'none'
  expect([...reads()].sort()).toEqual([...all].sort())
  await waiting
})
