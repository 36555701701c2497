import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { impactPools } from '../impact-pools.ts'
import { divide, flowOf } from './flow.ts'
import { MoneyFlow } from './money-flow.tsx'
import type { PoolTotals, Totals } from './totals.server.ts'

const seed = { seed: 20261121, numRuns: 500 }
const cents = fc.integer({ min: 0, max: 10 ** 13 })

/** Totals as the database computes them: the balance is income minus expenses. */
const ledgers = fc
  .record({
    sources: fc.tuple(cents, cents, cents, cents),
    spent: fc.tuple(cents, cents, cents, cents),
    donations: fc.array(cents, { minLength: impactPools.length, maxLength: impactPools.length }),
  })
  .map(({ sources, spent, donations }) => {
    const [tax, gifts, otherIn, returned] = sources
    const [donatedElsewhere, dreamsFunded, costs, otherOut] = spent
    const all = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
    const totals = {
      taxUsd: tax,
      giftsUsd: gifts,
      otherInUsd: otherIn,
      returnedUsd: returned,
      donatedElsewhereUsd: donatedElsewhere,
      dreamsFundedUsd: dreamsFunded,
      costsUsd: costs,
      otherOutUsd: otherOut,
      treasuryUsd: all(sources) - all(spent) - all(donations),
    } as Totals
    const pools = impactPools.slice(0, 3).map((pool, at) => ({
      ...pool,
      totals: { donationsUsd: donations[at] } as PoolTotals,
    }))
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
          totals.taxUsd + totals.giftsUsd + totals.otherInUsd + totals.returnedUsd === 0
        )
      drawn++
      const all = (parts: { amount: number }[]) => parts.reduce((total, { amount }) => total + amount, 0)
      return all(flow.sources) === flow.total && all(flow.uses) === flow.total
    }),
    seed,
  )
  expect(drawn).toBeGreaterThan(20)
})

test('$50 divided in any proportions is $50.00, and no share is off by a cent or more', () => {
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

test('draws nothing for a ledger that is empty, unreadable or negative', () => {
  const none = {
    taxUsd: 0,
    giftsUsd: 0,
    otherInUsd: 0,
    returnedUsd: 0,
    treasuryUsd: 0,
    donatedElsewhereUsd: 0,
    dreamsFundedUsd: 0,
  }
  const pools = impactPools.map((pool) => ({ ...pool, totals: { donationsUsd: 0 } as PoolTotals }))
  expect(flowOf(null, pools)).toBeNull()
  expect(flowOf({ ...none, costsUsd: 0, otherOutUsd: 0 } as Totals, pools)).toBeNull()
  expect(
    flowOf({ ...none, taxUsd: 5, costsUsd: 9, otherOutUsd: 0, treasuryUsd: -4 } as Totals, pools),
  ).toBeNull()
  expect(
    flowOf({ ...none, taxUsd: 5, costsUsd: 0, otherOutUsd: 0, treasuryUsd: 5 } as Totals, []),
  ).not.toBeNull()
})

test('lists every part in the table beside the diagram, with shares that add up to $50', () => {
  const totals = {
    taxUsd: 900_000,
    giftsUsd: 100_000,
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
    totals: { donationsUsd: [200_000, 200_000, 100_000][at] } as PoolTotals,
  }))
  const flow = flowOf(totals, pools)
  if (!flow) throw new Error('no flow')
  const html = renderToStaticMarkup(<MoneyFlow flow={flow} />)
  for (const name of ['Tax', 'Gifts', 'In the treasury', 'Dreams', ...pools.map(({ category }) => category)])
    expect(html).toContain(name)
  expect(html).not.toContain('Costs')
  const shares = [...html.matchAll(/data-share="(\d+)"/g)].map(([, share]) => Number(share))
  expect(shares.reduce((a, b) => a + b, 0)).toBe(5000)
})
