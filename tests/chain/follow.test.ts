import { afterAll, beforeAll, expect, test } from 'vitest'
import { dollars, type Project, startProject } from './project.ts'
import { catchUp, expectEqualToChain } from './truth.ts'

let project: Project
beforeAll(async () => {
  project = await startProject()
})
afterAll(() => project.close())

test('after a hundred transfers the ledger matches the chain, and every row has its value and its type', async () => {
  const { evm, who, pay, payMany, tell, tick } = project
  const { treasury, giver, pool, tax, dreamer, stranger } = who
  await tell(250_000_000n)
  for (const account of [treasury, giver, pool, tax]) {
    await pay(stranger, account, dollars(100_000))
    await pay(stranger, account, 10n ** 15n, project.coin)
  }
  await evm.mine()
  for (let i = 0; i < 13; i += 1) {
    await pay(tax, treasury, dollars(10 + i))
    await pay(treasury, pool, dollars(1) + BigInt(i))
    await pay(treasury, giver, dollars(2))
    await pay(giver, dreamer, dollars(3))
    await pay(treasury, stranger, 1_234_567_891n, project.coin)
    await payMany(stranger, [tax, treasury, pool, treasury], [1n, dollars(4), dollars(5), 0n])
    await pay(pool, stranger, dollars(1))
    await evm.mine(1 + (i % 3))
  }
  await evm.mine(10)

  const first = await tick()
  expect(first.faults).toEqual({})
  await catchUp(project)
  await expectEqualToChain(project)
  const rows = await project.rows()
  expect(rows.length).toBeGreaterThan(100)

  const between = (from: { address: string }, to: { address: string }) =>
    rows.find(
      (row) => row.from_address === from.address.toLowerCase() && row.to_address === to.address.toLowerCase(),
    )
  expect(between(tax, treasury)).toMatchObject({
    account: 'treasury',
    counter_account: null,
    type: 'tax',
    direction: 'in',
    amount_usd: '10.00',
  })
  expect(between(treasury, pool)).toMatchObject({
    account: 'treasury',
    counter_account: 'education',
    type: 'donation',
    direction: 'out',
    pool_slug: 'education',
    amount_usd: '1.00',
    rate_source: 'Stablecoin, one to one',
  })
  expect(between(stranger, pool)).toMatchObject({
    account: 'education',
    type: 'gift',
    direction: 'in',
    pool_slug: 'education',
    amount_usd: '100000.00',
  })
  expect(between(stranger, treasury)).toMatchObject({ type: 'gift', direction: 'in', pool_slug: null })
  expect(between(giver, dreamer)).toMatchObject({
    account: 'donation-wallet',
    type: 'dream',
    direction: 'out',
    amount_usd: '3.00',
  })
  expect(between(treasury, giver)).toMatchObject({
    account: 'treasury',
    counter_account: 'donation-wallet',
    type: 'move',
    direction: 'out',
    amount_usd: '2.00',
  })
  expect(between(pool, stranger)).toMatchObject({
    account: 'education',
    type: 'spending',
    direction: 'out',
    pool_slug: 'education',
    amount_usd: '1.00',
  })
  // 1.234567891 tokens at 2.5 dollars each.
  expect(between(treasury, stranger)).toMatchObject({ type: 'other', direction: 'out', amount_usd: '3.09' })
  expect(between(treasury, stranger)?.rate_source).toMatch(/^Price feed 0x[0-9a-f]{40} at block \d+$/)

  // At the start each of these four wallets received 100,000 dollars and coins worth 2,500,000 dollars.
  const totals = await project.backend.sql(
    `select treasury_usd::text, donated_usd::text, dreams_funded_usd::text, tax_usd::text, gifts_usd::text,
       other_out_usd::text, pending_count::int, unvalued_count::int from public.ledger_totals`,
  )
  expect(totals).toEqual([
    {
      treasury_usd: '5200167.83', // gifts + tax - 13 donations of 1 - dreams - 13 payments of 3.09
      // 13 donations of 1, and the gifts to the pool: 2,600,000 at the start, and 11 of 5. The other 2 of 5 came
      // back from the stranger, to whom the pool had paid as much.
      donated_usd: '2600068.00',
      dreams_funded_usd: '39.00',
      tax_usd: '208.00',
      gifts_usd: '5200052.00',
      other_out_usd: '40.17',
      pending_count: 0,
      unvalued_count: 0,
    },
  ])
  const pools = await project.backend.sql(
    `select total_usd::text, donations_usd::text, gifts_usd::text, spent_usd::text, left_usd::text
     from public.pool_totals where slug = 'education'`,
  )
  expect(pools).toEqual([
    {
      total_usd: '2600068.00',
      donations_usd: '13.00',
      gifts_usd: '2600055.00',
      spent_usd: '3.00', // 13 payments of 1, less the 10 that came back
      left_usd: '2600065.00',
    },
  ])
})

test('a run without new transfers adds nothing and reports no additions', async () => {
  const before = await project.rows()
  const run = await project.tick()
  expect(run).not.toHaveProperty('added')
  expect(run).not.toHaveProperty('stopped')
  expect(await project.rows()).toEqual(before)
})
