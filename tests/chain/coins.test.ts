import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Project, startProject } from './project.ts'
import { catchUp, expectEqualToChain } from './truth.ts'

const bnb = 10n ** 18n

let project: Project
beforeAll(async () => {
  project = await startProject()
  await project.tell(61_234_000_000n) // 612.34 dollars for a coin
  await project.evm.mine(6)
  await catchUp(project)
})
afterAll(() => project.close())
afterEach(() => {
  for (const endpoint of project.endpoints) endpoint.fault = 'none'
})

const give = (value: bigint, to = project.who.treasury, from = project.who.stranger) =>
  project.evm.send(from, to.address, { value })

async function rowOf(hash: string) {
  return (await project.rows()).find(({ tx_hash }) => tx_hash === hash)
}

test('a gift of coins is found by the schedule once it is final, with the value of its price feed', async () => {
  const { evm, tick } = project
  const gift = await give(bnb / 2n)
  await evm.mine(4)
  expect(await tick()).not.toHaveProperty('coins')
  expect(await rowOf(gift.hash)).toBeUndefined()
  await evm.mine(1)
  expect(await tick()).toMatchObject({ level: 'info', added: 1, unvalued: 0, checked: { verified: 1 } })
  expect(await rowOf(gift.hash)).toMatchObject({
    ordinal: -1,
    token_address: null,
    account: 'treasury',
    type: 'gift',
    direction: 'in',
    amount_usd: '306.17',
    status: 'verified',
  })
  await expectEqualToChain(project)
})

test('two gifts in one block, a gift beside a payment, and a payment that fails: each is counted once', async () => {
  const { evm, who, pay, tick } = project
  await give(bnb)
  await give(2n * bnb)
  await give(3n * bnb, who.pool)
  await evm.mine(3)
  await give(bnb)
  const payment = await give(4n * bnb, who.pool, who.treasury)
  await pay(who.treasury, who.stranger, 10n ** 40n) // reverts, and costs gas
  await evm.mine(6)
  const run = await tick()
  expect(run).toMatchObject({ level: 'info', added: 5 })
  expect(run).not.toHaveProperty('coins')
  expect(await rowOf(payment.hash)).toMatchObject({
    account: 'treasury',
    counter_account: 'education',
    type: 'donation',
    direction: 'out',
    pool_slug: 'education',
  })
  await expectEqualToChain(project)
})

test('a transfer that the operator has added is not added again', async () => {
  const { evm, backend } = project
  const gift = await give(7n * bnb)
  await evm.mine(2)
  await backend.sql(
    `select public.append_ledger(jsonb_build_array(to_jsonb(facts) || jsonb_build_object(
       'tx_hash', $1::text, 'token_amount', $2::text, 'amount_usd', '1.00', 'rate_source', 'The operator')))
     from (select * from public.transactions where ordinal = -1 order by id limit 1) as facts`,
    [gift.hash, String(7n * bnb)],
  )
  await evm.mine(6)
  await catchUp(project)
  const rows = (await project.rows()).filter(({ tx_hash }) => tx_hash === gift.hash)
  expect(rows).toMatchObject([{ amount_usd: '1.00', rate_source: 'The operator' }])
})

test('coins that a contract moved are reported, and neither the block’s gift nor its token transfer is lost', async () => {
  const { evm, who, pay, tick } = project
  // A contract that gives its coins to the treasury while it is created: PUSH20 address, SELFDESTRUCT.
  await evm.send(who.stranger, null, {
    data: `0x73${who.treasury.address.slice(2)}ff` as `0x${string}`,
    value: 5n * bnb,
  })
  await give(bnb)
  await pay(who.stranger, who.treasury, bnb)
  await evm.mine(6)
  const run = await tick()
  expect(run).toMatchObject({ level: 'warn', added: 2 })
  expect(run.coins?.unexplained).toEqual([
    expect.stringMatching(
      new RegExp(
        `^${who.treasury.address.toLowerCase()}: block \\d+ changed it by ${6n * bnb} base units, ${5n * bnb} of them`,
      ),
    ),
  ])
  await expectEqualToChain(project)
  // It is said once.
  await evm.mine(1)
  expect(await tick()).not.toHaveProperty('coins')
})

test('endpoints without old state: the blocks of the last run are read as a whole', async () => {
  const { evm, endpoints, tick } = project
  for (const endpoint of endpoints) Object.assign(endpoint, { fault: 'refuses old state', kept: 5 })
  await give(bnb)
  await evm.mine(30)
  await give(2n * bnb)
  await evm.mine(30)
  const run = await tick()
  expect(run).toMatchObject({ level: 'info', added: 2 })
  await expectEqualToChain(project)
})

test('endpoints without old state after a long stop: the blocks are named, and later gifts are found', async () => {
  const { evm, who, endpoints, pay, tick } = project
  for (const endpoint of endpoints) Object.assign(endpoint, { fault: 'refuses old state', kept: 5 })
  const gift = await give(bnb)
  await evm.mine(260)
  await pay(who.stranger, who.treasury, bnb)
  await evm.mine(6)
  const run = await tick()
  expect(run).toMatchObject({ level: 'warn', added: 1 }) // the token transfer
  expect(run.coins?.unread).toEqual([
    expect.stringMatching(/^0x[0-9a-f]{40}: blocks \d+ to \d+ changed it by 1000000000000000000 base units$/),
  ])
  expect(await rowOf(gift.hash)).toBeUndefined()
  const next = await give(3n * bnb)
  await evm.mine(6)
  expect(await tick()).toMatchObject({ level: 'info', added: 1 })
  expect(await rowOf(next.hash)).toMatchObject({ status: 'verified' })
})
