/**
 * `npm run bench`: measures the production build in plain workerd on one machine against its aims. Prints each figure
 * and writes tests/bench/RESULTS.md. `--quick` has fewer and shorter repetitions; `--only=travel,sizes` runs
 * parts and writes no file. Needs Linux, because it reads /proc.
 */
import { build } from '../../scripts/build.ts'
import { measureAppends } from './appends.ts'
import { measureBrowser } from './browser.ts'
import { measureHeld } from './held.ts'
import { measureLedger } from './ledger.ts'
import { measureLive } from './live.ts'
import { measurePaints } from './paints.ts'
import { figures, writeResults } from './report.ts'
import { measureSizes } from './sizes.ts'
import { measureThroughput } from './throughput.ts'
import { measureTravel } from './travel.ts'

const options: string[] = process.argv.slice(2)
const quick = options.includes('--quick')
const only = options
  .find((option) => option.startsWith('--only='))
  ?.slice(7)
  .split(',')
const parts = {
  throughput: measureThroughput,
  travel: measureTravel,
  browser: measureBrowser,
  paints: measurePaints,
  sizes: measureSizes,
  held: measureHeld,
  appends: measureAppends,
  live: measureLive,
  ledger: measureLedger,
}

// Ends through 'exit', whose handlers stop every workerd.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
await build()
for (const [name, measure] of Object.entries(parts)) {
  if (only && !only.includes(name)) continue
  const startedAt = performance.now()
  await measure(quick)
  console.log(`     (${name}: ${Math.round((performance.now() - startedAt) / 1000)} s)`)
}
if (!only) writeResults(quick)
console.log(`${figures.filter(({ reached }) => reached === false).length} of ${figures.length} not reached`)
