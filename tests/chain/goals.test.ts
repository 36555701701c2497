import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { proofStatement, writeMessage } from '../../app/wallet/message.server.ts'
import { temporaryFolder } from '../support/data-folder.ts'
import { act, addOperator } from '../support/operators.ts'
import { startSite } from '../support/site.ts'
import { signUp } from '../support/temporary-backend.ts'
import { documentOf, sessionCookie, Visitor } from '../support/visitor.ts'
import { dollars, startProject } from './project.ts'

const project = await startProject(1)
afterAll(() => project.close())
const { backend, evm, who, pay } = project
const site = await startSite(backend, { ...project.variables, FUNDME_OPEN: '1', PAGE_CACHE: 'off' })
afterAll(() => site.close())
const tick = () => project.tick(site)

/** A new member with a new wallet, which the member has proven. */
async function joinWithWallet(email: string) {
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
  return { wallet, address, member }
}

/** A submitted goal of a new member. */
async function submitGoal(email: string) {
  const { wallet, address, member } = await joinWithWallet(email)
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
  return { wallet, id: data?.id ?? '', slug: (submitted as { slug: string }).slug }
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

test('the job checks the wallet of a goal and finds each gift to it, even a gift before the approval', async () => {
  await pay(who.stranger, who.treasury, dollars(300))
  await evm.mine(10)
  const goal = await submitGoal('goal@example.org')
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
  const rich = await submitGoal('rich@example.org')
  await pay(who.treasury, rich.wallet, dollars(1))
  const used = await submitGoal('used@example.org')
  await evm.send(used.wallet, who.stranger.address, { value: 1n })
  await evm.mine(8)
  expect(await tick()).toMatchObject({ goalsChecked: { returned: 2 } })
  expect([await read(rich.slug), await read(used.slug)]).toEqual([
    { stage: 'returned', fault: 'holds', received: null },
    { stage: 'returned', fault: 'used', received: null },
  ])
})

test('while FundMe is closed, the schedule checks no goal', async () => {
  await submitGoal('waits@example.org')
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

test('the pages of a goal work from the first draft to the accepted report', async () => {
  const { wallet, address, member } = await joinWithWallet('flow@example.org')
  const visitor = await visitorOf(member)
  const id = randomUUID()
  const path = `/dashboard/goals/${id}`
  const empty = {
    ...{ member: member.id, version: '', title: 'School coats', byline: '', category: '', target: '' },
    ...{ days: '', plan: '', story: '', links: '', picture_text: '', wallet: '' },
  }
  const whole = {
    ...{ ...empty, byline: 'A school', category: 'School', target: '100', days: '7', plan: '100, Coats' },
    ...{ story: 'It is cold in our school. '.repeat(3), wallet: address },
  }
  // An incomplete draft is saved, and the end of a session loses nothing.
  expect((await visitor.post(path, empty)).status).toBe(303)
  const version = async () =>
    (await backend.sql<{ version: string }>('select version::text from public.goals where id = $1', [id]))[0]
      ?.version ?? ''
  const lost = await new Visitor(site.url).post(path, { ...whole, version: await version() })
  expect([lost.status, lost.html.includes('It is cold in our school.')]).toEqual([401, true])
  expect((await visitor.post(path, { ...whole, version: await version() })).status).toBe(303)
  const boxes = { may: 'yes', public: 'yes', report: 'yes' }
  const submitted = { member: member.id, version: await version(), ...boxes }
  expect((await visitor.post(`${path}/check`, submitted)).location).toBe(path)
  const [{ slug = '' } = {}] = await backend.sql<{ slug: string }>(
    'select slug from public.goals where id = $1',
    [id],
  )
  await evm.mine(8)
  expect(await tick()).toMatchObject({ goalsChecked: { submitted: 1 } })

  const ada = await visitorOf(await addOperator(backend, 'ada'))
  const ben = await visitorOf(await addOperator(backend, 'ben'))
  const approval = await decide(ada, slug, 'goal-approval', { speaks: 'yes' })
  expect((await ada.post(approval, { intent: 'submit' })).status).toBe(303)
  expect((await ada.post(approval, { intent: 'confirm' })).status).toBe(409)
  expect((await ben.post(approval, { intent: 'confirm' })).status).toBe(303)
  expect(await read(slug)).toMatchObject({ stage: 'open' })

  await pay(who.stranger, wallet, dollars(20))
  await pay(who.treasury, wallet, dollars(30))
  await settle(slug)
  const snapshot = await evm.control.snapshot()
  await pay(who.stranger, wallet, dollars(7))
  await evm.mine(2)
  await tick()
  await evm.control.revert({ id: snapshot })
  await evm.mine(12)
  await settle(slug)

  // The database, the files in JSON and CSV, and the chain agree.
  expect(await read(slug)).toMatchObject({ received: '50.00' })
  const file = async (name: string) =>
    await (await fetch(`${site.url}/transparency.${name}?q=${address}`)).text()
  const { rows } = JSON.parse(await file('json')) as {
    rows: { to_address: string; status: string; amount_usd: string }[]
  }
  const verified = rows.filter((row) => row.status === 'verified' && row.to_address === address)
  expect(verified.map(({ amount_usd }) => Number(amount_usd)).toSorted()).toEqual([20, 30])
  const lines = (await file('csv')).split('\n').filter((line) => line.includes(address))
  expect(lines.map((line) => line.includes('verified'))).toEqual(
    [...Array(3)]
      .map((_, at) => at !== 2)
      .toSorted()
      .reverse(),
  )
  const balance = await evm.control.request({
    method: 'eth_call',
    params: [{ to: project.dollar, data: `0x70a08231${address.slice(2).padStart(64, '0')}` }, 'latest'],
  } as never)
  expect(BigInt(balance as string)).toBe(dollars(50))

  const end = { member: member.id, intent: 'end', reason: 'We have enough for all.' }
  expect((await visitor.post(path, end)).status).toBe(303)
  const report = {
    member: member.id,
    intent: 'update',
    text: 'All coats are bought.',
    links: '',
    report: 'yes',
  }
  expect((await visitor.post(path, { ...report, picture_text: '' })).status).toBe(303)
  const accepted = await decide(ben, slug, 'goal-report')
  expect((await ben.post(accepted, { intent: 'submit' })).status).toBe(303)
  expect(await read(slug)).toEqual({ stage: 'completed', fault: null, received: '50.00' })

  await tick()
  const folder = temporaryFolder()
  const kept = `${folder.path}/kept.json`
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['public/verify-ledger.mjs', site.url, '--whole', '--remember', kept],
  ])
  expect(stdout).toContain('Every entry of the export is in it')
  folder.remove()
})
