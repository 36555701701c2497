import { expect, test } from 'vitest'
import { runLoad } from './load.ts'

const deep = process.env.DEEP === '1'
const seed = Number(process.env.SEED ?? 20261121)
// A short run makes few calls: if only one call in a hundred failed, the run might have no failed call.
const order = deep
  ? { browsers: 200, seconds: 300, seed, faults: 0.01 }
  : { browsers: 40, seconds: 4, seed, faults: 0.05 }

test(
  `every response is correct with ${order.browsers} browsers for ${order.seconds} seconds while ${order.faults * 100}% of the calls fail`,
  async () => {
    const { faulty, ...load } = await runLoad(order)
    console.log('load:', order, load)
    expect(faulty).toEqual([])
    expect(load.faults).toBeGreaterThan(0)
    expect(load.edits).toBeGreaterThan(0)
    expect(load.signIns).toBeGreaterThan(0)
  },
  (order.seconds + 120) * 1000,
)
