/**
 * `npm run test:deep`: runs in full what `npm test` runs in part, and measures response times. Parameters
 * select parts by words in the names of the parts. Each part draws its own seed; SEED sets one seed for all
 * parts. At the end the command prints the seed, the number of generated inputs and the time of each part,
 * and the same last line as `npm test`.
 */
import { randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { installBrowser } from '../scripts/browser.ts'
import { build } from '../scripts/build.ts'
import { countPlaywright } from './support/browser-tally.ts'
import { postgresPrograms } from './support/postgres.ts'
import { run } from './support/process.ts'
import { addReport, countVitest, end, remark, results, vitestReports } from './support/tally.ts'

/** The arguments of vitest, or of Playwright for the part in the browser. */
const parts: [name: string, ...args: string[]][] = [
  ['100,000 generated inputs', 'tests/properties/'],
  ['24 hours of sessions', 'tests/worker/day.test.ts'],
  ['2,000 visitors in turn', 'tests/worker/composed-pages.test.ts'],
  ['2,000 requests in turn in every language', 'tests/worker/languages.test.ts'],
  ['10,000 rows on all their pages', 'tests/worker/exports.test.ts'],
  ['two pages of each kind', 'tests/worker/all-pages.test.ts'],
  ['1,500 mixtures of transfers', 'tests/backend/figures.test.ts'],
  ['200 kills in 1,000 writes', 'tests/backend/crash.test.ts'],
  ['40 kills of 20 writers', 'tests/backend/log-crash.test.ts'],
  ['30 kills between acts', 'tests/backend/acts.test.ts'],
  ['200 kills while goals move', 'tests/backend/goal-crash.test.ts'],
  ['20,000 walks of goals', 'tests/policies/goals.test.ts'],
  ['200 kills of a witness', 'tests/backend/witness.test.ts'],
  ['5 minutes of load', 'tests/load/'],
  ['10,000 histories of ballots, and 20,000 ballots at once', 'tests/backend/votes.test.ts'],
  ['20,000 histories of payments', 'tests/backend/payment-histories.test.ts'],
  ['anchors under every fault', 'tests/chain/anchors.test.ts'],
  ['every fault everywhere', 'tests/faults/'],
  ['200 response times each', 'tests/deep/timing.test.ts'],
  ['500 kills while 200 orders are paid', 'tests/deep/payer-kills.test.ts'],
  ['all suites on PGlite', 'tests/policies/', 'tests/backend/', 'tests/worker/', 'tests/chain/'],
  ['200 seeds of an extension in the browser', 'extensions.script.spec.ts'],
  ['without JavaScript in the browser', '--project=no-script'],
  ['faults in the browser', 'faults.spec.ts', 'sessions.spec.ts', 'email.spec.ts'],
]
if (!postgresPrograms())
  remark('not run: the suites on PostgreSQL, which is not installed (apt-get install postgresql)')

await build()
const summary: string[] = []
const asked: string[] = process.argv.slice(2)
for (const [name, ...args] of parts) {
  if (asked.length && !asked.some((words) => name.includes(words))) continue
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
  const inBrowser = name.endsWith('in the browser')
  // The other parts run on PostgreSQL. On PGlite each suite runs as in `npm test`.
  const env: Record<string, string> = name.endsWith('on PGlite') ? { TEST_DATABASE: 'pglite' } : { DEEP: '1' }
  const report = `${results}/${inBrowser ? 'e2e' : 'deep'}.json`
  const began = Date.now()
  console.log(`── ${name}, seed ${seed}`)
  rmSync(report, { force: true })
  if (inBrowser) installBrowser()
  const { succeeded, output } = await run(
    inBrowser
      ? ['playwright', 'test', ...args]
      : ['vitest', 'run', ...args, '--testTimeout=3600000', ...vitestReports(report)],
    { env: { ...env, SEED: `${seed}` } },
  )
  const inputs = [...output.matchAll(/: (\d+) generated inputs/g)].reduce(
    (sum, [, some]) => sum + Number(some),
    0,
  )
  const seconds = Math.round((Date.now() - began) / 1000)
  summary.push(`${name}: seed ${seed}, ${inputs ? `${inputs} inputs, ` : ''}${seconds} s`)
  addReport(name, report, succeeded, inBrowser ? countPlaywright : countVitest)
}
for (const line of summary) console.log(line)
end()
