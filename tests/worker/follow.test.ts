import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { parse } from 'node-html-parser'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, expect, test } from 'vitest'
import { type MailboxMessage, mailboxVariables } from '../../supabase/embedded/mailbox.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { passTime } from '../support/followers.ts'
import { addOperator } from '../support/operators.ts'
import { brokenFormsIn } from '../support/plain-forms.ts'
import { type Site, startSite, startSiteWithBackend } from '../support/site.ts'
import { transaction } from '../support/temporary-backend.ts'
import { type Page, sessionCookie, Visitor } from '../support/visitor.ts'

const eventsKey = `whsec_${Buffer.from('a key of the mail service').toString('base64')}`

const site = await startSiteWithBackend({
  mail: true,
  variables: { MAIL_EVENTS_KEY: eventsKey, PREVIEW_LOCALES: 'en-XA' },
})
/** A site without a mail service. */
const plain = await startSite(site.backend)
afterAll(() => Promise.all([site?.close(), plain?.close()]))

async function mailsTo(address: string): Promise<MailboxMessage[]> {
  const response = await fetch(`${site.backend.mailUrl}/messages.json`)
  return ((await response.json()) as MailboxMessage[]).filter(({ to }) => to === address)
}
/** Returns the path, beginning with `begin`, of the first such link in an email. */
const linkIn = (mail: MailboxMessage | undefined, begin: string) =>
  mail?.text.match(new RegExp(`^${site.url}(${begin}.*)$`, 'm'))?.[1] ?? ''
const follow = (address: string, topic = 'education', visitor = new Visitor(site.url)) =>
  visitor.post('/follow', { topic, email: address })
const sentenceOf = ({ html }: Page) => parse(html).querySelector('main')?.text.replace(/\s+/g, ' ') ?? ''
const topicsOf = async (address: string) =>
  (
    await site.backend.sql<{ topic: string }>(
      `select topic from private.follower_topics join private.followers on followers.id = follower_id
       where address = $1 order by topic`,
      [address],
    )
  ).map(({ topic }) => topic)
const publish = (text: string, pool = 'education') =>
  site.backend.sql('select public.append_update($1)', [
    JSON.stringify({ pool_slug: pool, published_at: new Date().toISOString(), text }),
  ])

/** Follows a topic, and confirms with the link in the email. */
async function join(address: string, topic = 'education'): Promise<void> {
  await follow(address, topic)
  await site.runSchedule()
  const [mail] = await mailsTo(address)
  await new Visitor(site.url).post(linkIn(mail, '/follow/confirm'), {})
}

test('the email for confirmation does not wait for the scheduled work, and is sent once if runs overlap', async () => {
  await follow('prompt@example.org')
  await expect.poll(() => mailsTo('prompt@example.org')).toHaveLength(1)
  await Promise.all([follow('overlap@example.org'), site.runSchedule(), site.runSchedule()])
  await expect.poll(() => mailsTo('overlap@example.org')).toHaveLength(1)
  await site.runSchedule()
  expect(await mailsTo('overlap@example.org')).toHaveLength(1)
})

test('a visitor follows, confirms, gets an update, leaves one topic, then all topics', async () => {
  const address = 'ana@example.org'
  const visitor = new Visitor(site.url)
  const form = parse((await visitor.get('/voting/education')).html).querySelector('form[action="/follow"]')
  expect(form?.querySelector('input[name="topic"]')?.getAttribute('value')).toBe('education')
  const asked = await follow(address, 'education', visitor)
  expect([asked.status, asked.location]).toEqual([303, '/follow?topic=education&step=mail'])
  expect(sentenceOf(await visitor.get(asked.location ?? ''))).toContain('Press it within three days')

  await site.runSchedule()
  const [request] = await mailsTo(address)
  expect(request?.subject).toBe('Confirm that you want emails about Education')
  const link = linkIn(request, '/follow/confirm')
  const opened = await visitor.get(link)
  expect(opened.status).toBe(200)
  expect(brokenFormsIn(opened.html)).toEqual([])
  expect(await topicsOf(address)).toEqual([])
  // The request comes from another device, without cookies.
  expect(sentenceOf(await new Visitor(site.url).post(link, {}))).toContain('You follow Education')
  expect(sentenceOf(await new Visitor(site.url).post(link, {}))).toContain('You have already confirmed')
  await join(address, 'cz-call')
  expect(await topicsOf(address)).toEqual(['cz-call', 'education'])

  await publish('Forty desks arrived.')
  await site.runSchedule()
  const [update] = await mailsTo(address)
  expect(update?.subject).toBe('Education: Forty desks arrived.')
  expect(update?.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')

  const leaveOne = linkIn(update, '/follow/leave.*topic=education')
  expect(update?.headers['List-Unsubscribe']).toBe(`<${site.url}${leaveOne}>`)
  await visitor.get(leaveOne)
  expect(await topicsOf(address)).toHaveLength(2)
  // A mail program removed or shortened the parameter: the link must not do more than the link that was sent.
  for (const changed of ['', '&topic=educ', '&topik=education', '&TOPIC=education'])
    for (const body of ['List-Unsubscribe=One-Click', '']) {
      const link = site.url + leaveOne.replace('&topic=education', changed)
      const answer = await fetch(link, { method: 'POST', body: new URLSearchParams(body) })
      expect([changed, answer.status]).toEqual([changed, 400])
    }
  expect(await topicsOf(address)).toHaveLength(2)
  // A mail client sends this request (RFC 8058) without cookies, Origin or Sec-Fetch-Site:
  // https://github.com/bikeindex/bike_index/pull/4077. A scanner that opens the link changes nothing, as above:
  // https://github.com/paulgmiller/careme/pull/836
  const oneClick = await fetch(site.url + leaveOne, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  expect(oneClick.status).toBe(200)
  expect(await topicsOf(address)).toEqual(['cz-call'])
  // A webmail page sends it with its own origin, and a sandboxed frame with the origin 'null'.
  for (const Origin of ['https://webmail.example', 'null']) {
    const sent = await fetch(site.url + leaveOne, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      headers: { Origin, 'Sec-Fetch-Site': 'cross-site' },
    })
    expect([Origin, sent.status]).toEqual([Origin, 200])
  }
  // A form of the other type, and an add-on that sends no body: https://github.com/Amunak/thunderbird-list-unsubscribe-addon/issues/8
  const parts = new FormData()
  parts.set('List-Unsubscribe', 'One-Click')
  for (const body of [parts, null]) {
    const sent = await fetch(site.url + leaveOne, { method: 'POST', body })
    expect([String(body), sent.status]).toEqual([String(body), 200])
  }
  await publish('Sixty more.')
  await site.runSchedule()
  expect(await mailsTo(address)).toHaveLength(3)

  const leaveAll = linkIn(update, '/follow/leave.*topic=all')
  expect(sentenceOf(await visitor.post(leaveAll, {}))).toContain('we deleted your address')
  expect(await topicsOf(address)).toEqual([])
  const again = await visitor.post(leaveAll, {})
  expect([again.status, sentenceOf(again)]).toEqual([410, expect.stringContaining('follows nothing here')])
})

// https://github.com/FalkorDB/QueryWeaver/issues/744 (one client, many addresses),
// https://github.com/baronunread/rdyrct/issues/50 (many clients, one address),
// https://github.com/dcccrypto/percolator-launch/pull/2150 (the total of all)
test('one client cannot use up the emails of all, and fills no inbox', async () => {
  const ask = (network: string, email: string) =>
    fetch(`${site.url}/follow`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: site.url, 'CF-Connecting-IP': network },
      body: new URLSearchParams({ topic: 'month', email }),
    })
  // Each round is another network of the same /48; the spellings reach two inboxes.
  for (let round = 0; round < 12; round++)
    for (const email of [
      `victim+${round}@example.org`,
      `v.ictim+${round}@gmail.com`,
      `x${round}@example.org`,
    ])
      await ask(`2001:db8:7:${round}::1`, email)
  const rows = await site.backend.sql(
    `select inbox, count(*)::int as mails from private.follow_requests
     where topic = 'month' and inbox like 'victim%' group by 1 order by 1`,
  )
  expect(rows).toEqual([
    { inbox: 'victim@example.org', mails: 1 },
    { inbox: 'victim@gmail.com', mails: 1 },
  ])
  for (let more = 12; more < 30; more++) await ask('2001:db8:7::1', `x${more}@example.org`)
  const last = await ask('2001:db8:7::2', 'last@example.org')
  expect([last.status, sentenceOf({ html: await last.text() } as Page)]).toEqual([
    429,
    expect.stringContaining('Your network asked for many emails just now.'),
  ])
  expect((await ask('2001:db8:8::1', 'honest@example.org')).status).toBe(303)
  await site.backend.sql(`delete from private.follow_requests where topic = 'month'`)
})

test('the emails to an address are in the language of the page on which the address was entered', async () => {
  const visitor = new Visitor(site.url)
  const address = 'leyla@example.org'
  await visitor.post('/en-XA/follow', { topic: 'education', email: address })
  await site.runSchedule()
  const [mail] = await mailsTo(address)
  expect(mail?.subject).toMatch(/^\[.*\]$/)
  expect(mail?.html).toContain('<html lang="en-XA">')
  await visitor.post(linkIn(mail, '/en-XA/follow/confirm'), {})
  expect(await topicsOf(address)).toEqual(['education'])
})

test.each([
  ['text that is not an address', 'ana', 'education', 'Invalid email address'],
  ['a list of addresses', 'a@example.org,b@example.org', 'education', 'Invalid email address'],
  [
    'an address with a header line',
    'a@example.org\r\nBcc: b@example.org',
    'education',
    'Invalid email address',
  ],
  ['an unknown topic', 'typed@example.org', 'nothing', 'Choose what you want to follow.'],
  ['a topic that only members can follow', 'typed@example.org', 'gifts', 'Only members can follow this.'],
])(
  'refuses %s with one sentence, and the form keeps the entered values',
  async (_, address, topic, sentence) => {
    const page = await follow(address, topic)
    expect(page.status).toBe(400)
    expect(sentenceOf(page)).toContain(sentence)
    expect(page.html).toMatch(/<title>Error: Follow/)
    if (topic === 'education')
      expect(parse(page.html).querySelector('input[name="email"]')?.getAttribute('value')).toBe(
        address.trim(),
      )
  },
)

test.each(['/follow/confirm', '/follow/leave', '/follow/keep'])(
  '%s reports a truncated or unknown link',
  async (path) => {
    const visitor = new Visitor(site.url)
    for (const cut of ['', '?token=abc', `?token=${'a'.repeat(63)}&topic=education`]) {
      const page = await visitor.get(path + cut)
      expect([page.status, sentenceOf(page)]).toEqual([
        400,
        expect.stringContaining('This link is incomplete'),
      ])
      expect((await visitor.post(path + cut, {})).status).toBe(400)
    }
    const unknown = await visitor.post(`${path}?token=${'a'.repeat(64)}&topic=all`, {})
    expect([unknown.status, sentenceOf(unknown)]).toEqual([410, expect.stringContaining('no longer valid')])
    expect((await visitor.get('/follow/other')).status).toBe(404)
  },
)

test('a link that a mail program changed asks its reader the question of the link that was sent', async () => {
  const [token, visitor] = ['ab3d'.repeat(16), new Visitor(site.url)]
  const [start, end] = [token.slice(0, 30), token.slice(30)]
  const education = 'Stop emails about Education'
  const lost = 'This link is incomplete'
  for (const [link, title] of [
    [`/follow/leave?token=3D${token}&topic=3Deducation`, education],
    [`/follow/leave?token=${start}=%0D%0A${end}&topic=educa=%0Ation`, education],
    [`/follow/leave?token=${start}=${end}&topic=educa=tion`, education],
    [`/follow/leave?token=${start}%20${end}%20&topic=education%20`, education],
    [`/follow/leave?token=${token}&amp;topic=education`, education],
    [`/follow/leave?token=${token}%26topic%3Deducation`, education],
    [`/follow/leave%3Ftoken=${token}&topic=education`, education],
    [`/follow/leave?token=${token}&topic=education%3E.`, education],
    [`/follow/leave?token=${token}&topic=educ`, education],
    [`/follow/leave?token=${token}&topic=goal-9f3`, lost],
    [`/follow/leave?token=${token}&topic=al`, lost],
    [`/follow/leave?token=${token}`, lost],
    [`/follow/leave?token=${token}&topic=all`, 'Stop emails about everything'],
    [`/follow/confirm?token=3D${start}=%0D%0A${end}&topic=3Deducation`, 'Follow Education'],
    [`/follow/keep?token=3D${start}%20${end}`, 'Keep following'],
  ] as const) {
    const page = await visitor.get(link)
    const button = parse(page.html).querySelector('main form button')?.textContent
    expect([
      link,
      page.status,
      parse(page.html).querySelector('h1')?.textContent,
      button !== undefined,
    ]).toEqual([link, 200, title, true])
    if (title === lost) expect([link, button]).toEqual([link, 'Stop all emails'])
  }
})

test('a link that lost the end of its topic stops what its page names, and nothing without the page', async () => {
  const address = 'cut@example.org'
  await join(address)
  await join(address, 'month')
  const [follower] = await site.backend.sql<{ token: string }>(
    'select token from private.followers where address = $1',
    [address],
  )
  const link = `/follow/leave?token=3D${follower?.token}&topic=3Deduc`
  expect((await fetch(site.url + link, { method: 'POST' })).status).toBe(400)
  const visitor = new Visitor(site.url)
  const field = parse((await visitor.get(link)).html).querySelector('main form input[name="topic"]')
  const left = await visitor.post(link, { topic: field?.getAttribute('value') ?? '' })
  expect(sentenceOf(left)).toContain('You still follow the monthly account')
  expect(await topicsOf(address)).toEqual(['month'])
})

test('an address is accepted as keyboards, address books and copied links give it, and is one address in each form', async () => {
  const forms = [
    ' post@bücher.example\u00a0',
    'mailto:post@bücher.example?subject=Hi',
    '\u200epost＠bücher．example',
  ]
  for (const typed of [...forms, 'post@xn--bcher-kva.example']) {
    const page = await follow(typed)
    expect([typed, page.status, page.location]).toEqual([typed, 303, '/follow?topic=education&step=mail'])
  }
  const asked = await site.backend.sql<{ address: string }>(
    "select address from private.follow_requests where address like 'post@%'",
  )
  expect(asked).toEqual([{ address: 'post@xn--bcher-kva.example' }])
  const member = new Visitor(site.url)
  const password = 'a good password'
  await member.post('/auth', { intent: 'sign-up', email: 'ada@bücher.example', password, username: 'Ada' })
  const other = new Visitor(site.url)
  const back = await other.post('/auth', {
    intent: 'sign-in',
    email: ' ada@xn--bcher-kva.example ',
    password,
  })
  expect([back.status, back.location]).toEqual([303, '/dashboard'])
  for (const refused of [
    'post@bü cher.example',
    'pöst@example.org',
    'a@b@example.org',
    'a@exa/mple.org',
    'a@[::1]',
  ])
    expect([refused, (await follow(refused)).status]).toEqual([refused, 400])
})

test('a member follows with one click, and sees the topic on the page and in the export; the deletion of the account removes the topic', async () => {
  const member = new Visitor(site.url)
  const email = 'member@example.org'
  await member.post('/auth', { intent: 'sign-up', email, password: 'a good password', username: 'Ada' })
  const done = await member.post('/follow', { topic: 'month', email: '' })
  expect(done.location).toBe('/follow?topic=month&step=done')
  await member.post('/dashboard/follows', { intent: 'follow', topic: 'gifts' })
  expect(await topicsOf(email)).toEqual(['gifts', 'month'])
  expect(sentenceOf(await member.get('/dashboard/follows'))).toContain('When a pool that I gave to spends')
  const file = JSON.parse((await member.get('/dashboard/account/data')).html)
  expect(file.emailsFollowed).toMatchObject([{ topic: 'month' }, { topic: 'gifts' }])
  await member.post('/dashboard/follows', { intent: 'leave', topic: 'gifts' })
  expect(await topicsOf(email)).toEqual(['month'])
  const [user] = await site.backend.sql<{ id: string }>('select id from auth.users where email = $1', [email])
  await member.post('/dashboard/account/delete', { member: user?.id ?? '' })
  expect(await topicsOf(email)).toEqual([])
})

/** Sends an event as the mail service does. */
function sendEvent(event: object, { secret = eventsKey, age = 0 } = {}): Promise<Response> {
  const body = JSON.stringify(event)
  const time = `${Math.round(Date.now() / 1000) - age}`
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64')
  return fetch(`${site.url}/mail/events`, {
    method: 'POST',
    body,
    headers: {
      'Content-Type': 'application/json',
      'svix-id': 'msg_1',
      'svix-timestamp': time,
      'svix-signature': `v1,AAAA v1,${signature}`,
    },
  })
}

test('a signed event about a complaint or permanent bounce stops the emails to an address; other events do not', async () => {
  const address = 'eve@example.org'
  await join(address)
  const data = { to: [address] }
  const complaint = { type: 'email.complained', data }
  for (const refused of [
    await sendEvent(complaint, { secret: `whsec_${'A'.repeat(32)}` }),
    await sendEvent(complaint, { age: 400 }),
    await fetch(`${site.url}/mail/events`, { method: 'POST', body: '{}' }),
  ])
    expect(refused.status).toBe(403)
  for (const harmless of [
    { type: 'email.delivered', data },
    { type: 'email.bounced', data: { ...data, bounce: { type: 'Transient' } } },
    { type: 'contact.created', data: {} },
  ])
    expect((await sendEvent(harmless)).status).toBe(204)
  expect(await topicsOf(address)).toEqual(['education'])
  expect((await sendEvent(complaint)).status).toBe(204)
  expect(await topicsOf(address)).toEqual([])
  await follow(address)
  await site.runSchedule()
  expect(await mailsTo(address)).toHaveLength(1)
})

test('a recipient answers by the link of the email, on a page without script, in four presses', async () => {
  const { backend } = site
  for (const handle of ['mara', 'tomas']) await addOperator(backend, handle)
  const shop = `0x${'5'.repeat(40)}`
  await backend.sql(
    `with made as (
       insert into public.operator_acts (kind, subject, state, by, second, final_at, number)
       select 'contact', $1, 'done', 'mara', 'tomas', now(), 1 + coalesce(max(number), 0) from public.operator_acts returning id
     ) insert into private.contacts (wallet, address, language, is_person, act, since)
     select $1, 'shop@example.org', 'ar', false, id, now() - interval '1 day' from made`,
    [shop],
  )
  const paid = transaction({
    ...{ type: 'spending', direction: 'out', account: 'education', pool_slug: 'education', to_address: shop },
    ...{ amount_usd: 645.5, note: 'Lamps', occurred_at: new Date().toISOString() },
  })
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([paid])])
  await backend.sql(
    `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations)
     select max(id), 'verified', 9, '0x' || repeat('9', 64), 20 from public.transactions`,
  )
  await passTime(backend, '61 minutes')
  await site.runSchedule()
  const [mail] = await mailsTo('shop@example.org')
  expect(mail?.text.replaceAll('\u200e', '')).toContain('هل استلمت $645.50 مقابل Lamps في')
  // Not in English, and the header can only stop the emails.
  const link = linkIn(mail, '/ar/arrived\\?token=')
  const stop = linkIn(mail, '/ar/arrived/never\\?token=')
  const token = new URLSearchParams(link.split('?')[1]).get('token') ?? ''
  expect(mail?.headers['List-Unsubscribe']).toBe(`<${site.url}${stop}>`)
  expect(JSON.stringify(mail?.headers)).not.toContain(token)

  // Press 1: the link. Scanners open it too, which changes nothing.
  const recipient = new Visitor(site.url)
  const page = await recipient.get(link)
  await recipient.get(link)
  expect([page.status, page.headers.get('Referrer-Policy'), page.headers.get('Cache-Control')]).toEqual([
    200,
    'same-origin',
    'private, no-store',
  ])
  expect(page.html).toContain('<meta name="robots" content="noindex"')
  expect(brokenFormsIn(page.html)).toEqual([])
  expect(await backend.sql('select from private.answers')).toEqual([])
  // Press 2: the answer. Another window still shows the first form.
  const form = parse(page.html).querySelector('main form')
  expect(form?.querySelectorAll('button').map((one) => one.getAttribute('value'))).toEqual([
    'yes',
    'but',
    'no',
  ])
  const thanks = await recipient.post(link, { seen: '0', answer: 'but', words: 'وصل نصفها.', name: 'متجر' })
  expect([thanks.status, sentenceOf(thanks)]).toEqual([200, expect.stringContaining('شكرًا لك')])
  const late = await new Visitor(site.url).post(link, { seen: '0', answer: 'no' })
  expect(sentenceOf(late)).toContain('أجاب شخص بهذا الرابط قبل لحظات')
  const english = link.replace('/ar', '')
  const refused = await recipient.post(english, {
    seen: '1',
    answer: 'yes',
    words: 'Write to www.shop.example',
  })
  expect([refused.status, sentenceOf(refused)]).toEqual([400, expect.stringContaining('Leave out links')])
  expect(refused.html).toContain('Write to www.shop.example')
  // An operator does not publish the words: the link and the payment say why.
  const [rejected] = await backend.sql<{ row: string }>(
    `insert into public.operator_acts (kind, subject, state, by, final_at, number, reason_hash)
     select 'answer-rejection', (select max(id)::text from private.answers), 'done', 'mara', now(), 1 + max(number),
       private.keep_text('ledger', 'It names a person.') from public.operator_acts
     returning (select max(transaction_id)::text from private.asks) as row`,
  )
  expect(sentenceOf(await recipient.get(english))).toContain(
    'An operator did not publish these words, because: It names a person.',
  )
  expect(sentenceOf(await recipient.get(`/transparency/${rejected?.row}`))).toContain(
    'mara did not publish their words, because: It names a person.',
  )
  expect(sentenceOf(await recipient.post(english, { intent: 'withdraw' }))).toContain(
    'Name and words are deleted',
  )
  expect(await backend.sql('select answer, words, name from public.published_answers')).toEqual([
    { answer: 'but', words: null, name: null },
  ])
  // No line of the log has the token.
  expect(site.log.join('\n')).not.toContain(token)

  const wrong = await recipient.get(`/arrived?token=${'0'.repeat(64)}`)
  expect([wrong.status, sentenceOf(wrong)]).toEqual([404, expect.stringContaining('This link is not valid')])
  expect((await recipient.get('/arrived')).status).toBe(404)
  // A form of another site is refused, and the one-click request of a mail program is not.
  const foreign = { Origin: 'https://other.example', 'Sec-Fetch-Site': 'cross-site' }
  const body = new URLSearchParams({ seen: '1', answer: 'no' })
  expect((await fetch(site.url + link, { method: 'POST', body, headers: foreign })).status).toBe(403)
  const oneClick = await fetch(site.url + stop, {
    method: 'POST',
    headers: { Origin: 'https://webmail.example' },
  })
  expect([oneClick.status, await backend.sql('select from private.contacts')]).toEqual([200, []])
})

test('a receiving wallet signs its answer by hand, and another wallet is refused', async () => {
  const { backend } = site
  const [wallet, other] = ['1', '2'].map((digit) => privateKeyToAccount(`0x${digit.repeat(64)}`))
  const paid = transaction({
    ...{ type: 'spending', direction: 'out', account: 'education', pool_slug: 'education' },
    ...{
      to_address: wallet?.address.toLowerCase(),
      occurred_at: new Date(Date.now() - 60_000).toISOString(),
    },
  })
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([paid])])
  const [row] = await backend.sql<{ id: string }>(
    `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations)
     select max(id), 'verified', 9, '0x' || repeat('9', 64), 20 from public.transactions returning transaction_id::text as id`,
  )
  const path = `/transparency/${row?.id}/arrived`
  const recipient = new Visitor(site.url)
  expect(sentenceOf(await recipient.get(path))).toContain(
    "A contract wallet, such as a Safe, and an account at an exchange can't sign",
  )
  expect((await recipient.post(path, { words: 'No choice' })).status).toBe(400)
  const step = await recipient.post(path, { answer: 'yes', words: 'They shine.' })
  const fields = Object.fromEntries(
    parse(step.html)
      .querySelectorAll('main form:has(textarea[readonly]) input[type=hidden]')
      .map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
  )
  const text = parse(step.html).querySelector('textarea[readonly]')?.text ?? ''
  const sign = async (account: typeof wallet, changes = {}) =>
    recipient.post(path, {
      ...fields,
      signature: (await account?.signMessage({ message: text })) ?? '',
      ...changes,
    })
  expect(sentenceOf(await sign(other))).toContain('This signature was made by another wallet')
  expect((await sign(wallet, { answer: 'no' })).status).toBe(400)
  const stored = await sign(wallet)
  expect([stored.status, stored.location]).toEqual([
    303,
    expect.stringMatching(/^\/arrived\?token=[0-9a-f]{64}$/),
  ])
  expect(sentenceOf(await recipient.get(stored.location ?? ''))).toContain('They shine.')
  expect(sentenceOf(await sign(wallet))).toContain('This wallet answered already')
  expect(sentenceOf(await recipient.get(`/transparency/${row?.id}`))).toContain(
    'the wallet that was paid signed it',
  )
  // Two operators mark the wallet as an exchange wallet: the site accepts no answer that it signs, and both
  // pages name the operators.
  await backend.sql(
    `insert into public.operator_acts (kind, subject, state, by, second, final_at, number, reason_hash)
     select 'contact', $1, 'done', 'mara', 'tomas', now(), 1 + max(number),
       private.keep_text('ledger', 'The wallet of an exchange, which signs no answer.') from public.operator_acts`,
    [paid.to_address],
  )
  const said = "mara and tomas say that this wallet belongs to an exchange, so its owner can't sign."
  expect(sentenceOf(await recipient.get(path))).toContain(said)
  expect(parse((await recipient.get(path)).html).querySelectorAll('main form')).toEqual([])
  // The English page is in the cache.
  expect(sentenceOf(await recipient.get(`/es/transparency/${row?.id}`))).toContain(
    'mara y tomas dicen que esta billetera es de un exchange',
  )
  expect([(await sign(wallet)).status, (await sign(wallet)).location]).toEqual([303, path])
  const tax = transaction()
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([tax])])
  expect((await recipient.get(`/transparency/${Number(row?.id) + 1}/arrived`)).status).toBe(404)
})

test('/healthz reports a mail service that refuses all emails, and all pages still work', async () => {
  const visitor = new Visitor(site.url)
  await site.backend.sql(
    `update private.mail_state set paused_until = now() + interval '1 hour', pause_reason = 'daily_quota_exceeded'`,
  )
  expect((await follow('late@example.org')).status).toBe(303)
  await site.runSchedule()
  expect(await mailsTo('late@example.org')).toEqual([])
  const health = await visitor.get('/healthz')
  expect([health.status, JSON.parse(health.html)]).toEqual([
    200,
    { status: 'degraded', unavailable: ['mail'] },
  ])
  await site.backend.sql(`update private.mail_state set paused_until = now()`)
  await site.runSchedule()
  expect(await mailsTo('late@example.org')).toHaveLength(1)
})

test('if the run after a request and the scheduled run are killed after the mail service accepted their emails, the next runs reuse the idempotency keys, and no email is sent twice', async () => {
  /** The keys of all requests, and the keys of the requests whose email was sent. */
  const asked: string[] = []
  const sent = new Set<string>()
  let isSilent = true
  const service = createServer((request, response) => {
    const key = `${request.headers['idempotency-key']}`
    asked.push(key)
    sent.add(key)
    if (!isSilent) response.setHeader('Content-Type', 'application/json').end('{"id":"1"}')
  })
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
  const { port } = service.address() as AddressInfo
  const variables = {
    ...{ MAIL_FROM: 'mail@goodblock.example', MAIL_API_KEY: 'a key' },
    ...{ MAIL_API_URL: `http://127.0.0.1:${port}`, SUPABASE_SECRET_KEY: site.backend.secretKey },
  }
  const sites = [await startSite(site.backend, variables)]
  try {
    await site.backend.sql('delete from private.followers')
    for (const name of ['one', 'two'])
      await site.backend.sql(`select private.add_topic($1, 'education', 'en')`, [`${name}@example.org`])
    await publish('Lamps arrived.')
    await follow('waiting@example.org', 'education', new Visitor(`${sites[0]?.url}`))
    await expect.poll(() => asked.length).toBe(1)
    const killed = sites[0]?.runSchedule().catch(() => {})
    await expect.poll(() => asked.length).toBe(3)
    await sites[0]?.close()
    await killed
    await passTime(site.backend, '3 minutes')
    isSilent = false
    for (let more = 0; more < 2; more++) sites.push(await startSite(site.backend, variables))
    await Promise.all(sites.slice(1).map((other) => other.runSchedule()))
    expect([asked.length, sent.size]).toEqual([6, 3])
    const states = 'select distinct state from private.mails where follower_id is not null'
    expect(await site.backend.sql(states)).toEqual([{ state: 'sent' }])
  } finally {
    await Promise.all(sites.slice(1).map((other) => other.close()))
    service.closeAllConnections()
    service.close()
  }
})

test('emails to one address are sent in the order of their events, even if the first email has to be sent again', async () => {
  const subjects: string[] = []
  let refusals = 1
  const service = createServer(async (request, response) => {
    const { to, subject } = (await json(request)) as { to: string[]; subject: string }
    if (to[0] === 'three@example.org') subjects.push(subject)
    response.statusCode = to[0] === 'three@example.org' && refusals-- > 0 ? 500 : 200
    response.setHeader('Content-Type', 'application/json').end('{"id":"1"}')
  })
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
  const { port } = service.address() as AddressInfo
  const other = await startSite(site.backend, {
    ...{ MAIL_FROM: 'mail@goodblock.example', MAIL_API_KEY: 'a key' },
    ...{ MAIL_API_URL: `http://127.0.0.1:${port}`, SUPABASE_SECRET_KEY: site.backend.secretKey },
  })
  try {
    await site.backend.sql('delete from private.followers')
    for (const pool of ['education', 'animal-welfare']) {
      await site.backend.sql(`select private.add_topic('three@example.org', $1, 'en')`, [pool])
      await publish('News arrived.', pool)
    }
    await other.runSchedule()
    expect(subjects).toHaveLength(1)
    await passTime(site.backend, '3 minutes')
    await other.runSchedule()
    expect(subjects).toHaveLength(3)
    expect(subjects[1]).toBe(subjects[0])
    expect(subjects[2]).not.toBe(subjects[0])
  } finally {
    await other.close()
    service.close()
  }
})

test.each([
  ['treasury', 'the monthly account'],
  ['donation-wallet', 'CZ Call'],
  ['education', 'Education'],
])('the confirmation of a gift to %s offers to follow %s', async (account, name) => {
  const pool_slug = account === 'education' ? account : null
  const row = transaction({ type: 'gift', direction: 'in', account, pool_slug })
  await site.backend.sql('select public.append_ledger($1)', [JSON.stringify([row])])
  const { html } = await new Visitor(site.url).get(`/donate/${row.tx_hash}`)
  expect(html).toContain(`aria-label="Follow ${name} by email"`)
})

test('the part of the page of a pool that is also a dialog links to nothing below it, and leads to the form of following', async () => {
  const { html } = await new Visitor(site.url).get('/voting/education')
  const part = parse(html).querySelector('[data-detail]')
  const links = part?.querySelectorAll('a').map((link) => link.getAttribute('href') ?? '') ?? []
  expect(links).toContain('/follow?topic=education')
  expect(links).toContain('/voting/education')
  expect(links.filter((link) => link.startsWith('#'))).toEqual([])
})

test('operators see the email counts, and are told before they publish that a sent email cannot be recalled', async () => {
  const { client } = await addOperator(site.backend, 'ada')
  const { data } = await client.auth.getSession()
  const paths = ['/operator', '/operator/new/update', '/operator/new/statement']
  const words = async ({ url }: Site) => {
    const ada = new Visitor(url).carry(sessionCookie, data.session ?? {})
    const pages = await Promise.all(paths.map((path) => ada.get(path)))
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200])
    return pages.map(sentenceOf)
  }
  const note = expect.stringContaining("An email that was sent can't be called back.")
  expect(await words(site)).toEqual([
    expect.stringMatching(
      /\d followers?: \(in order\) 0 emails wait, \d+ were sent, 0 failed, 1 address gets no more\./,
    ),
    note,
    note,
  ])
  for (const page of await words(plain)) expect(page).not.toMatch(/follower|called back/)
})

test('a site without a mail service has no form and no page for following, and its scheduled work makes no additional call', async () => {
  const visitor = new Visitor(plain.url)
  const confirmation = `/donate/0x${'1'.repeat(64)}`
  for (const path of ['/', '/voting/education', '/cz-call', '/transparency', confirmation, '/privacy'])
    expect((await visitor.get(path)).html, path).not.toMatch(/"\/(follow|dashboard\/follows)/)
  expect((await visitor.get('/follow?topic=education')).status).toBe(404)
  expect((await visitor.post('/follow', { topic: 'education', email: 'a@example.org' })).status).toBe(404)
  expect((await visitor.get('/mail/events')).status).toBe(404)

  const proxy = await startFaultProxy(site.backend.url)
  const { publishableKey, secretKey, mailUrl } = site.backend
  const [without, with_] = await Promise.all(
    [{}, mailboxVariables(mailUrl)].map((more) =>
      startSite({ url: proxy.url, publishableKey }, { SUPABASE_SECRET_KEY: secretKey, ...more }),
    ),
  )
  const callsOf = async (one: Site | undefined) => {
    proxy.requests.length = 0
    await one?.runSchedule()
    return proxy.requests.map((request) => request.split('?')[0])
  }
  const calls = await callsOf(without)
  expect(await callsOf(with_)).toEqual([
    ...calls,
    'POST /rest/v1/rpc/keep_request_key',
    'POST /rest/v1/rpc/prepare_mails',
    'POST /rest/v1/rpc/next_mails',
  ])
  await Promise.all([without?.close(), with_?.close(), proxy.close()])
})
