import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { encodeDeployData, erc20Abi } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { proofStatement, writeMessage } from '../../app/wallet/message.server.ts'
import { type MailboxMessage, mailboxVariables } from '../../supabase/embedded/mailbox.ts'
import { temporaryFolder } from '../support/data-folder.ts'
import { act, addOperator } from '../support/operators.ts'
import { startSite } from '../support/site.ts'
import { signUp } from '../support/temporary-backend.ts'
import { documentOf, type Page, sessionCookie, Visitor } from '../support/visitor.ts'
import { contracts, dollars, startProject } from './project.ts'

const project = await startProject(1)
afterAll(() => project.close())
const { backend, evm, who, pay } = project
const site = await startSite(backend, {
  ...{ ...project.variables, ...mailboxVariables(backend.mailUrl) },
  ...{ FUNDME_OPEN: '1', PAGE_CACHE: 'off' },
})
afterAll(() => site.close())
const tick = () => project.tick(site)

/** A name that no earlier attempt of the test used. */
const newName = (name: string) => `${name}-${randomBytes(4).toString('hex')}`
const newEmail = (name: string) => `${newName(name)}@example.org`

/** A new member with a new wallet, which the member has proven. */
async function joinWithWallet(name: string) {
  const email = newEmail(name)
  const wallet = await evm.newAccount()
  const address = wallet.address.toLowerCase()
  const member = await signUp(backend, email)
  const forSite = { SITE_URL: site.url, WALLET_CHAIN_ID: 56 }
  const message = writeMessage(forSite, address, 'a1b2c3d4e5f6', Date.now(), proofStatement(member.id))
  const signature = await wallet.signMessage({ message })
  await member.client
    .from('proven_wallets')
    .insert({ user_id: member.id, address, message, signature })
    .throwOnError()
  return { wallet, address, member, email }
}

/** A submitted goal of a new member. */
async function submitGoal(name: string) {
  const { wallet, address, member, email } = await joinWithWallet(name)
  const draft = {
    ...{
      member: member.id,
      title: 'School coats',
      byline: 'A school',
      category: 'School',
      days: 7,
      wallet: address,
    },
    ...{ target_usd: 100, plan: [{ amount: '100', what: 'Coats' }], story: 'It is cold. '.repeat(5) },
  }
  const { data } = await member.client
    .from('goals')
    .insert(draft)
    .select('id,version')
    .single()
    .throwOnError()
  const { data: submitted } = await member.client
    .rpc('submit_goal', { goal: data?.id ?? '', version: data?.version ?? 0 })
    .throwOnError()
  return { wallet, email, id: data?.id ?? '', slug: (submitted as { slug: string }).slug }
}

async function read(slug: string) {
  const [row] = await backend.sql(
    `select stage, fault, (select received_usd::text from public.published_goals where slug = goals.slug) as received
     from public.goals where slug = $1`,
    [slug],
  )
  return row
}

/** Mines blocks until all rows are final, and returns the rows of the goal. */
async function settle(slug: string) {
  await evm.mine(8)
  await tick()
  await tick()
  return backend.sql<Record<'type' | 'usd' | 'sender' | 'status', string>>(
    `select type, amount_usd::text as usd, from_address as sender, status from public.published_goal_rows
     where goal = $1 order by id`,
    [slug],
  )
}

/** The text that a goal's page shows to everyone. */
const publicWords = async (slug: string) => wordsOf(await new Visitor(site.url).get(`/giveback/${slug}`))

test('a goal lists gifts in each followed token, from anyone and at any time, and states what the list omits', async () => {
  await project.tell(200_000_000n) // The price is 2 dollars for a coin.
  const goal = await submitGoal('tokens')
  await evm.mine(8)
  await tick()
  await act(backend, 'goal-approval', goal.slug, {})
  await pay(who.stranger, goal.wallet, 3n * 10n ** 9n, project.coin)
  const stray = await evm.deploy(
    who.stranger,
    encodeDeployData({ ...contracts.Token, args: ['Token', 'STRAY', 18] }),
  )
  await pay(who.stranger, goal.wallet, dollars(4), stray)
  await evm.send(who.stranger, goal.wallet.address, { value: 10n ** 17n })
  // A gift from a different wallet of the member counts like anyone else's gift.
  const own = await evm.newAccount()
  await backend.sql(
    `insert into public.proven_wallets (user_id, address, message, signature)
     select member, $2, 'm', '0x' || repeat('9', 130) from public.goals where id = $1`,
    [goal.id, own.address.toLowerCase()],
  )
  await pay(who.stranger, own, dollars(9))
  await evm.mine(1)
  await pay(own, goal.wallet, dollars(9))
  const facts = (rows: Awaited<ReturnType<typeof settle>>) =>
    rows.map(({ type, usd, sender }) => `${type} ${usd} ${sender}`).toSorted()
  const [stranger, member] = [who.stranger, own].map(({ address }) => address.toLowerCase())
  const gifts = [`goal-gift 6.00 ${stranger}`, `goal-gift 9.00 ${member}`]
  expect(facts(await settle(goal.slug))).toEqual(gifts)
  expect(await publicWords(goal.slug)).toContain('$15 of $100')
  expect(await publicWords(goal.slug)).toContain('BNB and other tokens are not counted.')
  expect(await publicWords(goal.slug)).not.toContain('arrived later')

  await backend.sql('update public.goals set ends_at = now() where slug = $1', [goal.slug])
  expect(await tick()).toMatchObject({ goalsEnded: 1 })
  // The chain's clock is ahead of the database's clock.
  await backend.sql(
    `update public.goals set ended_at = (select max(occurred_at) from public.published_goal_rows where goal = slug)
     where slug = $1`,
    [goal.slug],
  )
  await evm.mine(1)
  await pay(who.stranger, goal.wallet, dollars(2))
  expect(facts(await settle(goal.slug))).toEqual([`goal-gift 2.00 ${stranger}`, ...gifts])
  const ended = await publicWords(goal.slug)
  expect(ended).toContain('$17 of $100')
  expect(ended.match(/arrived later/g)).toHaveLength(1)
})

test('the job checks the wallet of a goal and finds each gift to it, even a gift before the approval', async () => {
  await pay(who.stranger, who.treasury, dollars(300))
  await evm.mine(10)
  const goal = await submitGoal('goal')
  expect(await tick()).toMatchObject({ goalsChecked: { submitted: 1 } })
  expect(await tick()).not.toHaveProperty('goalsChecked')

  const [stranger, treasury] = [who.stranger, who.treasury].map(({ address }) => address.toLowerCase())
  await pay(who.stranger, goal.wallet, dollars(5))
  await evm.mine(2)
  await tick()
  await act(backend, 'goal-approval', goal.slug, {})
  await pay(who.stranger, goal.wallet, dollars(20))
  await pay(who.treasury, goal.wallet, dollars(30))
  await evm.mine(1)
  await pay(goal.wallet, goal.wallet, dollars(1))
  await pay(goal.wallet, who.stranger, dollars(2))
  const gift = (usd: string) => ({ type: 'goal-gift', usd, sender: stranger, status: 'verified' })
  const found = await settle(goal.slug)
  expect(found).toHaveLength(3)
  expect(found).toEqual(
    expect.arrayContaining([
      gift('5.00'),
      gift('20.00'),
      { type: 'dream', usd: '30.00', sender: treasury, status: 'verified' },
    ]),
  )
  expect(await read(goal.slug)).toEqual({ stage: 'open', fault: null, received: '55.00' })
  const totals = await backend.sql(
    'select treasury_usd::text as treasury, received_usd::text as received from public.ledger_totals',
  )
  expect(totals).toEqual([{ treasury: '270.00', received: '300.00' }])

  const snapshot = await evm.control.snapshot()
  await pay(who.stranger, goal.wallet, dollars(7))
  await evm.mine(2)
  await tick()
  await evm.control.revert({ id: snapshot })
  await evm.mine(12)
  expect((await settle(goal.slug)).map(({ status }) => status)).toEqual([
    ...Array(3).fill('verified'),
    'reorganised',
  ])
  expect(await read(goal.slug)).toMatchObject({ received: '55.00' })

  await backend.sql('update public.goals set ends_at = now() where slug = $1', [goal.slug])
  expect(await tick()).toMatchObject({ goalsEnded: 1 })
  await pay(who.treasury, goal.wallet, dollars(3))
  expect(await settle(goal.slug)).toHaveLength(5)
})

test('a goal is returned if its wallet holds an accepted token or has sent something', async () => {
  const rich = await submitGoal('rich')
  await pay(who.treasury, rich.wallet, dollars(1))
  const used = await submitGoal('used')
  await evm.send(used.wallet, who.stranger.address, { value: 1n })
  await evm.mine(8)
  expect(await tick()).toMatchObject({ goalsChecked: { returned: 2 } })
  expect([await read(rich.slug), await read(used.slug)]).toEqual([
    { stage: 'returned', fault: 'holds', received: null },
    { stage: 'returned', fault: 'used', received: null },
  ])
})

test('while FundMe is closed, the scheduled work checks no goal', async () => {
  await submitGoal('waits')
  expect(await project.tick()).not.toHaveProperty('goalsChecked')
  expect(await tick()).toMatchObject({ goalsChecked: { submitted: 1 } })
})

async function visitorOf({ client }: Awaited<ReturnType<typeof signUp>>): Promise<Visitor> {
  const { data } = await client.auth.getSession()
  return new Visitor(site.url).carry(sessionCookie, data.session ?? {})
}

/** Sends the form for a decision with the hidden fields of the page. Returns the path of the act. */
async function decide(operator: Visitor, slug: string, kind: string, fields: Record<string, string> = {}) {
  const path = `/operator/goals/${slug}`
  const form = documentOf(await operator.get(path))
    .querySelectorAll('form')
    .find((each) => each.querySelector(`input[name="kind"][value="${kind}"]`))
  const hidden = ['kind', 'act', 'version'].map((name) => [
    name,
    form?.querySelector(`input[name="${name}"]`)?.getAttribute('value') ?? '',
  ])
  const { status, location } = await operator.post(path, { ...Object.fromEntries(hidden), ...fields })
  expect([kind, status]).toEqual([kind, 303])
  return location ?? ''
}

/** The subjects of all emails to an address, oldest first. */
async function subjectsTo(address: string): Promise<string[]> {
  const response = await fetch(`${backend.mailUrl}/messages.json`)
  const newestFirst = (await response.json()) as MailboxMessage[]
  return newestFirst
    .filter(({ to }) => to === address)
    .map(({ subject }) => subject)
    .toReversed()
}

const wordsOf = (page: Page) =>
  documentOf(page).querySelector('main')?.structuredText.replace(/\s+/g, ' ') ?? ''
const hiddenOf = (page: Page, name: string) =>
  documentOf(page).querySelector(`main input[name=${name}]`)?.getAttribute('value') ?? ''

/** The rows of a goal's wallet in a download or a query, as 'type amount status'. */
const amountsOf = (rows: Record<string, string>[], wallet: string) =>
  rows
    .filter(({ to_address }) => to_address === wallet)
    .map(({ type, amount_usd, status }) => `${type} ${amount_usd} ${status}`)
    .toSorted()

/** The rows of a CSV file without line breaks in its cells. */
function parseCsv(file: string): Record<string, string>[] {
  const cell = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g
  const cellsOf = (line: string) => [...line.matchAll(cell)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const [head = [], ...lines] = file.trim().split('\r\n').map(cellsOf)
  return lines.map((cells) => Object.fromEntries(head.map((column, at) => [column, cells[at] ?? ''])))
}

test('the pages of a goal work from the first draft to the accepted report', async () => {
  const email = newEmail('flow')
  const visitor = await visitorOf(await signUp(backend, email))
  const path = (await visitor.get('/dashboard/goals/new')).location?.replace('?new', '') ?? ''
  const member = hiddenOf(await visitor.get(`${path}?new`), 'member')
  const empty = {
    ...{ member, version: '', title: 'School coats', byline: '', category: '', target: '', days: '' },
    ...{ plan: '', story: '', links: '', picture_text: '', wallet: '' },
  }
  // An incomplete draft is saved, and the response redirects to the proof of a wallet.
  const saved = await visitor.post(`${path}?new`, { ...empty, next: 'wallets' })
  expect(saved.location).toMatch(/^\/dashboard\?goal=/)
  const wallet = await evm.newAccount()
  const address = wallet.address.toLowerCase()
  const { message } = JSON.parse((await visitor.get(`/dashboard/wallets?address=${wallet.address}`)).html)
  const proof = { message, signature: await wallet.signMessage({ message }) }
  const proven = await visitor.post('/dashboard/wallets', proof, { Referer: site.url + saved.location })
  expect(proven.location).toBe(`${path}?wallet=${wallet.address}#wallet`)

  // After the session has ended, the form keeps the entered values.
  const whole = {
    ...{ ...empty, version: '0', byline: 'A school', category: 'School', target: '100', days: '7' },
    ...{ plan: '100, Coats', story: 'It is cold in our school. '.repeat(3), wallet: address },
  }
  const lost = await new Visitor(site.url).post(path, whole)
  const kept = documentOf(lost).querySelectorAll('main form input[type=hidden], main form textarea')
  expect([lost.status, kept.map((field) => field.getAttribute('value') ?? field.textContent)]).toEqual([
    401,
    expect.arrayContaining([whole.story, address]),
  ])
  expect((await visitor.post(path, whole)).status).toBe(303)
  const submit = async () => {
    const version = hiddenOf(await visitor.get(`${path}/check`), 'version')
    const boxes = { may: 'yes', public: 'yes', report: 'yes' }
    expect((await visitor.post(`${path}/check`, { member, version, ...boxes })).location).toBe(path)
    await evm.mine(8)
    expect(await tick()).toMatchObject({ goalsChecked: { submitted: 1 } })
  }
  await submit()
  const [{ slug = '' } = {}] = await backend.sql<{ slug: string }>(
    'select slug from public.goals where wallet = $1',
    [address],
  )
  const ada = await visitorOf(await addOperator(backend, newName('ada')))
  const ben = await visitorOf(await addOperator(backend, newName('ben')))
  const reason = 'Please say who sews the coats.'
  const returned = await decide(ada, slug, 'goal-return', { reason })
  expect((await ada.post(returned, { intent: 'submit' })).status).toBe(303)
  await tick()
  expect(wordsOf(await visitor.get(path))).toContain(reason)
  await submit()
  const approval = await decide(ada, slug, 'goal-approval', { speaks: 'yes' })
  expect((await ada.post(approval, { intent: 'submit' })).status).toBe(303)
  // The second operator ticks the same box as the first.
  expect((await ben.post(approval, { intent: 'confirm' })).status).toBe(400)
  expect((await ada.post(approval, { intent: 'confirm', speaks: 'yes' })).status).toBe(409)
  expect((await ben.post(approval, { intent: 'confirm', speaks: 'yes' })).status).toBe(303)
  expect(await read(slug)).toMatchObject({ stage: 'open' })

  const giver = await evm.newAccount()
  await pay(who.treasury, giver, dollars(100))
  await evm.mine(1)
  await pay(giver, wallet, dollars(20))
  await pay(who.treasury, wallet, dollars(30))
  await settle(slug)
  const snapshot = await evm.control.snapshot()
  await pay(giver, wallet, dollars(7))
  await evm.mine(2)
  await tick()
  await evm.control.revert({ id: snapshot })
  await evm.mine(12)
  await settle(slug)

  // The page, the files, the database and the chain agree.
  const readPublicly = async () => wordsOf(await new Visitor(site.url).get(`/giveback/${slug}`))
  expect(await readPublicly()).toContain('$50 of $100')
  expect(await read(slug)).toMatchObject({ received: '50.00' })
  const amounts = ['dream 30.00 verified', 'goal-gift 20.00 verified', 'goal-gift 7.00 reorganised']
  const file = async (type: string) =>
    await (await fetch(`${site.url}/transparency.${type}?q=${address}`)).text()
  expect(amountsOf(JSON.parse(await file('json')).transactions, address)).toEqual(amounts)
  expect(amountsOf(parseCsv(await file('csv')), address)).toEqual(amounts)
  const stored = 'select to_address, type, amount_usd::text, status from public.published_goal_rows'
  expect(amountsOf(await backend.sql(stored), address)).toEqual(amounts)
  const balance = await evm.reader.readContract({
    ...{ address: project.dollar, abi: erc20Abi, functionName: 'balanceOf', args: [wallet.address] },
  })
  expect(balance).toBe(dollars(50))

  const end = { member, intent: 'end', reason: 'We have enough for all.' }
  expect((await visitor.post(path, end)).status).toBe(303)
  await tick()
  for (const days of [77, 91]) {
    const since = 'update public.goals set ended_at = now() - make_interval(days => $2) where slug = $1'
    await backend.sql(since, [slug, days])
    await tick()
  }
  expect(await readPublicly()).toContain('The report is overdue.')
  const report = { member, intent: 'update', text: 'All coats are bought.', links: '', picture_text: '' }
  expect((await visitor.post(path, { ...report, report: 'yes' })).status).toBe(303)
  const accepted = await decide(ben, slug, 'goal-report')
  expect((await ben.post(accepted, { intent: 'submit' })).status).toBe(303)
  expect(await read(slug)).toEqual({ stage: 'completed', fault: null, received: '50.00' })
  expect(await readPublicly()).toContain('All coats are bought.')

  const rejected = await submitGoal('rejected')
  await act(backend, 'goal-rejection', rejected.slug, {}, 'This is not for a school.')
  await tick()
  expect(await subjectsTo(rejected.email)).toEqual(['Your goal was not approved: School coats'])
  expect(await subjectsTo(email)).toEqual([
    'Your goal needs a change: School coats',
    'Your goal is open: School coats',
    'The first gift arrived: School coats',
    'Your goal has ended: School coats',
    expect.stringMatching(/^Your final report is due on .*: School coats$/),
    'Your final report is overdue: School coats',
  ])
  const folder = temporaryFolder()
  const remembered = `${folder.path}/kept.json`
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['public/verify-ledger.mjs', site.url, '--whole', '--remember', remembered],
  ])
  expect(stdout).toContain('Every entry of the export is in it')
  folder.remove()
})

test('while no endpoint responds, no goal is checked, and the pages of goals say how old the data is', async () => {
  const open = await submitGoal('away')
  await evm.mine(8)
  await tick()
  await act(backend, 'goal-approval', open.slug, {})
  const isBehind = async () => {
    const warning = documentOf(await new Visitor(site.url).get(`/giveback/${open.slug}`)).querySelector(
      '[data-late]',
    )
    return warning?.text.includes('This page is behind.') && !warning.hasAttribute('hidden')
  }
  const waiting = await submitGoal('unchecked')
  for (const endpoint of project.endpoints) endpoint.fault = 'dead'
  expect((await tick()).stopped).toBeDefined()
  const checks = 'select count(*)::int as count from private.goal_checks where goal = $1'
  expect(await backend.sql(checks, [waiting.id])).toEqual([{ count: 0 }])
  await expect(act(backend, 'goal-approval', waiting.slug, {})).rejects.toThrow('unchecked')
  // A check that is a day old is not sufficient for an approval either.
  const checked = await submitGoal('checked')
  await evm.mine(8)
  for (const endpoint of project.endpoints) endpoint.fault = 'none'
  await tick()
  for (const endpoint of project.endpoints) endpoint.fault = 'dead'
  await backend.sql(
    `update private.goal_checks set checked_at = checked_at - interval '1 day' where goal = $1`,
    [checked.id],
  )
  await backend.sql(`update private.ledger_scans set scanned_at = scanned_at - interval '1 day' where true`)
  await tick()
  await expect(act(backend, 'goal-approval', checked.slug, {})).rejects.toThrow('unchecked')
  for (const { slug } of [waiting, checked]) expect(await read(slug)).toMatchObject({ stage: 'submitted' })
  expect(await isBehind()).toBe(true)

  for (const endpoint of project.endpoints) endpoint.fault = 'none'
  await evm.mine(1)
  await tick()
  await act(backend, 'goal-approval', checked.slug, {})
  expect(await isBehind()).toBe(false)
})

test('with 200 open goals, the scheduled work makes at most ten more calls a minute than without goals, a further approval is refused, and an ended goal is skipped', async () => {
  const waiting = await submitGoal('last')
  await tick()
  await backend.sql(
    `insert into public.goals (stage, revision, slug, target_usd, days, wallet, opened_at, ends_at, ended_at, submitted_at)
     select stage, 1, 'goal-' || translate(lpad(place::text, 8, '0'), '0123456789', 'bcdfghjkmn'), 100, 30,
       '0x' || lpad(place::text, 40, 'f'), now(), now() + interval '1 day', ended_at, now()
     from generate_series(1, 201) as place, lateral (
       select case when place > 200 then 'ended' else 'open' end as stage, case when place > 200 then now() end as ended_at
     ) as stages`,
  )
  for (let number = 0; number < 9; number++) await submitGoal('waiting')
  const minute = async (run: typeof tick) => {
    await evm.mine(1)
    return (await run()).calls ?? 0
  }
  const calls = { without: await minute(() => project.tick()), with: await minute(tick) }
  console.log(
    `calls in a minute: ${calls.without} without goals, ${calls.with} with 200 open and 9 that wait`,
  )
  expect(calls.with - calls.without).toBeLessThanOrEqual(10)

  await expect(act(backend, 'goal-approval', waiting.slug, {})).rejects.toThrow('too_many_goals')
  const page = documentOf(await new Visitor(site.url).get('/giveback/goal-bbbbbdbc'))
  expect(page.querySelector('main')?.structuredText).toContain("This goal is closed: don't send more.")
})
