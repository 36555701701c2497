import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { needsTwo } from '../../app/acts/forms/kind.ts'
import { fieldsOfAct } from '../../app/acts/schemas.ts'
import { addressOf } from '../../app/chain/stored-transaction.server.ts'
import { type ActKind, actKinds, kindOf } from '../../app/console/act-kinds.ts'
import { isGoalKind } from '../../app/goals/acts.ts'
import { witnessKeyOf } from '../../app/log/cosignature.ts'
import { createEnglish } from '../../app/platform/locales/language.ts'
import { actSamples, pictureSample } from '../support/acts.ts'
import { drawFrom } from '../support/draw.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { addGift, addGoal, moveGoal, openVariables } from '../support/goals.ts'
import { hiddenOf, prepare, press, wordsOf } from '../support/operator-forms.ts'
import { act, addOperator, nameByTwo } from '../support/operators.ts'
import { insertOrder } from '../support/orders.ts'
import { photograph } from '../support/photograph.ts'
import { type SiteWithBackend, startSite, startSiteWithBackend } from '../support/site.ts'
import { makeStale } from '../support/stale-session.ts'
import { postOf, readPosts } from '../support/standing-orders.ts'
import { signUp, transaction } from '../support/temporary-backend.ts'
import { documentOf, type Page, sessionCookie, Visitor } from '../support/visitor.ts'

// The image library of miniflare makes the input.
const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
const sharp = fromMiniflare('sharp') as typeof import('sharp').default

const witnesses = await Promise.all(
  ['one', 'two', 'three'].map(async (name) => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
    return witnessKeyOf({ name: `${name}.example`, privateKey: der })
  }),
)

let site: SiteWithBackend
let ada: Visitor
let ben: Visitor
/** The codes that their apps show so many steps of 30 seconds later. */
let codeOfAda: (steps: number) => string
let codeOfBen: (steps: number) => string
let adaId: string
let benId: string
let member: Visitor
/** Ada's session before the second factor. */
let weak: Visitor

const PAYER_KEY = `0x${'5'.repeat(64)}` as const
beforeAll(async () => {
  // Each page is rendered again for each request, so that a test sees what it has just published.
  const WITNESSES = witnesses.map((vkey, at) => `${vkey} https://w${at}.example`).join(';')
  const chain = {
    CHAIN_RPC_URLS: 'http://127.0.0.1:9 http://127.0.0.1:8',
    ...{ CHAIN_START_BLOCK: '1', CHAIN_TOKENS: 'BNB:native:18', DONATION_WALLET: `0x${'d'.repeat(40)}` },
  }
  site = await startSiteWithBackend({ variables: { PAGE_CACHE: 'off', WITNESSES, PAYER_KEY, ...chain } })
  const open = async (handle: string) => {
    const account = await addOperator(site.backend, handle)
    const { data } = await account.client.auth.getSession()
    return { ...account, visitor: new Visitor(site.url).carry(sessionCookie, data.session ?? {}) }
  }
  const [first, second] = [await open('ada'), await open('ben')]
  ;[ada, ben, adaId, benId] = [first.visitor, second.visitor, first.id, second.id]
  ;[codeOfAda, codeOfBen] = [first.codeAt, second.codeAt]
  const { client } = await signUp(site.backend, 'member@example.org')
  member = new Visitor(site.url).carry(sessionCookie, (await client.auth.getSession()).data.session ?? {})
  weak = new Visitor(site.url)
  await weak.post('/auth', { intent: 'sign-in', email: 'ada@example.org', password: 'correct horse' })
  await site.backend.sql('select public.append_ledger($1)', [
    JSON.stringify([
      transaction({
        ...{ type: 'spending', account: 'education', pool_slug: 'education', direction: 'out' },
        ...{ token_amount: '250000000000', token_symbol: 'GIFT', token_decimals: 6 },
      }),
    ]),
  ])
})
afterAll(() => site.close())
// A test that fails between a stale session and a code leaves both to the next one.
beforeEach(async () => {
  await makeStale(site, ada, adaId, 0)
  await makeStale(site, ben, benId, 0)
  await site.backend.sql('delete from private.used_codes')
})

const statement = {
  link: 'https://x.com/cz/status/1',
  text: 'Schools need books.',
  author: 'CZ',
  posted: '2025-11-20T18:30:00Z',
  action: 'We bought books.',
}

const update = '/operator/new/update'
/** Sends the form for an update with a picture. */
async function sendPicture(
  who: Visitor,
  picture: Uint8Array,
  changes: Record<string, string> = {},
): Promise<Page> {
  const form = new FormData()
  const fields = {
    ...{ pool: 'education', text: 'Forty desks.', dated: '2025-11-20', picture_alt: 'Forty “new” desks' },
    ...{ picture_where: 'Riverside', picture_when: 'November 2025', person: 'no' },
    ...changes,
  }
  for (const [name, value] of Object.entries({ ...hiddenOf(await who.get(update)), ...fields }))
    form.set(name, value)
  form.set('picture', new File([new Uint8Array(picture)], 'desks.jpg', { type: 'image/jpeg' }))
  return who.send(update, { method: 'POST', body: form, headers: { Origin: site.url } })
}

const pages = [
  '/operator',
  '/operator/acts',
  '/operator/new/statement',
  `/operator/acts/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`,
]

test('a visitor must sign in first, a non-operator gets the 404 page, and a session without the factor gets the form for the code', async () => {
  const withoutPath = (page: Page) =>
    page.html.replaceAll(/[0-9a-f-]{36}|(?<=http:\/\/[^/]+\/)[\w/-]+, as of|(?<=name="to" value=")[^"]*/g, '')
  const unknown = withoutPath(await member.get('/an-unknown-address'))
  for (const path of pages) {
    expect((await new Visitor(site.url).get(path)).location, path).toBe(
      `/auth?redirectTo=${encodeURIComponent(path)}`,
    )
    const page = await member.get(path)
    expect([page.status, withoutPath(page)], path).toEqual([404, unknown])
    expect((await weak.get(path)).location, path).toBe(`/auth/factor?redirectTo=${encodeURIComponent(path)}`)
  }
  for (const path of ['/operator/new/statement', pages[3] as string])
    expect((await member.post(path, { intent: 'submit', ...statement })).status).toBe(404)
  for (const path of ['/operator/new/reading', '/operator/new/constructor', pages[3] as string])
    expect((await ada.get(path)).status, path).toBe(404)
  const { headers, html } = await ada.get('/operator')
  expect(headers.get('Cache-Control')).toBe('private, no-store')
  expect(html).toContain('<meta name="robots" content="noindex"/>')
  expect(html).not.toContain('__remix')
})

test('two operators publish, confirm, correct and withdraw texts, and everyone can read the result', async () => {
  await press(ada, await prepare(ada, '/operator/new/statement', statement), 'submit')
  const queue = await ben.get('/operator')
  const confirmation = documentOf(queue).querySelector('main a[href^="/operator/new/confirmation"]')
  const path = confirmation?.getAttribute('href')?.replaceAll('&amp;', '&') ?? ''
  const own = await prepare(ada, path, { how: 'I read it at its address.' })
  const refused = await ada.post(own, { intent: 'submit' })
  expect([refused.status, wordsOf(refused)]).toEqual([
    400,
    expect.stringContaining('Another operator must confirm this statement.'),
  ])
  expect(refused.html).toContain('<title>Error: Act · Goodblock</title>')
  await press(ada, own, 'drop')
  await press(ben, await prepare(ben, path, { how: 'I read it at its address.' }), 'submit')
  expect(wordsOf(await ada.get('/cz-call'))).toContain('I read it at its address.')

  const saved = await sendPicture(ada, await photograph(2000, 1500))
  expect([saved.status, wordsOf(saved)]).toEqual([303, ''])
  await press(ada, saved.location ?? '', 'submit')
  const onward = documentOf(await ada.get(saved.location ?? '')).querySelectorAll('main a.button')
  expect(onward.map((each) => each.getAttribute('href'))).toEqual(['/voting/education', '/operator'])
  const pool = (await ada.get('/voting/education')).html
  const [, shown = ''] =
    /<img src="(\/pictures\/pools\/education\/[0-9a-f]{64}\.webp)\?small" alt="Forty “new” desks" width="960" height="1280"/.exec(
      pool,
    ) ?? []
  const served = await fetch(site.url + shown)
  expect(served.headers.get('Content-Type')).toBe('image/webp')
  const stored = Buffer.from(await served.arrayBuffer())
  expect(stored.toString('latin1')).not.toMatch(/secret|exif|\xff\xd8\xff/i)
  expect(await sharp(stored).metadata()).toMatchObject({ width: 960, height: 1280 })

  const purpose = documentOf(await ada.get('/operator'))
    .querySelector('main a[href^="/operator/new/purpose?"]')
    ?.getAttribute('href')
  await press(ada, await prepare(ada, purpose ?? '', { type: 'spending', note: 'Forty desks' }), 'submit')
  const [{ row } = { row: 0 }] = await site.backend.sql<{ row: number }>(
    'select max(id)::int as row from public.transactions',
  )
  // A row whose amount did not change is not said to be corrected to the same amount.
  const corrected = wordsOf(await ada.get(`/transparency/${row}`))
  expect(corrected).toContain(`Row ${row}, this one: purpose added`)
  expect(corrected).not.toContain('corrected to')

  const [text] = await site.backend.sql<{ hash: string }>(
    `select hash from private.log_texts where text = 'Forty desks'`,
  )
  // The list states where each text is published, and the act shows the value at the proposed rate.
  expect(wordsOf(await ada.get('/operator/new/withdrawal'))).toMatch(
    /Purpose of payment \d+, \d+ \w+ \d+ Forty desks/,
  )
  const valued = await prepare(ada, (purpose ?? '').replace('/purpose?', '/value?'), {
    ...{ rate: '0.0004', rate_source: 'An exchange' },
  })
  expect(wordsOf(await ada.get(valued))).toContain('Value at the proposed rate 250,000 GIFT × $0.0004 = $100')
  await press(ada, valued, 'drop')
  expect(wordsOf(await ada.get('/operator/new/operator-end'))).toMatch(
    /Afterwards 1 operator remains\. With one operator, nothing that needs two people can be confirmed\..*ada You/,
  )

  const withdrawal = await prepare(ada, `/operator/new/withdrawal?subject=${text?.hash}`, {
    reason: 'It names a school.',
  })
  await press(ada, withdrawal, 'submit')
  expect(wordsOf(await ada.get(withdrawal))).toContain(
    'A second operator must confirm this. You proposed it.',
  )
  const mine = await ada.post(withdrawal, { intent: 'confirm' })
  expect([mine.status, wordsOf(mine)]).toEqual([409, expect.stringContaining('You proposed it.')])
  // Two tabs send the form at the same time: one confirms, the other reads that it was confirmed.
  const twice = await Promise.all([0, 1].map(() => ben.post(withdrawal, { intent: 'confirm' })))
  expect(twice.map(({ status }) => status).sort()).toEqual([303, 409])
  expect(twice.map(wordsOf).join(' ')).toMatch(/Already done by ben, \d+ \w+ \d+, [\d:]+ UTC\./)

  const record = wordsOf(await new Visitor(site.url).get('/transparency/acts'))
  for (const words of [
    'Published a statement',
    'Confirmed a statement',
    'Published an update',
    'Named the purpose of a payment',
    'Withdrew a text',
    'confirmed by ben',
    'It names a school.',
    'by the holder of the secret key',
  ])
    expect(record).toContain(words)
  const [{ effects, acts } = {}] = await site.backend.sql<{ effects: number; acts: number }>(
    `select count(*) filter (where kind <> 'act')::int as effects, count(*) filter (where kind = 'act')::int as acts
     from private.log_entries`,
  )
  // Two operators were added without a log entry for them, and the payment was found without an act.
  expect({ effects, acts }).toEqual({ effects: 6, acts: 7 })
})

test('pages say the same number of operators, which acts need two, and who sends payments on a site with a payer', async () => {
  const { i18n } = createEnglish()
  const visitor = new Visitor(site.url)
  const words = { who: 'Holds the books', about: '2 operators publish here.' }
  const about = async () => wordsOf(await visitor.get('/about'))
  expect(await about()).toContain(`${words.about} 2 have not said who they are`)
  const introduced = await prepare(ada, '/operator/new/introduction', {
    ...{ name: 'Ada Example', role: words.who, keys: 'none' },
  })
  await press(ada, introduced, 'submit')
  expect(await about()).toContain(`${words.about} 1 has not said who they are`)
  const acts = documentOf(await visitor.get('/transparency/acts'))
  expect(acts.querySelectorAll('#operator-list li')).toHaveLength(2)
  // English has the same 'since' for the oldest of several reports.
  const turkish = documentOf(await visitor.get('/tr/transparency/acts'))
  expect(turkish.querySelector('#operator-list li')?.text).toMatch(/yetki başlangıcı \d/)
  expect(acts.querySelectorAll('#operators details li').map(({ text }) => text)).toEqual(
    Object.values(actKinds)
      .filter(({ people }) => people === 2)
      .map(({ title }) => i18n._(title)),
  )
  const rule = /or the rule that (orders|makes) it/
  for (const path of ['/about', '/voting', '/cz-call', '/transparency/orders']) {
    const said = wordsOf(await visitor.get(path))
    expect(said, path).toMatch(rule)
    expect(said, path).not.toMatch(/a person sends each payment|No program of this site can pay/)
  }
})

test('operators see why nothing is paid while the ledger lacks transactions of the payer, and the act that lets it go on', async () => {
  const { backend } = site
  const pages = ['/operator', '/operator/payments']
  const seen = async () => {
    const found = []
    for (const path of pages) {
      const page = await ben.get(path)
      const links = documentOf(page).querySelectorAll('main a[href="/operator/new/payer-acceptance"]')
      found.push({ words: wordsOf(page), links: links.length })
    }
    return found
  }
  for (const { words, links } of await seen()) {
    expect(words).not.toContain('nothing is paid')
    expect(links).toBe(0)
  }
  const [treasury, payer, tx] = [`0x${'7'.repeat(40)}`, `0x${'2'.repeat(40)}`, `0x${'c'.repeat(64)}`]
  const settings = { chain_id: 56, notice_hours: 24, limit_tokens: 1000, tokens: [] }
  await backend.sql('select public.store_payment_terms($1)', [
    JSON.stringify({ ...settings, wallets: [{ account: 'treasury', address: treasury }] }),
  ])
  const row = transaction({ type: 'other', direction: 'out', from_address: treasury, tx_hash: tx })
  await backend.sql('select public.append_ledger($1)', [JSON.stringify([row])])
  const recordGap = (senders: object[] = []) =>
    backend.sql('select public.record_gap($1, $2)', [
      JSON.stringify({ chain_id: 56, payer, nonce: 4 }),
      JSON.stringify(senders),
    ])
  await recordGap()
  const act = 'two operators can let payments go on.'
  for (const { words, links } of await seen()) {
    expect(words).toContain(`nothing is paid: the payer ${payer} has sent 4 transactions`)
    expect(words).toContain("A backup was restored, or the payer's key was used elsewhere.")
    expect(words).toContain('1 payment is not read yet: the job looks for its sender.')
    expect(words).toContain(`When each payment of the payer has its order, ${act}`)
    expect(links).toBe(1)
  }
  await backend.sql(
    `insert into public.transaction_checks (transaction_id, status, block_number, block_hash, confirmations)
     select id, 'verified', 9, tx_hash, 20 from public.transactions where tx_hash = $1`,
    [tx],
  )
  await recordGap([{ tx_hash: tx, sender: payer }])
  const [paid] = await backend.sql<{ id: string }>(
    'select id::text from public.transactions where tx_hash = $1',
    [tx],
  )
  for (const { words } of await seen())
    expect(words).toContain(
      `1 payment of the payer has no order: #${paid?.id}. The payer's key may be stolen`,
    )
  const path = await prepare(ada, '/operator/new/payer-acceptance', { reason: 'A backup was restored.' })
  const refused = await ada.post(path, { intent: 'submit' })
  expect([refused.status, wordsOf(refused)]).toEqual([
    400,
    expect.stringContaining('The payer sent a payment without an order.'),
  ])
  await backend.sql('delete from private.payment_senders')
  await recordGap([{ tx_hash: tx, sender: treasury }])
  for (const { words } of await seen())
    expect(words).toContain(`Each payment of the payer has its order: ${act}`)
  await press(ada, path, 'submit')
  await press(ben, path, 'confirm')
  for (const { links } of await seen()) expect(links).toBe(0)
})

test('operators see what the site may spend, what ends soon, and how to approve a limited allowance', async () => {
  const { backend } = site
  const [treasury, token] = [`0x${'7'.repeat(40)}`, `0x${'d'.repeat(40)}`]
  const payer = addressOf(PAYER_KEY)
  await backend.sql('select public.store_payment_terms($1)', [
    JSON.stringify({
      ...{ chain_id: 56, notice_hours: 24, limit_tokens: 1000 },
      tokens: [{ symbol: 'USDX', address: token, decimals: 18 }],
      wallets: [{ account: 'treasury', address: treasury }],
    }),
  ])
  const page = '/operator/payments/allowance'
  const saw = async (sight: object, allowance: bigint | null) =>
    backend.sql('select public.record_payer($1)', [
      JSON.stringify({
        ...{ chain_id: 56, payer, gas: '1000', payment_gas: '10', ...sight },
        means: [
          { owner: treasury, token, allowance: allowance === null ? null : `${allowance}`, balance: '5' },
        ],
      }),
    ])
  expect(wordsOf(await ada.get('/operator/payments'))).toContain('has not read the allowances yet')
  expect(wordsOf(await ada.get(page))).not.toContain('Show how')
  const one = 10n ** 18n
  await saw({}, 40n * one)
  const full = wordsOf(await ada.get('/operator/payments'))
  expect(full).toContain(`The payer ${payer} has gas for 100 payments. Seen`)
  expect(full).toContain('USDX of Treasury 40 USDX may be spent.')
  expect(wordsOf(await ada.get('/operator'))).not.toContain('has gas for')
  const fault = 'the network asks 12 gwei for gas, and PAYMENT_MAX_GAS_GWEI allows 10 gwei'
  await backend.sql('select public.record_run($1, true)', [
    JSON.stringify({ payer: { fault, waiting: { 7: 'the allowance is too small by 3 USDX' } } }),
  ])
  const troubled = wordsOf(await ada.get('/operator/payments'))
  expect(troubled).toContain(`No payment is sent: ${fault}.`)
  expect(troubled).toContain('Payments that wait: order 7: the allowance is too small by 3 USDX.')
  await backend.sql("select public.record_run('{}', false)")
  expect(wordsOf(await ada.get('/operator/payments'))).not.toContain('No payment is sent')

  const number = await insertOrder(backend, {
    ...{
      chain: 56,
      from: treasury,
      to: `0x${'9'.repeat(40)}`,
      token,
      amount: 50n * one,
      people: ['ada', 'ben'],
    },
  })
  await saw({ gas: '95' }, 40n * one)
  const overview = wordsOf(await ada.get('/operator'))
  expect(overview).toContain('has gas for 9 payments.')
  expect(overview).toContain('Orders that wait need 50 USDX. The allowance is too small by 10 USDX.')
  expect(overview).toContain('The wallet has too little: 49.99')
  await backend.sql('select private.move_order($1, $2)', [number, 'stopped'])
  await saw({}, 2n ** 256n - 1n)
  expect(wordsOf(await ada.get('/operator/payments'))).toContain('The allowance has no limit: set one.')
  await saw({}, 0n)

  const ask = (amount: string) => ada.get(`${page}?${new URLSearchParams({ of: 'treasury USDX', amount })}`)
  for (const [amount, says] of [
    ['', 'Enter an amount, such as 3000.'],
    [`${2n ** 256n - 1n}`, 'An allowance without limit is refused'],
    ['0.0000000000000000001', 'Enter an amount'],
    ['1,500', 'Is the separator a decimal point'],
  ] as const) {
    const refused = await ask(amount)
    expect(wordsOf(refused)).toContain(says)
    const field = documentOf(refused).querySelector('[name=amount]')
    expect([field?.getAttribute('value') ?? '', field?.getAttribute('aria-invalid')]).toEqual([
      amount,
      'true',
    ])
    expect(wordsOf(refused)).not.toContain('Download for Safe')
  }
  const warning = 'more than three times what one order may pay'
  expect(wordsOf(await ask('3000.5'))).toContain(warning)
  const shown = documentOf(await ask('3000'))
  expect(shown.querySelector('main')?.structuredText).not.toContain(warning)
  // The job reads it every five minutes.
  expect(wordsOf(await ask('3000'))).toMatch(/may be spent\..* Seen \d+ \w+ \d{4}, \d\d:\d\d UTC\./)
  const data = `0x095ea7b3${payer.slice(2).padStart(64, '0')}${(3000n * one).toString(16).padStart(64, '0')}`
  expect(shown.querySelector('main')?.structuredText).toContain(data)
  const button = shown.querySelector('[data-pay]')?.attributes ?? {}
  expect(button).toMatchObject({ 'data-approves': 'yes', 'data-units': `${3000n * one}`, 'data-chain': '56' })
  const link = shown.querySelector('main a[download]')?.getAttribute('href') ?? ''
  const file = JSON.parse((await ada.get(link)).html)
  expect(file).toMatchObject({
    chainId: '56',
    transactions: [
      { contractMethod: { name: 'approve' }, contractInputsValues: { amount: `${3000n * one}` } },
    ],
  })
  expect(`${file.transactions[0].contractInputsValues.spender}`.toLowerCase()).toBe(payer)
  expect((await ask('0')).html).toContain(`data-units="0"`)
  for (const path of [page, link]) expect((await member.get(path)).status).toBe(404)
})

test('the page of an act shows every value that becomes public before it is pressed, and asks the second operator what it asked the first', async () => {
  const { backend } = site
  const { i18n, formats } = createEnglish()
  // What the acts are about.
  await act(backend, 'statement', null, {
    ...statement,
    link: 'https://x.com/cz/status/9',
    captured: statement.posted,
  })
  await act(backend, 'update', null, { pool: 'education', text: 'Nine lamps.', dated: statement.posted })
  const [payment, text, numbered] = await Promise.all([
    backend.sql<{ subject: string }>(
      `select concat_ws('/', chain_id, tx_hash, ordinal) as subject from public.transactions order by id limit 1`,
    ),
    backend.sql<{ hash: string }>(`select hash from private.log_texts where text = 'Nine lamps.'`),
    backend.sql<{ number: number }>(
      `select max(number) as number from public.published_updates where pool_slug = 'education'`,
    ),
  ])
  const payee = actSamples.order.to ?? ''
  await nameByTwo(backend, payee, 'Riverside Landlord', ['ada', 'ben'])
  const token = `0x${'d'.repeat(40)}`
  await backend.sql('select public.store_payment_terms($1)', [
    JSON.stringify({
      ...{ chain_id: 56, notice_hours: 24, limit_tokens: 1000 },
      tokens: [{ symbol: 'USDX', address: token, decimals: 18 }],
      wallets: [{ account: 'treasury', address: `0x${'7'.repeat(40)}` }],
    }),
  ])
  const order = await insertOrder(backend, {
    ...{ chain: 56, from: `0x${'7'.repeat(40)}`, to: payee, token, amount: 25n * 10n ** 18n },
    people: ['ada', 'ben'],
  })
  const lost = await insertOrder(backend, {
    ...{ chain: 56, from: `0x${'7'.repeat(40)}`, to: payee, token, amount: 24n * 10n ** 18n },
    people: ['ada', 'ben'],
  })
  for (const state of ['sent', 'lost']) await backend.sql('select private.move_order($1, $2)', [lost, state])
  const rule = await prepare(ada, '/operator/new/standing-order', {
    ...{ rule: 'vote', token: 'USDX', order_limit: '500', month_limit: '800', purpose: 'Goals that win' },
    ends: new Date(Date.now() + 90 * 86_400_000).toISOString(),
  })
  await press(ada, rule, 'submit')
  await press(ben, rule, 'confirm')
  const [standing] = await backend.sql<{ id: string }>(
    `select max(id)::text as id from public.standing_orders`,
  )
  const owner = await signUp(backend, 'owner@example.org')
  const reader = await signUp(backend, 'reader@example.org')
  const submitted = await addGoal(backend, { member: owner.id, title: 'Coats for forty', isSubmitted: true })
  const open = await addGoal(backend, { title: 'Shoes for forty' })
  const complaint = 'I know the school, and it has closed.'
  expect(
    (await reader.client.rpc('complain', { goal: open.slug, reason: 'scam', words: complaint })).error,
  ).toBeNull()
  const frozen = await addGoal(backend, { title: 'Hats for forty' })
  await moveGoal(backend, frozen, 'open', { frozen: true, hidden: true })
  const ended = await addGoal(backend, { member: owner.id, title: 'Gloves for forty' })
  await addGift(backend, ended)
  await moveGoal(backend, ended, 'ended', { mover: 'member' })
  const report = 'Forty pairs arrived on Monday.'
  const posted = {
    goal: ended.id,
    words: report,
    links: 'https://school.example.org/gloves',
    is_report: true,
  }
  expect((await owner.client.rpc('post_goal_update', { ...posted, picture: null as never })).error).toBeNull()

  await backend.sql(
    `insert into private.waiting_updates (goal, words, is_report) values ($1, 'Goodblock pays the hats.', false)`,
    [open.id],
  )

  const { path, alt, width, height, ...facts } = pictureSample
  const caption = Object.values(facts)
  const goalTexts = ({ wallet }: { wallet: string }) => [
    ...['Riverside School', 'Education', 'Winter is cold, and forty children have no coat.'],
    ...['school.example.org/coats', 'Coats', '$600', 'Shoes', '$400', 'Target $1,000', wallet],
  ]
  const openGoal = { subject: open.slug, shows: ['Shoes for forty', ...goalTexts(open), complaint] }
  const submittedGoal = {
    subject: submitted.slug,
    shows: [
      ...['Coats for forty', ...goalTexts(submitted), 'in 30 days', 'Forty hooks without a coat'],
      ...['The member has proven it, it is not one of our wallets', 'at block 9'],
    ],
    pictures: [`/pictures/goals/${submitted.id}/${'1'.repeat(64)}.webp?small`],
  }
  const statementShown = {
    subject: 'https://x.com/cz/status/9',
    shows: ['CZ, 20 Nov 2025, 18:30 UTC', statement.text, statement.action, 'Read at its address'],
  }
  const paymentShown = {
    subject: payment[0]?.subject ?? '',
    shows: ['250,000 GIFT', `0x${'1'.repeat(40)}`, payee],
  }
  /** What the page shows beside the values of the act: what it is about, and who receives something. */
  const about: Record<ActKind, { subject?: string; shows?: (string | undefined)[]; pictures?: string[] }> = {
    statement: { subject: 'https://x.com/cz/status/9' },
    confirmation: statementShown,
    update: {
      subject: `education/${numbered[0]?.number}`,
      shows: ['Nine lamps.', alt, ...caption],
      pictures: [path],
    },
    purpose: paymentShown,
    value: { ...paymentShown, shows: [...paymentShown.shows, '250,000 GIFT × $612.5 = $153,125,000'] },
    reading: {},
    name: { subject: payee, shows: ['Riverside Landlord'] },
    withdrawal: { subject: text[0]?.hash ?? '', shows: ['Nine lamps.', text[0]?.hash] },
    operator: {},
    'operator-end': { subject: 'ada', shows: ['Operator since'] },
    introduction: {},
    holder: {},
    order: { shows: ['Riverside Landlord'] },
    stop: { subject: `${order}`, shows: ['Riverside Landlord', payee, '25 USDX', 'Rent'] },
    take: { subject: `${order}`, shows: ['Riverside Landlord', payee, '25 USDX', 'Rent'] },
    'order-end': {},
    'stop-reason': { subject: `${order}`, shows: ['Riverside Landlord', payee, '25 USDX', 'Rent'] },
    'payments-hold': {},
    'payments-release': {},
    'standing-order': { shows: ['Riverside Landlord'] },
    suspend: { subject: standing?.id ?? '', shows: ['Pays goals that win their vote', 'Goals that win'] },
    'payer-acceptance': {},
    'split-vote': {},
    redraw: { subject: openGoal.subject },
    'schedule-move': {},
    'goal-approval': submittedGoal,
    'goal-return': submittedGoal,
    'goal-rejection': submittedGoal,
    'goal-freeze': openGoal,
    'goal-release': { subject: frozen.slug, shows: ['Hats for forty', ...goalTexts(frozen)] },
    'goal-annulment': openGoal,
    'goal-update': { subject: open.slug, shows: ['Goodblock pays the hats.'] },
    'goal-report': {
      subject: ended.slug,
      shows: ['Gloves for forty', report, 'school.example.org/gloves', '$20 of $1,000 arrived'],
    },
    'complaint-dismissal': openGoal,
    'mistake-note': { subject: `payment/${lost}`, shows: ['A payment was lost', 'Rent'] },
    contact: {},
    'arrival-print': {},
    'answer-words': {},
    'answer-rejection': {},
  }
  const shownAs = ({ input, options = [] }: (typeof kinds)[number]['fields'][number], value: string) => {
    const option = options.find((each) => each.value === value)
    if (option) return [i18n._(option.label)]
    if (input === 'time') return [formats.instant(new Date(value))]
    const names = [
      'Education',
      'Humanitarian Relief',
      'Animal Welfare',
      'CZ Call',
      'FundMe winners',
      'Reserve',
    ]
    if (input === 'shares') return value.split(' ').map((share, at) => `${names[at]} ${share}%`)
    return value.split('\n')
  }
  const ticksOf = (page: Page, form: string) =>
    documentOf(page)
      .querySelectorAll('main form')
      .filter((each) => each.querySelector(`input[type=hidden]${form}`))
      .flatMap((each) => each.querySelectorAll('input[type=checkbox][required]'))
      .map((tick) => tick.getAttribute('name'))
  const kinds = (Object.keys(actKinds) as ActKind[])
    .filter((kind) => kind !== 'reading')
    .map((kind) => ({
      kind,
      fields: fieldsOfAct(kindOf(kind)),
      isTwo: needsTwo(kindOf(kind), actSamples[kind]),
    }))
  const asked: unknown[] = []
  const SUPABASE_SECRET_KEY = backend.secretKey
  const withGoals = await startSite(backend, { ...openVariables, SUPABASE_SECRET_KEY, PAGE_CACHE: 'off' })
  const presser = new Visitor(withGoals.url)
  for (const [name, value] of ben.jar) presser.jar.set(name, value)
  const check = async ({ kind, fields, isTwo }: (typeof kinds)[number]) => {
    const { subject = null, shows = [], pictures = [] } = about[kind]
    const { reason, ...values } = actSamples[kind]
    const [made] = await backend.sql<{ id: string }>(
      `insert into public.operator_acts (kind, subject, arguments, reason, version, by, state, submitted_at)
       values ($1, $2, $3, $4, 0, $5, $6, $7) returning id`,
      [
        ...[kind, subject, JSON.stringify(values), reason ?? null],
        ...(isTwo ? ['ada', 'waiting', '2026-01-01T00:00:00Z'] : ['ben', 'draft', null]),
      ],
    )
    const path = `/operator/acts/${made?.id}`
    const page = await presser.get(path)
    const words = wordsOf(page)
    const wanted = fields.flatMap((field) => shownAs(field, actSamples[kind][field.name] ?? ''))
    for (const sentence of [...shows, ...wanted]) expect(words, kind).toContain(sentence)
    const sources = documentOf(page).querySelectorAll('main img')
    expect(
      sources.map((image) => image.getAttribute('src')),
      kind,
    ).toEqual(expect.arrayContaining(pictures))
    const intent = isTwo ? 'confirm' : 'submit'
    expect(documentOf(page).querySelectorAll(`main input[value="${intent}"]`), kind).toHaveLength(1)
    if (!isTwo) return
    const first = await presser.get(isGoalKind(kind) ? `/operator/goals/${subject}` : `/operator/new/${kind}`)
    const ticks = ticksOf(first, isGoalKind(kind) ? `[value="${kind}"]` : '[name=act]')
    // Who proposes an order chooses its amount and its recipient. The second ticks both. Who proposes a photograph of a
    // person says who agreed. The second ticks that it shows no child.
    if (kind === 'order') ticks.push('is_amount', 'is_recipient')
    if (kind === 'update') ticks.push('no_child')
    expect(ticksOf(page, '[value=confirm]'), kind).toEqual(ticks)
    asked.push(...ticks)
    for (const tick of ticks) {
      const silent = await presser.post(path, {
        intent,
        ...Object.fromEntries(ticks.map((name) => [name, name === tick ? '' : 'yes'])),
      })
      expect([silent.status, wordsOf(silent)], `${tick}`).toEqual([400, expect.stringContaining('Say that')])
    }
  }
  await Promise.all(kinds.map(check))
  expect(asked.toSorted()).toEqual(['is_amount', 'is_recipient', 'no_child', 'speaks'])
  await withGoals.close()
})

test('an order with a wrong value, to oneself, or sent already is refused in words, and nothing typed is lost', async () => {
  const { backend } = site
  const [treasury, token] = [`0x${'7'.repeat(40)}`, `0x${'e'.repeat(40)}`]
  const [shop, bens] = [`0x${'3'.repeat(40)}`, `0x${'4'.repeat(40)}`]
  await backend.sql('select public.store_payment_terms($1)', [
    JSON.stringify({
      ...{ chain_id: 56, notice_hours: 24, limit_tokens: 1000 },
      tokens: [{ symbol: 'SIX', address: token, decimals: 6 }],
      wallets: [{ account: 'treasury', address: treasury }],
    }),
  ])
  await nameByTwo(backend, shop, 'Book Shop', ['ada', 'ben'])
  await nameByTwo(backend, bens, 'Bakery', ['ada', 'ben'])
  const bensGoal = await addGoal(backend, { member: benId })
  await backend.sql(
    `insert into public.proven_wallets (user_id, address, message, signature) values ($1, $2, 'm', '0x' || repeat('1', 130))`,
    [benId, bens],
  )
  const order = { from: 'treasury', to: shop, token: 'SIX', amount: '12.5', type: 'cost', purpose: 'Books' }
  const path = '/operator/new/order?from=treasury'
  // Refused by the form, or by the database when the act is submitted.
  for (const [changes, says] of [
    [{ to: `0x${'8'.repeat(40)}` }, 'Name this address first.'],
    [{ amount: '0' }, 'Amount must be more than zero.'],
    [{ amount: '0.00' }, 'Amount must be more than zero.'],
    [{ amount: '1000.000001' }, 'Amount may be at most 1000 SIX.'],
    [{ amount: '1.2345678' }, 'Amount may have at most 6 decimals.'],
    [{ amount: '1.1234567890123456789' }, 'Amount may have at most 18 decimals.'],
  ] as const) {
    const typed = { ...order, ...changes }
    const first = await ada.post(path, { ...hiddenOf(await ada.get(path)), ...typed })
    const act = first.location ?? `/operator/acts/${hiddenOf(first).act}`
    const page = first.location ? await ada.post(act, { intent: 'submit' }) : first
    expect([page.status, wordsOf(page)]).toEqual([400, expect.stringContaining(says)])
    const form = documentOf(
      first.location ? await ada.get(`/operator/new/order?act=${act.split('/').pop()}`) : first,
    )
    for (const [name, value] of Object.entries(typed))
      expect(
        form.querySelector(`main [name=${name}]${name === 'to' ? '[checked]' : ''}`)?.outerHTML,
        `${says} ${name}`,
      ).toContain(value)
    await press(ada, act, 'drop')
  }
  // A line of signs would be in nearly every post.
  const standing = '/operator/new/standing-order'
  const bare = await ada.post(standing, {
    ...{ ...hiddenOf(await ada.get(standing)), rule: 'call', token: 'SIX', words: 'clean water\n❤️❤️❤️' },
    ...{ order_limit: '5', month_limit: '5', purpose: 'Wells' },
    ends: new Date(Date.now() + 90 * 86_400_000).toISOString(),
  })
  expect([bare.status, wordsOf(bare)]).toEqual([
    400,
    expect.stringContaining('Each line needs a letter or a digit.'),
  ])
  await press(ada, `/operator/acts/${hiddenOf(bare).act}`, 'drop')
  // Before a rule is approved, its page shows which of the last posts of its source it would have answered.
  const feed = 'https://news.example/feed'
  await backend.sql('select public.claim_sources($1)', [JSON.stringify([feed])])
  const posts = ['Clean water!', 'Unclean waters', 'Books'].map((text) => postOf({ text, author: 'Nora' }))
  await readPosts(backend, feed, posts)
  const rule = await prepare(ada, standing, {
    ...{ rule: 'call', token: 'SIX', source: feed, words: 'clean water', to: shop, amount: '5', every: '7' },
    ...{ order_limit: '5', month_limit: '5', purpose: 'Wells' },
    ends: new Date(Date.now() + 90 * 86_400_000).toISOString(),
  })
  expect(wordsOf(await ada.get(rule))).toContain(
    `1 post of the last 3 of this source would have made an order. Nora on`,
  )
  expect((await ada.get(rule)).html).toContain(`href="${posts[0]?.url}"`)
  await press(ada, rule, 'drop')
  // Ben owns this wallet and this goal.
  for (const changes of [{ to: bens }, { to: bensGoal.wallet, type: 'dream' }]) {
    const act = await prepare(ada, path, { ...order, ...changes })
    await press(ada, act, 'submit')
    const own = await ben.post(act, { intent: 'confirm', is_amount: 'yes', is_recipient: 'yes' })
    expect(own.status).toBe(400)
    expect(wordsOf(own)).toContain('You cannot approve a payment to yourself.')
    await press(ada, act, 'drop')
    const mine = await prepare(ben, path, { ...order, ...changes })
    const refused = await ben.post(mine, { intent: 'submit' })
    expect([refused.status, wordsOf(refused)]).toEqual([
      400,
      expect.stringContaining('You cannot approve a payment to yourself.'),
    ])
    await press(ben, mine, 'drop')
  }
  // The order gets its nonce between the form and the button: it can no longer be stopped.
  const number = await insertOrder(backend, {
    ...{ chain: 56, from: treasury, to: shop, token, amount: 5n, people: ['ada', 'ben'] },
  })
  const stop = `/operator/payments/stop?order=${number}`
  expect(wordsOf(await ada.get(stop))).toContain('Stop payment of 0.000000000000000005 USDX to Book Shop now')
  await backend.sql("select private.move_order($1, 'sent')", [number])
  const late = await ada.post(stop, { order: `${number}` })
  expect([late.status, late.location, wordsOf(late)]).toEqual([303, stop, ''])
  expect(wordsOf(await ada.get(stop))).toContain('It can no longer be stopped.')
  await backend.sql("select private.move_order($1, 'failed')", [number])
  await backend.sql('delete from public.proven_wallets')
})

test('in generated sequences of presses, codes, Back and a second operator, an act is done exactly if the page said so', async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1e9)
  const random = drawFrom(seed)
  const draw = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T
  const shop = `0x${'3'.repeat(40)}`
  const order = { from: 'treasury', to: shop, token: 'SIX', amount: '2', type: 'cost' }
  const people = [
    { who: ada, id: adaId, codeAt: codeOfAda },
    { who: ben, id: benId, codeAt: codeOfBen },
  ] as const
  const reached = new Set<string>()
  const rounds = process.env.DEEP ? 200 : 4
  const isReached = () => reached.has('waiting') && reached.has('done')
  for (let round = 0; round < rounds || (round < 3 * rounds && !isReached()); round++) {
    const purpose = `Books of round ${round}`
    const kind = round % 2 === 0 ? 'order' : 'introduction'
    const act =
      kind === 'order'
        ? await prepare(ada, '/operator/new/order?from=treasury', { ...order, purpose })
        : await prepare(ada, '/operator/new/introduction', actSamples.introduction)
    const stateOf = async () => {
      const [found] = await site.backend.sql<{ state: string; entries: number; orders: number }>(
        `select state, (select count(*) from private.ledger_entries where kind = 'act' and row_id = number)::int as entries,
           (select count(*) from public.published_orders where purpose = $2)::int as orders
         from public.operator_acts where id = $1`,
        [act.split('/').pop(), purpose],
      )
      // The effect of an act exists exactly once after the act is done, and not before.
      const once = found?.state === 'done' ? 1 : 0
      expect([found?.entries, found?.orders], `SEED=${seed} round ${round}`).toEqual([
        once,
        kind === 'order' ? once : 0,
      ])
      return found?.state
    }
    const kept = new Map<Visitor, Page[]>()
    const steps = { draft: 0, waiting: 1, done: kindOf(kind).people }
    /** What an operator sends with a page that the browser still has: null without a button on it. */
    const pressOf = async ({ who, id, codeAt }: (typeof people)[number]) => {
      if (draw([true, false, false])) {
        await makeStale(site, who, id)
        // Minutes later, the app shows other codes.
        await site.backend.sql('delete from private.used_codes')
      }
      const pages = kept.get(who) ?? []
      kept.set(who, pages)
      if (pages.length === 0 || draw([true, false])) pages.push(await who.get(act))
      // Back: one of the last pages.
      const form = documentOf(draw(pages.slice(-3)))
        .querySelectorAll('main form')
        .find((each) => each.querySelector('[name=intent][value=submit], [name=intent][value=confirm]'))
      if (!form) return null
      const fieldsOfForm = Object.fromEntries(
        form
          .querySelectorAll('input[type=hidden]')
          .map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
      )
      const ticks = form
        .querySelectorAll('input[type=checkbox]')
        .map((tick) => tick.getAttribute('name') ?? '')
      const ticked = ticks.filter(() => draw([true, true, true, false]))
      const code = draw([codeAt(0), codeAt(0), codeAt(0), codeAt(-10), '000000', ''])
      const typed: Record<string, string> = {
        ...{ ...fieldsOfForm, ...Object.fromEntries(ticked.map((tick) => [tick, 'yes'])) },
        ...(form.querySelector('[name=code]') && { code }),
      }
      return { who, ticked, typed, pages }
    }
    for (let step = 0; step < 8; step++) {
      const one = draw(people)
      const first = await pressOf(one)
      if (!first) continue
      // At the same time, the other operator presses a button of a page too.
      const other = draw([false, false, true]) && (await pressOf(one === people[0] ? people[1] : people[0]))
      const sent = [...Array<typeof first>(draw([1, 1, 2])).fill(first), ...(other ? [other] : [])]
      const before = await stateOf()
      const answers = await Promise.all(
        sent.map(async (press) => ({ ...press, answer: await press.who.post(act, press.typed) })),
      )
      const after = await stateOf()
      reached.add(`${after}`)
      const where = `SEED=${seed} round ${round} step ${step} ${before} ${JSON.stringify(sent.map(({ typed }) => typed))}`
      const moves = steps[after as keyof typeof steps] - steps[before as keyof typeof steps]
      expect(answers.filter(({ answer }) => answer.status === 303).length, where).toBe(moves)
      for (const { who, ticked, typed, pages, answer } of answers) {
        const shown = answer.status === 303 ? await who.get(act) : answer
        pages.push(shown)
        const words = wordsOf(shown)
        const isSaid = /Done by|Already done by/.test(words)
        // The page of a refused press may be older than what the other operator did at the same time.
        if (other && answer.status !== 303)
          expect(isSaid && after !== 'done', `${where}: ${words}`).toBe(false)
        else {
          expect(isSaid, `${where}: ${words}`).toBe(after === 'done')
          if (after === 'done') expect(words, where).not.toContain('Nothing is done yet')
        }
        if (answer.status === 303 || after !== before) continue
        // What is still to be pressed has its ticks as they were.
        const again = documentOf(shown).querySelector(`main form:has([name=intent][value=${typed.intent}])`)
        for (const tick of again?.querySelectorAll('input[type=checkbox]') ?? [])
          expect(tick.hasAttribute('checked'), where).toBe(ticked.includes(tick.getAttribute('name') ?? ''))
      }
    }
    if (['draft', 'waiting'].includes(`${await stateOf()}`)) await press(ada, act, 'drop')
  }
  expect(reached).toContain('done')
  expect(reached).toContain('waiting')
})

test('one press without a code or a reason stops payments, an operator says why later, and the page says what was stopped', async () => {
  const { backend } = site
  const [treasury, token, shop] = ['7', 'e', '3'].map((digit) => `0x${digit.repeat(40)}`) as [
    string,
    string,
    string,
  ]
  const order = {
    chain: 56,
    decimals: 6,
    from: treasury,
    to: shop,
    token,
    amount: 1_200_000_000n,
    people: ['ada', 'ben'] as [string, string],
  }
  const numbers = [
    await insertOrder(backend, order),
    await insertOrder(backend, { ...order, amount: 5_500_000n }),
  ]
  // The page of operators shows them without a press: what for, how much, and until when they can be stopped.
  const overview = documentOf(await ada.get('/operator'))
  for (const fold of overview.querySelectorAll('main details')) fold.remove()
  const next = overview.querySelector('[aria-labelledby=queue-next]')?.structuredText.replace(/\s+/g, ' ')
  for (const words of [
    /^Coming next \d /,
    /Rent, 1,200 USDX ?Book Shop\. Due since [^.]* UTC\./,
    /Rent, 5\.5 USDX ?Book/,
  ])
    expect(next).toMatch(words)
  expect(next).toContain('An operator can stop each payment until it is sent.')
  await makeStale(site, ada, adaId)
  const all = await ada.get('/operator/payments/stop')
  for (const words of ['Stop payments', '$1,200 to Book Shop', '$5.50 to Book Shop'])
    expect(wordsOf(all)).toContain(words)
  const one = await ada.get(`/operator/payments/stop?order=${numbers[0]}`)
  expect(documentOf(one).querySelector('main form button')?.text).toBe(
    'Stop payment of $1,200 to Book Shop now',
  )
  expect(wordsOf(await ada.post('/operator/payments/stop', {}))).toContain('Tick the payments to stop.')
  // Two operators press at the same time, and one presses twice.
  const ticked = (who: Visitor) =>
    who.send('/operator/payments/stop', {
      method: 'POST',
      body: new URLSearchParams(numbers.map((number) => ['order', `${number}`])),
      headers: { Origin: site.url },
    })
  const presses = await Promise.all([ada, ben, ada].map(ticked))
  const [page = ''] = presses.map(({ location }) => location ?? '')
  expect(presses.map(({ status, location }) => [status, location])).toEqual(Array(3).fill([303, page]))
  const said = wordsOf(await ada.get(page))
  expect(said.match(/Stopped by (ada|ben) on [^.]* UTC\./g)).toHaveLength(2)
  const acts = await backend.sql(
    `select subject, number is not null as done from public.operator_acts where kind = 'stop' and subject = any ($1)`,
    [numbers.map(String)],
  )
  expect(acts).toHaveLength(2)
  // A reason is a second entry, once.
  const why = await prepare(ben, `/operator/new/stop-reason?subject=${numbers[0]}`, {
    reason: 'The shop has closed.',
  })
  const twice = await prepare(ben, `/operator/new/stop-reason?subject=${numbers[0]}`, {
    reason: 'The shop has moved.',
  })
  await press(ben, why, 'submit')
  expect(wordsOf(await ben.post(twice, { intent: 'submit' }))).toContain('This exists already.')
  await press(ben, twice, 'drop')
  expect(wordsOf(await ada.get(page))).toMatch(/Stopped by (ada|ben) on .*: The shop has closed\./)
  const [stopped] = await backend.sql(
    'select stop_reason, stop_reason_hash is not null as given from public.published_orders where id = $1',
    [numbers[0]],
  )
  expect(stopped).toEqual({ stop_reason: 'The shop has closed.', given: true })
  expect((await ticked(member)).status).toBe(404)
})

test('the list begins with payments that went wrong, however long ago, names recipients, and folds what needs nothing', async () => {
  const [treasury, token, shop] = ['7', 'e', '3'].map((digit) => `0x${digit.repeat(40)}`) as [
    string,
    string,
    string,
  ]
  // A list shows its ten oldest acts, and tests before leave more.
  await site.backend.sql(
    `update public.operator_acts set state = 'dropped', arguments = '{}', reason = null, final_at = now()
     where state in ('draft', 'waiting')`,
  )
  const number = await insertOrder(site.backend, {
    ...{ chain: 56, decimals: 6, from: treasury, to: shop, token, amount: 7_000_000n, hours: 60 * 24 },
    people: ['ada', 'ben'],
  })
  for (const state of ['sent', 'failed'])
    await site.backend.sql('select private.move_order($1, $2)', [number, state])
  const spending = transaction({
    ...{ type: 'spending', account: 'education', pool_slug: 'education', direction: 'out' },
  })
  await site.backend.sql('select public.append_ledger($1)', [JSON.stringify([spending])])
  const order = { from: 'treasury', to: shop, token: 'SIX', amount: '2', type: 'cost', purpose: 'Books' }
  const act = await prepare(ada, '/operator/new/order?from=treasury', order)
  await press(ada, act, 'submit')
  const page = await ben.get('/operator')
  const titles = documentOf(page)
    .querySelectorAll('main section h2 > span:first-child')
    .map(({ text }) => text)
  expect(titles[0]).toBe('Payments that went wrong')
  expect(titles).toContain('Wait for a second person')
  expect(titles.indexOf('Wait for a second person')).toBeLessThan(
    titles.indexOf('Spending without a purpose'),
  )
  expect(wordsOf(page)).toContain(`Order ${number}: `)
  expect(wordsOf(page)).toContain('Order a payment: $2 to Book Shop')
  const ofAda = documentOf(await ada.get('/operator'))
  expect(ofAda.querySelectorAll('main details section[aria-labelledby=queue-mine]')).toHaveLength(1)
  expect(ofAda.querySelectorAll('main details section[aria-labelledby=queue-wrong]')).toHaveLength(0)
  await press(ada, act, 'drop')
})

test('keeps the entered values after an invalid field, the end of the session, an expired factor check, and a backend fault', async () => {
  const path = '/operator/new/statement'
  const typed = { ...statement, link: 'https://x.com/cz/status/2', posted: 'yesterday, <b>' }
  const first = { ...hiddenOf(await ada.get(path)), ...typed }
  const drafts = () => site.backend.sql(`select from public.operator_acts where state = 'draft'`)
  const before = (await drafts()).length
  const twice = await Promise.all([0, 1].map(() => ada.post(path, first)))
  for (const page of twice) {
    expect(page.status).toBe(400)
    const field = documentOf(page).querySelector('[name=posted]')
    expect([field?.getAttribute('aria-invalid'), field?.getAttribute('value')]).toEqual([
      'true',
      typed.posted,
    ])
    expect(wordsOf(page)).toContain('Posted must be a UTC time like 2025-11-20T18:30:00Z.')
    expect(wordsOf(page)).toContain('Saved as a draft. Nothing is published yet.')
  }
  expect(await drafts()).toHaveLength(before + 1)

  const ended = await new Visitor(site.url).post(path, first)
  expect([ended.status, hiddenOf(ended)]).toEqual([401, expect.objectContaining(typed)])
  expect(documentOf(ended).querySelector('main a[target=_blank]')?.getAttribute('href')).toMatch(/^\/auth\?/)

  const proxy = await startFaultProxy(site.backend.url)
  const broken = await startSite({ url: proxy.url, publishableKey: site.backend.publishableKey })
  const there = new Visitor(broken.url)
  for (const [name, value] of ada.jar) there.jar.set(name, value)
  proxy.fault = '500'
  const down = await there.post(path, first)
  expect([down.status, hiddenOf(down)]).toEqual([503, expect.objectContaining(typed)])
  await broken.close()
  await proxy.close()

  const act = await prepare(ada, path, { ...first, posted: statement.posted })
  await makeStale(site, ada, adaId)
  await site.backend.sql('delete from private.used_codes')
  // The page asks for the code beside its button.
  expect(
    documentOf(await ada.get(act)).querySelectorAll('main form:has([name=intent][value=submit]) [name=code]'),
  ).toHaveLength(1)
  const stale = await ada.post(act, { intent: 'submit' })
  expect([stale.status, wordsOf(stale)]).toEqual([
    400,
    expect.stringContaining('Nothing is done yet. Enter the code from your app, and press the button again.'),
  ])
  const ofCode = { ...hiddenOf(await ada.get(act)), intent: 'submit' }
  const wrong = await ada.post(act, { ...ofCode, code: '000000' })
  const atField = documentOf(wrong).querySelector('[name=code]')
  expect([wrong.status, atField?.getAttribute('aria-invalid'), atField?.getAttribute('value')]).toEqual([
    ...[400, 'true', undefined],
  ])
  // A session that has ended keeps the press, and a session without the factor too, even after another device has ended it.
  for (const who of [new Visitor(site.url), weak, weak]) {
    if (who === weak)
      await site.backend.sql("delete from auth.sessions where user_id = $1 and aal is distinct from 'aal2'", [
        adaId,
      ])
    const page = await who.post(act, { intent: 'submit' })
    expect([page.status, hiddenOf(page)]).toEqual([401, { intent: 'submit' }])
  }
  // One press gives the code and does the act. A second press at the same time waits for the first one.
  const withCode = { ...ofCode, ...hiddenOf(wrong), intent: 'submit', code: codeOfAda(0) }
  const both = await Promise.all([0, 1].map(() => ada.post(act, withCode)))
  expect(both.map(({ status }) => status).sort()).toEqual([303, 409])
  expect(both.map(({ location }) => location).filter(Boolean)).toEqual([act])
  expect(both.map(wordsOf).join(' ')).toMatch(/Already done by ada, .* Done by ada/)
  expect(wordsOf(await ada.get(act))).toContain('Done by ada')
  // A page of before, minutes later: the press needs no code to say that the act is done.
  await makeStale(site, ada, adaId)
  const late = await ada.post(act, { intent: 'submit' })
  expect([late.status, wordsOf(late)]).toEqual([409, expect.stringContaining('Already done by ada, ')])
})

test('the picture of an update is never enlarged, and is refused if its type or its number of pixels is not allowed', async () => {
  const small = await sharp({ create: { width: 200, height: 120, channels: 3, background: '#00a' } })
    .png()
    .toBuffer()
  const saved = await sendPicture(ben, small)
  expect((await ben.get(saved.location ?? '')).html).toContain('width="200" height="120"')
  const wide = Buffer.from(small)
  wide.writeUInt32BE(40_000, 16)
  for (const [file, sentence] of [
    [wide, 'The limit is 12,000 pixels per side'],
    [Buffer.from('%PDF-1.7'), "This file isn't a JPEG"],
  ] as const) {
    const page = await sendPicture(ben, file)
    expect([page.status, wordsOf(page)]).toEqual([400, expect.stringContaining(sentence)])
    expect(wordsOf(page)).toContain('Saved as a draft. Nothing is published yet.')
    expect(documentOf(page).querySelector('[name=text]')?.textContent).toBe('Forty desks.')
  }
})

test('a photograph of 3 MB with a person is published by two operators, and its page says where and when, but not who agreed', async () => {
  const consent = 'Amina Yusuf, by a letter of 3 March 2025'
  const noise = randomBytes(2200 * 1500 * 3)
  const large = await sharp(noise, { raw: { width: 2200, height: 1500, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer()
  expect(large.length).toBeGreaterThan(3_000_000)
  const person = { picture_who: 'Amina, teacher', person: 'yes', consent }
  for (const [changes, says] of [
    [{ ...person, picture_where: '' }, 'Say where it was taken.'],
    [{ ...person, picture_when: '' }, 'Say when it was taken.'],
    [{ ...person, person: '' }, 'Say whether someone can be recognised.'],
    [{ ...person, consent: 'yes' }, 'Say who agreed, how and when.'],
    [{ ...person, person: 'no' }, 'Name only people who agreed.'],
  ] as const) {
    const page = await sendPicture(ada, await photograph(40, 30), changes)
    expect([page.status, wordsOf(page)], says).toEqual([400, expect.stringContaining(says)])
  }
  const path = (await sendPicture(ada, large, { ...person, text: 'A new teacher.' })).location ?? ''
  await press(ada, path, 'submit')
  expect((await ada.get('/voting/education')).html).not.toContain('A new teacher.')
  const proposed = wordsOf(await ben.get(path))
  expect(proposed).toContain(consent)
  const silent = await ben.post(path, { intent: 'confirm' })
  expect([silent.status, wordsOf(silent)]).toEqual([400, expect.stringContaining('no child')])
  expect((await ben.post(path, { intent: 'confirm', no_child: 'yes' })).status).toBe(303)
  const pool = await new Visitor(site.url).get('/voting/education')
  expect(wordsOf(pool)).toContain('Amina, teacher · Riverside · November 2025')
  expect(pool.html).not.toContain('Yusuf')
  // The operator who corrects the update sees who agreed.
  const [made] = await site.backend.sql<{ subject: string }>(
    'select subject from public.operator_acts order by number desc nulls last limit 1',
  )
  const form = documentOf(await ada.get(`/operator/new/update?subject=${made?.subject}`))
  expect(form.querySelector('[name=consent]')?.textContent).toBe(consent)
  expect(form.querySelector('[name=person] [selected]')?.getAttribute('value')).toBe('yes')
  // A person writes to the address of /contact: two operators withdraw the links of the update.
  expect(wordsOf(await new Visitor(site.url).get('/contact'))).toContain('A photograph of you:')
  const [links] = await site.backend.sql<{ hash: string }>(
    `select hash from private.log_texts where text like '%who=Amina%'`,
  )
  const withdrawal = await prepare(ada, `/operator/new/withdrawal?subject=${links?.hash}`, {
    reason: 'The person on it asked for it.',
  })
  await press(ada, withdrawal, 'submit')
  await press(ben, withdrawal, 'confirm')
  expect((await new Visitor(site.url).get('/voting/education')).html).not.toContain('Amina')
  expect(await site.backend.sql('select from private.photograph_consents')).toEqual([])
})

test('a form with several faults says each at its field, and begins its title with "Error:"', async () => {
  const path = '/operator/new/statement'
  const { act = '' } = hiddenOf(await ben.get(path))
  const page = await ben.post(path, { ...statement, act, link: 'x.com', posted: 'yesterday', tx: '0x12' })
  expect([page.status, page.html]).toEqual([
    400,
    expect.stringContaining('<title>Error: Publish a statement · Goodblock</title>'),
  ])
  const faulty = documentOf(page).querySelectorAll('[aria-invalid=true]')
  expect(faulty.map((each) => each.getAttribute('name'))).toEqual(['link', 'posted', 'tx'])
  expect(faulty.map((each) => each.getAttribute('value'))).toEqual(['x.com', 'yesterday', '0x12'])
  expect(faulty.map((each) => each.hasAttribute('autofocus'))).toEqual([true, false, false])
  await press(ben, `/operator/acts/${act}`, 'drop')
})

test('refuses requests that no form of the site sends, without an error page', async () => {
  const path = '/operator/new/name'
  const { act = '' } = hiddenOf(await ben.get(path))
  for (const [fields, sentence] of [
    [{ act, address: `0x${'1'.repeat(40)}`, name: 'a\u202eb' }, 'has a control or direction character'],
    [{ act: 'x', address: 'x'.repeat(100_000), name: 'Books' }, 'Nothing is saved yet.'],
    [
      { act, version: '-1', address: `0x${'1'.repeat(40)}`, name: 'Treasury' },
      'reads like one of our own wallets',
    ],
  ] as const) {
    const page = await ben.post(path, fields)
    expect([page.status, wordsOf(page)]).toEqual([400, expect.stringContaining(sentence)])
  }
  const form = new FormData()
  for (const name of ['name', 'name', '__proto__', 'constructor']) form.append(name, 'Books')
  form.append('address', new File(['x'], 'x.png'))
  const page = await ben.send(path, { method: 'POST', body: form, headers: { Origin: site.url } })
  expect([page.status, wordsOf(page)]).toEqual([400, expect.stringContaining('Wallet address is missing.')])
  expect((await ben.post(pages[3] as string, { intent: 'everything' })).status).toBe(400)
})

test('the job stores its results, and operators see them in plain words', async () => {
  const report = {
    faults: { 'endpoint 2': 'times out' },
    coins: { unexplained: ['1 BNB of 0x1'] },
    stopped: 'the blockchain was reorganised during the run',
  }
  await site.backend.sql('select public.record_run($1, true)', [JSON.stringify(report)])
  await site.backend.sql('select public.record_run($1, false)', [
    JSON.stringify({ stopped: 'x'.repeat(9_000) }),
  ])
  const [well, silent] = witnesses
  await site.backend.sql(
    `insert into private.log_witnesses (log, origin, witness, url, state, fault, alarm, alarm_at)
     select 'ledger', $1, witness, '', state, fault, alarm, case when alarm is not null then now() end
     from (values ($2, 'well', null, 'it saw another history'), ($3, 'fault', 'it could not be reached', null))
       as given (witness, state, fault, alarm)`,
    [`${new URL(site.url).host}/transparency/log`, well, silent],
  )
  const words = wordsOf(await ben.get('/operator'))
  for (const sentence of [
    'The job',
    'endpoint 2 times out.',
    'Coins not explained: 1 BNB of 0x1.',
    'Its last answer: it could not be reached.',
    ': it saw another history.',
    'Witness three.example: (in order) has not been asked yet.',
  ])
    expect(words).toContain(sentence)
  const [kept] = await site.backend.sql<{ size: number }>(
    'select max(octet_length(report::text))::int as size from private.last_runs',
  )
  expect(kept?.size).toBeLessThan(600)
})

test('after the role of an operator has ended or the factor has been removed, the next request is refused', async () => {
  const path = '/operator/new/name'
  const typed = { ...hiddenOf(await ben.get(path)), address: `0x${'2'.repeat(40)}`, name: 'Books' }
  const factors = await site.backend.sql<{ id: string }>(
    `update auth.mfa_factors set status = 'unverified'
     where user_id = (select member from public.operators where handle = 'ben') returning id`,
  )
  for (const page of [await ben.get('/operator'), await ben.get(path), await ben.get('/operator/acts')])
    expect([page.status, page.location]).toEqual([303, '/dashboard/account/factor'])
  const unsaved = await ben.post(path, typed)
  expect([unsaved.status, hiddenOf(unsaved)]).toEqual([401, typed])
  await site.backend.sql(`update auth.mfa_factors set status = 'verified' where id = $1`, [factors[0]?.id])
  expect((await ben.get('/operator')).status).toBe(200)

  await act(site.backend, 'operator-end', 'ben', {}, 'The year is over.')
  for (const page of [await ben.get('/operator'), await ben.get(path), await ben.post(path, typed)])
    expect(page.status).toBe(404)
  expect((await ben.get('/dashboard')).html).not.toContain('href="/operator"')
})
