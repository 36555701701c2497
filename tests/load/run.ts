/** `npm run load`: five minutes with 200 browsers; `npm run load -- 40 20`: 40 browsers for 20 seconds. */
import { runLoad } from './load.ts'

const [browsers = 200, seconds = 300] = process.argv.slice(2).map(Number)
const seed = Number(process.env.SEED ?? Date.now() % 1e9)
if (!(browsers >= 5 && browsers <= 1_000 && seconds >= 5 && seconds <= 3_600)) {
  console.error('npm run load -- [browsers, 5 to 1000] [seconds, 5 to 3600]')
  process.exit(1)
}
const { faulty, ...load } = await runLoad({ browsers, seconds, seed, faults: 0.01 })
console.log({ browsers, seconds, seed, ...load })
for (const fault of faulty) console.error(fault)
console.log(`${faulty.length ? 0 : 1} passed, ${faulty.length ? 1 : 0} failed, 0 skipped`)
process.exit(faulty.length ? 1 : 0)
