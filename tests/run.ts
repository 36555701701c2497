/**
 * `npm test`: installs the browser, runs the checks, builds, and runs the suites one after the other, without
 * the long runs (tests/deep.ts). Runs a failed test once more. The last line counts all tests; each check
 * (tests/checks.ts) and the build count as one test. `npm test -- cache` runs the checks and the build, then
 * the test files whose path contains `cache`.
 */
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { installBrowser } from '../scripts/browser.ts'
import { runChecks } from './checks.ts'
import { countPlaywright } from './support/browser-tally.ts'
import { postgresPrograms } from './support/postgres.ts'
import { run } from './support/process.ts'
import {
  add,
  addReport,
  type Counts,
  countVitest,
  end,
  remark,
  results,
  vitestReports,
} from './support/tally.ts'

const filters = process.argv.slice(2)

// Node keeps compiled modules in this folder: hundreds of the suites' processes load the same.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/node')

interface Suite {
  name: string
  /** The file with the results of the suite, as JSON. */
  file: string
  count: (report: never) => Counts
  command: [string, ...string[]]
}

async function runSuite({ name, file, count, command }: Suite): Promise<void> {
  console.log(`── ${name}`)
  rmSync(file, { force: true })
  const { succeeded } = await run([...command, ...filters])
  addReport(name, file, succeeded, count, { mayBeEmpty: filters.length > 0 })
}

installBrowser()
console.log('── checks')
for (const { name, passed } of await runChecks())
  add(name, { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 })

console.log('── build')
const { succeeded: built } = await run(['node', 'scripts/build.ts'])
add('build', { passed: built ? 1 : 0, failed: built ? 0 : 1, skipped: 0 })

const report = (name: string) => `${results}/${name}.json`
const vitest = (name: string, ...options: string[]): Pick<Suite, 'file' | 'count' | 'command'> => ({
  file: report(name),
  count: countVitest,
  command: ['vitest', 'run', '--retry=1', ...options, ...vitestReports(report(name))],
})

if (!postgresPrograms())
  remark('not run: the suites on PostgreSQL, which is not installed (apt-get install postgresql)')
const suites: Suite[] = [
  { name: 'all but the browser', ...vitest('vitest') },
  {
    name: 'end to end',
    file: report('e2e'),
    count: countPlaywright,
    command: ['playwright', 'test', '--retries=1', '--pass-with-no-tests'],
  },
]
// The suites run one after the other: together they would slow each other down until tests time out.
for (const suite of suites) await runSuite(suite)
end()
