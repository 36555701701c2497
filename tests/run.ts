/**
 * `npm test`: the browser that the tests need, then every check and suite, one after the other. Ends with one
 * line that counts them all. A check (format and lint, types, dead code, build) counts as one test.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { installBrowser } from '../scripts/browser.ts'
import { add, addReport, type Counts, countVitest, end, results, vitestReports } from './support/tally.ts'

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0
}

function check(name: string, command: string, ...args: string[]): void {
  console.log(`── ${name}`)
  const passed = run(command, ...args)
  add(name, { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 })
}

/** Runs a suite that writes its results as JSON. */
function suite(
  name: string,
  file: string,
  count: (report: never) => Counts,
  command: string,
  ...args: string[]
): void {
  console.log(`── ${name}`)
  rmSync(file, { force: true })
  addReport(name, file, run(command, ...args), count)
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

installBrowser()
check('format and lint', 'biome', 'ci', '--error-on-warnings')
check('types', 'tsc', '--noEmit')
check('dead code', 'knip')
check('build', 'remix', 'vite:build', '--logLevel', 'error')
const unitReport = `${results}/vitest.json`
suite('all but the browser', unitReport, countVitest, 'vitest', 'run', ...vitestReports(unitReport))
suite('end to end', `${results}/e2e.json`, countPlaywright, 'playwright', 'test')
end()
