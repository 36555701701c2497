/**
 * `npm run bench`: measures the production build in plain workerd on one machine, and compares the figures
 * with the aims (measurements.ts). Prints each figure and writes tests/bench/RESULTS.md. `--quick` makes
 * fewer and shorter repetitions, `--quick=ledger,votes` in these parts; `--only=start,sizes` runs these parts
 * and writes no file. Needs Linux, because it reads /proc.
 */
import { build } from '../../scripts/build.ts'
import { type Measure, runPart, writeResults } from './bench.ts'
import { measurePayments, measureVotes } from './growth.ts'
import { measureLedger } from './ledger.ts'
import type { Part } from './measurements.ts'
import { measurePaints } from './paints.ts'
import { measureDust } from './payer.ts'
import { measureScript, measureSizes, measureStart } from './sizes.ts'

const parts: { [P in Part]: Measure<P> } = {
  script: measureScript,
  paints: measurePaints,
  sizes: measureSizes,
  start: measureStart,
  votes: measureVotes,
  payments: async (bench) => {
    await measurePayments(bench)
    await measureDust(bench)
  },
  ledger: measureLedger,
}
const all = Object.keys(parts) as Part[]
const options: string[] = process.argv.slice(2)
const named = (option: string) =>
  options.flatMap((given) => given.match(`^${option}=(.*)$`)?.[1]?.split(',') ?? [])
const quick = options.includes('--quick') ? all : named('--quick')
const only = named('--only')
const unknown = [...quick, ...only].filter((name) => !all.some((part) => part === name))
if (unknown.length) throw new Error(`No part ${unknown}. The parts are ${all.join(', ')}.`)

// The signals cause an 'exit' event, whose handlers stop every workerd.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
await build()
for (const part of all)
  if (!only.length || only.includes(part))
    await runPart(part, parts[part] as Measure<Part>, quick.includes(part))
writeResults(only.length ? null : 'tests/bench/RESULTS.md', quick)
