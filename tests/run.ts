/**
 * `npm test`: the browser that the tests need, then every check and suite, one after the other. Ends with one
 * line that counts them all. A check (format and lint, types, dead code, build) counts as one test.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { installBrowser } from '../scripts/browser.ts'

interface Counts {
  passed: number
  failed: number
  skipped: number
}

const results = 'test-results'
const total: Counts = { passed: 0, failed: 0, skipped: 0 }

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0
}

function add(name: string, counts: Counts): void {
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key]
}

function check(name: string, command: string, ...args: string[]): void {
  console.log(`── ${name}`)
  const passed = run(command, ...args)
  add(name, { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 })
}

/** Runs a suite that writes its results as JSON. A runner that fails without a failed test counts as one. */
function suite(
  name: string,
  file: string,
  count: (report: never) => Counts,
  command: string,
  ...args: string[]
): void {
  console.log(`── ${name}`)
  rmSync(file, { force: true })
  const succeeded = run(command, ...args)
  const counts = existsSync(file)
    ? count(JSON.parse(readFileSync(file, 'utf8')) as never)
    : { passed: 0, failed: 0, skipped: 0 }
  if ((!succeeded && counts.failed === 0) || counts.passed === 0) counts.failed += 1
  add(name, counts)
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
}

function countVitest(report: VitestReport): Counts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites: PlaywrightSuite[]
}
interface PlaywrightSuite {
  title: string
  file: string
  specs: { title: string; tests: { projectName: string }[] }[]
  suites?: PlaywrightSuite[]
}

function countPlaywright({ stats, suites }: PlaywrightReport): Counts {
  const specs = (
    list: PlaywrightSuite[],
  ): { file: string; suite: string; title: string; project: string }[] =>
    list.flatMap(({ title: suite, file, specs: own, suites: inner = [] }) => [
      ...own.flatMap(({ title, tests }) =>
        tests.map(({ projectName }) => ({ file, suite, title, project: projectName })),
      ),
      ...specs(inner),
    ])
  const all = specs(suites)
  const inMode = (mode: string) => all.filter(({ project }) => project === mode)
  console.log(
    `with JavaScript: ${inMode('script').length}, without: ${inMode('no-script').length}. With it only:`,
  )
  for (const { file, suite, title } of inMode('script').filter(({ file }) =>
    file.endsWith('.script.spec.ts'),
  ))
    console.log(`  ${file} › ${suite} › ${title}`)
  if (stats.flaky) console.log(`${stats.flaky} passed at the second try: look for 'flaky' above`)
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
}

mkdirSync(results, { recursive: true })
installBrowser()
check('format and lint', 'biome', 'ci', '--error-on-warnings')
check('types', 'tsc', '--noEmit')
check('dead code', 'knip')
check('build', 'remix', 'vite:build', '--logLevel', 'error')
const unitReport = `${results}/vitest.json`
suite(
  'unit, policies, backend, worker',
  unitReport,
  countVitest,
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${unitReport}`,
)
suite('end to end', `${results}/e2e.json`, countPlaywright, 'playwright', 'test')

console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.failed > 0 ? 1 : 0)
