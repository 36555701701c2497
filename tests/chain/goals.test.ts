import { afterAll, expect, test } from 'vitest'
import { proofStatement, writeMessage } from '../../app/wallet/message.server.ts'
import { act } from '../support/operators.ts'
import { startSite } from '../support/site.ts'
import { signUp } from '../support/temporary-backend.ts'
import { dollars, startProject } from './project.ts'

const project = await startProject(1)
afterAll(() => project.close())
const { backend, evm, who, pay } = project
const site = await startSite(backend, { ...project.variables, FUNDME_OPEN: '1' })
afterAll(() => site.close())
const tick = () => project.tick(site)

/** A submitted goal of a new member with a new wallet, which the member has proven. */
async function submitGoal(email: string) {
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

/** Mines until all rows are final, and returns those of the goal. */
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

test('a wallet is checked, and each gift to it is found, also one before the approval', async () => {
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

test('a wallet that holds an accepted token, or has sent something, returns the goal', async () => {
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

test('without the switch the schedule checks no goal', async () => {
  await submitGoal('waits@example.org')
  expect(await project.tick()).not.toHaveProperty('goalsChecked')
  expect(await tick()).toMatchObject({ goalsChecked: { submitted: 1 } })
})
