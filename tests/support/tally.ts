/** Counts the tests of `npm test` and `npm run test:deep`, and prints their last line. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** The folder for the reports of the suites. */
export const results = 'test-results'
mkdirSync(results, { recursive: true })

const total: Counts = { passed: 0, failed: 0, skipped: 0 }

export function add(name: string, counts: Counts): void {
  console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key]
}

const remarks: string[] = []

/** Stores a line that is printed just before the last line. */
export function remark(line: string): void {
  remarks.push(line)
}

/**
 * Adds the counts from the report of a suite. A runner that fails without a failed test counts as one failed
 * test. Unless `mayBeEmpty` is set, a suite without a passed test also counts as one failed test.
 */
export function addReport(
  name: string,
  file: string,
  succeeded: boolean,
  count: (report: never) => Counts,
  { mayBeEmpty = false } = {},
): void {
  const counts = existsSync(file)
    ? count(JSON.parse(readFileSync(file, 'utf8')) as never)
    : { passed: 0, failed: 0, skipped: 0 }
  if (counts.failed === 0 && (!succeeded || (counts.passed === 0 && !mayBeEmpty))) counts.failed += 1
  add(name, counts)
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

/** Counts the tests in a vitest report, and names each test that failed, was skipped or needed its retry. */
export function countVitest(report: VitestReport): Counts {
  for (const { name: file, message, assertionResults } of report.testResults) {
    const where = relative('.', file)
    if (message) remark(`failed: ${where}: ${firstLine(message)}`)
    for (const { fullName, status, failureMessages } of assertionResults) {
      const [reason] = failureMessages
      if (status === 'failed') remark(`failed: ${where} › ${fullName}: ${firstLine(reason)}`)
      else if (reason) remark(`needed a retry: ${where} › ${fullName}: ${firstLine(reason)}`)
      else if (status !== 'passed') remark(`skipped: ${where} › ${fullName}`)
    }
  }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }
}

/** Returns the first line of an error's text, at most 200 characters. */
function firstLine(text = ''): string {
  return (text.split('\n')[0] ?? '').slice(0, 200)
}

/** The arguments of vitest for a report on the terminal and a report as JSON in `file`. */
export function vitestReports(file: string): string[] {
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
}

/** Prints the remarks and the counts, then ends the process. */
export function end(): void {
  for (const line of remarks) console.log(line)
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
  process.exit(total.failed > 0 ? 1 : 0)
}
