import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { impactPools } from '../platform/impact-pools.ts'
import { divide, divisionOf, flowOf, sample } from './flow.ts'
import { MoneyFlow } from './money-flow.tsx'
import type { PoolTotals, Totals } from './totals.server.ts'

const seed = { seed: 20261121, numRuns: 500 }
const cents = fc.integer({ min: 0, max: 10 ** 13 })

/** Totals as the database computes them: the balance is the income minus the expenses. */
const ledgers = fc
  .record({
    sources: fc.tuple(cents, cents, cents, cents),
    spent: fc.tuple(cents, cents, cents, cents),
    pools: fc.array(fc.tuple(cents, cents, fc.double({ min: 0, max: 1, noNaN: true })), {
      minLength: impactPools.length,
      maxLength: impactPools.length,
    }),
  })
  .map(({ sources, spent, pools: made }) => {
    const all = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
    const [tax, gifts, otherIn, returned] = sources
    const [donatedElsewhere, dreamsFunded, costs, otherOut] = spent
    const pools = impactPools.map((pool, at) => {
      const [donations = 0, gifts = 0, part = 0] = made[at] ?? []
      const totalUsd = donations + gifts
      const spentUsd = Math.floor(totalUsd * part)
      return { ...pool, totals: { totalUsd, spentUsd, leftUsd: totalUsd - spentUsd } as PoolTotals }
    })
    const donations = all(made.map(([donation]) => donation))
    const poolGiftsUsd = all(made.map(([, gift]) => gift))
    const left = all(pools.map(({ totals: { leftUsd } }) => leftUsd))
    const totals = {
      poolGiftsUsd,
      donatedUsd: donations + poolGiftsUsd + donatedElsewhere,
      spentUsd: donations + poolGiftsUsd - left + donatedElsewhere,
      waitingUsd: left - Math.min(left, returned),
      taxUsd: tax,
      giftsUsd: gifts,
      otherInUsd: otherIn,
      returnedUsd: returned,
      donatedElsewhereUsd: donatedElsewhere,
      dreamsFundedUsd: dreamsFunded,
      costsUsd: costs,
      otherOutUsd: otherOut,
      treasuryUsd: all(sources) - all(spent) - donations,
    } as Totals
    return { totals, pools }
  })

test('sources and uses have the same sum for any ledger', () => {
  let drawn = 0
  fc.assert(
    fc.property(ledgers, ({ totals, pools }) => {
      const flow = flowOf(totals, pools)
      if (!flow)
        return (
          totals.treasuryUsd < 0 ||
          totals.taxUsd + totals.giftsUsd + totals.poolGiftsUsd + totals.otherInUsd + totals.returnedUsd === 0
        )
      drawn++
      const all = (parts: { amount: number }[]) => parts.reduce((total, { amount }) => total + amount, 0)
      const outside = flow.sources.filter(({ href }) => href !== '/transparency?type=move#history')
      expect(flow.moneyIn + flow.returned).toBe(flow.total)
      return (
        all(flow.sources) === flow.total && all(flow.uses) === flow.total && all(outside) === flow.moneyIn
      )
    }),
    seed,
  )
  expect(drawn).toBeGreaterThan(20)
})

test("the parts of 'Of every $50' add up to $50.00, and the parts of 'given' add up to the amount given, for any ledger", () => {
  let divided = 0
  fc.assert(
    fc.property(ledgers, ({ totals, pools }) => {
      const division = divisionOf(totals)
      if (!division) return flowOf(totals, pools) === null
      const { given, dreams, costs, otherPayments, treasury } = division
      const sums = (parts: { amount: number; share: number }[]) => [
        parts.reduce((all, { amount }) => all + amount, 0),
        parts.reduce((all, { share }) => all + share, 0),
      ]
      expect(sums([given, dreams, costs, otherPayments, treasury])).toEqual([division.total, sample])
      if (!given.parts) return given.amount === 0
      divided++
      const { spent, waiting, returned } = given.parts
      expect(sums([spent, waiting, returned])).toEqual([given.amount, given.share])
      return spent.amount === totals.spentUsd && waiting.amount === totals.waitingUsd
    }),
    seed,
  )
  expect(divided).toBeGreaterThan(20)
})

test('omits the breakdown of gifts if the pools spent money that was not given', () => {
  const totals = { taxUsd: 9, poolGiftsUsd: 0, giftsUsd: 0, otherInUsd: 0, returnedUsd: 0, donatedUsd: 4 }
  const rest = { dreamsFundedUsd: 0, costsUsd: 0, otherOutUsd: 0, treasuryUsd: 5 }
  const parts = (spentUsd: number, waitingUsd: number) =>
    divisionOf({ ...totals, ...rest, spentUsd, waitingUsd } as Totals)?.given.parts
  expect(parts(3, 1)).toMatchObject({ spent: { amount: 3 }, waiting: { amount: 1 }, returned: { amount: 0 } })
  expect(parts(3, 0)).toMatchObject({ returned: { amount: 1 } })
  expect(parts(3, 2)).toBeNull()
  expect(parts(5, -1)).toBeNull()
})

test('divides $50 in any proportions: the sum is $50.00, and each share differs from its exact value by less than a cent', () => {
  const amounts = fc.array(cents, { minLength: 1, maxLength: 12 }).filter((all) => all.some(Boolean))
  fc.assert(
    fc.property(amounts, (all) => {
      const shares = divide(5000, all)
      const total = all.reduce((a, b) => a + BigInt(b), 0n)
      const near = shares.every((share, at) => {
        const difference = BigInt(share) * total - 5000n * BigInt(all[at] ?? 0)
        return difference < total && difference > -total
      })
      return shares.reduce((a, b) => a + b, 0) === 5000 && near
    }),
    seed,
  )
})

test('draws no flow for an empty, unreadable or negative ledger', () => {
  const none = {
    taxUsd: 0,
    poolGiftsUsd: 0,
    donatedUsd: 0,
    giftsUsd: 0,
    otherInUsd: 0,
    returnedUsd: 0,
    treasuryUsd: 0,
    donatedElsewhereUsd: 0,
    dreamsFundedUsd: 0,
  }
  const pools = impactPools.map((pool) => ({ ...pool, totals: { totalUsd: 0, leftUsd: 0 } as PoolTotals }))
  expect(flowOf(null, pools)).toBeNull()
  expect(flowOf({ ...none, costsUsd: 0, otherOutUsd: 0 } as Totals, pools)).toBeNull()
  expect(
    flowOf({ ...none, taxUsd: 5, costsUsd: 9, otherOutUsd: 0, treasuryUsd: -4 } as Totals, pools),
  ).toBeNull()
  expect(
    flowOf({ ...none, taxUsd: 5, costsUsd: 0, otherOutUsd: 0, treasuryUsd: 5 } as Totals, []),
  ).not.toBeNull()
  expect(divisionOf(null)).toBeNull()
  expect(divisionOf({ ...none, costsUsd: 0, otherOutUsd: 0 } as Totals)).toBeNull()
})

test('labels bars with rounded amounts, hatches the bar for the remaining money, and lists exact amounts in a table', () => {
  const totals = {
    taxUsd: 900_000,
    giftsUsd: 60_000,
    poolGiftsUsd: 40_000,
    otherInUsd: 0,
    returnedUsd: 0,
    treasuryUsd: 333_333,
    donatedElsewhereUsd: 100_000,
    dreamsFundedUsd: 66_667,
    costsUsd: 0,
    otherOutUsd: 0,
  } as Totals
  const pools = impactPools.map((pool, at) => ({
    ...pool,
    totals: { totalUsd: [200_000, 200_000, 100_000][at], leftUsd: 50_000 } as PoolTotals,
  }))
  const flow = flowOf(totals, pools)
  if (!flow) throw new Error('no flow')
  const html = renderToStaticMarkup(<MoneyFlow flow={flow} />)
  for (const name of [
    'Trading tax',
    'Gifts',
    'In the treasury',
    'Dreams',
    ...pools.map(({ category }) => category),
  ])
    expect(html).toContain(name)
  expect(html).not.toContain('Costs')
  expect(html.match(/hue-hatched/g)).toHaveLength(pools.length + 1)
  expect(html).toContain('$3,333</span>')
  expect(html).toContain('<td>$3,333.33</td>')
})
