/**
 * `npm run test:deep`: what `npm test` does a little of, in full. Each part draws a seed of its own, or all have
 * the one that SEED names. Ends with the counts of what was tried, and one line as `npm test` does.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { build } from '../scripts/build.ts'
import { addReport, countVitest, end, results, vitestReports } from './support/tally.ts'

const parts: [name: string, ...vitest: string[]][] = [
  ['100,000 generated inputs', '--project', 'properties'],
  ['24 hours of sessions', '--project', 'worker', 'tests/worker/day.test.ts'],
  ['200 kills in 1,000 writes', '--project', 'backend', 'tests/backend/crash.test.ts'],
  ['5 minutes of load', '--project', 'load'],
]
if (existsSync('tests/faults')) parts.push(['every fault everywhere', '--project', 'faults'])

/** Runs a part, prints what it prints, and keeps it. */
function run(args: string[], seed: number): Promise<{ succeeded: boolean; output: string }> {
  const env = { ...process.env, DEEP: '1', SEED: `${seed}` }
  const child = spawn('vitest', ['run', ...args], { stdio: ['inherit', 'pipe', 'inherit'], env })
  let output = ''
  child.stdout.on('data', (part) => {
    output += part
    process.stdout.write(part)
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ succeeded: code === 0, output })))
}

await build()
const summary: string[] = []
const asked: string[] = process.argv.slice(2)
for (const [name, ...args] of parts) {
  if (asked.length && !asked.some((words) => name.includes(words))) continue
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
  const report = `${results}/deep.json`
  const began = Date.now()
  console.log(`── ${name}, seed ${seed}`)
  rmSync(report, { force: true })
  const { succeeded, output } = await run([...args, '--testTimeout=3600000', ...vitestReports(report)], seed)
  const inputs = [...output.matchAll(/: (\d+) generated inputs/g)].reduce(
    (sum, [, some]) => sum + Number(some),
    0,
  )
  const seconds = Math.round((Date.now() - began) / 1000)
  summary.push(`${name}: seed ${seed}, ${inputs ? `${inputs} inputs, ` : ''}${seconds} s`)
  addReport(name, report, succeeded, countVitest)
}
for (const line of summary) console.log(line)
end()
