/** Converts Playwright's results into a report on the browser tests against a project. */
import { readFileSync } from 'node:fs'
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter'

interface Result {
  file: string
  line: number
  title: string
  mode: string
  outcome: 'passed' | 'failed' | 'skipped'
  /** Why the test was skipped, or ''. */
  reason: string
}

/** What a test may use instead of the project, recognised in the test's source, with the reason. */
const exceptions = [
  {
    uses: /\bsites\.demo(Totals)?\b/,
    reason: 'the demonstration: the tests know its rows, and only operators can write a ledger',
  },
  { uses: /\bsites\.alone\b/, reason: 'no backend: the tests show pages while it is unavailable' },
  {
    uses: /\bstartTemporary\b/,
    reason:
      'an embedded backend of their own: the tests run commands of operators, which write to the ledger',
  },
  {
    uses: /\bstartProject\b/,
    reason: 'an embedded backend and a local chain: the tests send tokens, and the ledger job reads them',
  },
]

const unconfirming = {
  uses: /\bsites\.confirming(Mail)?\b/,
  reason: 'an embedded backend: no project with confirmations is named',
}

/** Prints the results by file and mode, and each test that did not run against the projects, with its reason. */
export function printReport(file: string, hasConfirming: boolean): void {
  const results = printCounts(file)
  for (const { uses, reason } of hasConfirming ? exceptions : [...exceptions, unconfirming])
    printTests(
      `used, wholly or in part, ${reason}`,
      results.filter((result) => uses.test(sourceOf(result, results))),
    )
  const skipped = results.filter(({ outcome }) => outcome === 'skipped')
  for (const reason of new Set(skipped.map(({ reason }) => reason)))
    printTests(
      `did not run: ${reason || 'no reason given'}`,
      skipped.filter((result) => result.reason === reason),
    )
}

/** Prints the results by file and mode, and returns them. */
export function printCounts(file: string): Result[] {
  const report = JSON.parse(readFileSync(file, 'utf8')) as JSONReport
  const results = report.suites.flatMap(resultsOf)
  console.log('\nBrowser tests, by file and mode:')
  for (const name of new Set(results.map(({ file }) => file))) {
    const own = results.filter(({ file }) => file === name)
    console.log(`  ${name}: ${countsOf(own, 'script')}; ${countsOf(own, 'no-script')}`)
  }
  return results
}

const outcomes = { expected: 'passed', flaky: 'passed', unexpected: 'failed', skipped: 'skipped' } as const

function resultsOf(suite: JSONReportSuite): Result[] {
  const own = suite.specs.flatMap(({ file, line, title, tests }) =>
    tests.map(({ projectName, status, annotations }): Result => {
      const reason = annotations.find(({ type }) => type === 'skip')?.description ?? ''
      return { file, line, title, mode: projectName, outcome: outcomes[status], reason }
    }),
  )
  return [...own, ...(suite.suites ?? []).flatMap(resultsOf)]
}

function countsOf(results: Result[], mode: string): string {
  const own = results.filter((result) => result.mode === mode)
  const count = (outcome: Result['outcome']) => own.filter((result) => result.outcome === outcome).length
  const counts = (['passed', 'failed', 'skipped'] as const)
    .map((outcome) => `${count(outcome)} ${outcome}`)
    .filter((text) => !text.startsWith('0 '))
  return `${mode === 'script' ? 'with' : 'without'} JavaScript ${counts.join(', ') || 'none'}`
}

/** Returns the source of a test, and the part of its file before the first test, for example hooks. */
function sourceOf({ file, line }: Result, results: Result[]): string {
  const lines = readFileSync(`tests/e2e/${file}`, 'utf8').split('\n')
  const starts = results
    .filter((result) => result.file === file)
    .map((result) => result.line)
    .toSorted((one, other) => one - other)
  const next = starts.find((start) => start > line) ?? lines.length + 1
  const before = lines.slice(0, (starts[0] ?? 1) - 1).filter((text) => !text.startsWith('import '))
  return [...before, ...lines.slice(line - 1, next - 1)].join('\n')
}

function printTests(heading: string, tests: Result[]): void {
  if (tests.length === 0) return
  console.log(`\n${tests.length} tests ${heading}`)
  const titles = new Set(tests.map(({ file, title }) => `  ${file}: ${title}`))
  for (const title of titles) console.log(title)
}
